// The choices of a position, loaded step by step. Lists of moves may be huge (hundreds
// of thousands); if one does not fit into some pages, each possible next step is
// requested by its prefix.

import type { Client } from '../api/client';
import type { MovePage, PositionQuestion } from '../api/types';
import { choices, follows, nextChoice, textOf, type Choice, type Reading } from './choice';

/** Pages that are loaded before steps are requested one by one. */
const PAGES_MAX = 4;
const PROBES_AT_ONCE = 6;

export interface Step {
  choices: Choice[];
  /** The legal move that begins with the chosen steps, if there is only one. */
  only: string | null;
}

export class MoveEntry {
  private readonly pages = new Map<string, Promise<MovePage>>();
  /** Complete lists of moves, by prefix. */
  private readonly whole = new Map<string, MovePage>();
  /** Punctuation before steps seen in moves so far. */
  private readonly leads = new Set<string>();

  constructor(
    private readonly client: Client,
    private readonly game: string,
    private readonly question: PositionQuestion,
    private readonly reading: Reading,
  ) {}

  /** Returns the choices after some steps. */
  async step(chosen: readonly Choice[], signal?: AbortSignal): Promise<Step> {
    const page = await this.page(textOf(chosen), undefined, signal);
    const moves = page.moves.filter((move) => follows(move, chosen));
    if (page.nextPageToken !== '') return { choices: await this.probe(chosen, moves, signal), only: null };
    return { choices: choices(moves, chosen, this.reading), only: moves.length === 1 ? moves[0]! : null };
  }

  /** Returns a few moves that begin with `prefix`, for completion. */
  async complete(prefix: string, count: number, signal?: AbortSignal): Promise<MovePage> {
    const page = await this.page(prefix, count, signal);
    return { ...page, moves: page.moves.slice(0, count) };
  }

  /** Returns all moves with this prefix, if a loaded list has them. */
  private known(prefix: string): MovePage | null {
    for (let len = prefix.length; len >= 0; len -= 1) {
      const page = this.whole.get(prefix.slice(0, len));
      if (!page) continue;
      const moves = page.moves.filter((move) => move.startsWith(prefix));
      return { ...page, moves, total: moves.length, nextPageToken: '' };
    }
    return null;
  }

  /** Returns the first moves with a prefix; without a size, some of the server's pages. */
  private async page(prefix: string, pageSize: number | undefined, signal?: AbortSignal): Promise<MovePage> {
    const known = this.known(prefix);
    if (known) return known;
    const key = `${prefix} ${pageSize}`;
    let page = this.pages.get(key);
    if (!page) {
      page = this.read(prefix, pageSize, signal);
      this.pages.set(key, page);
      page.then(
        (answer) => answer.nextPageToken === '' && this.whole.set(prefix, answer),
        () => this.pages.delete(key),
      );
    }
    return page;
  }

  private async read(prefix: string, pageSize: number | undefined, signal?: AbortSignal): Promise<MovePage> {
    const question = pageSize === undefined ? { ...this.question, prefix } : { ...this.question, prefix, pageSize };
    const page = await this.client.moves(this.game, question, signal);
    const pagesLeft = pageSize !== undefined || page.total > page.moves.length * PAGES_MAX ? 0 : PAGES_MAX;
    for (let n = 1; n < pagesLeft && page.nextPageToken !== ''; n += 1) {
      const next = await this.client.moves(this.game, { ...question, pageToken: page.nextPageToken }, signal);
      page.moves.push(...next.moves);
      page.nextPageToken = next.nextPageToken;
    }
    return page;
  }

  /** Tries every id of the layout after each punctuation seen so far. */
  private async probe(chosen: readonly Choice[], moves: string[], signal?: AbortSignal): Promise<Choice[]> {
    const prefix = textOf(chosen);
    const found = new Map(choices(moves, chosen, this.reading).map((choice) => [choice.text, choice]));
    for (const choice of found.values()) this.leads.add(choice.lead);
    const leads = chosen.length === 0 ? [''] : [...this.leads].filter((lead) => lead !== '');
    const candidates = leads.flatMap((lead) => this.tokens().map((token) => lead + token));
    const isPrefix = (text: string) => candidates.some((other) => other !== text && other.startsWith(text));
    const queue = candidates.filter((text) => !found.has(text));
    const ask = async (text: string) => {
      const page = await this.page(prefix + text, isPrefix(text) ? 500 : 1, signal);
      for (const move of page.moves.filter((it) => follows(it, chosen))) {
        const choice = nextChoice(move, prefix.length, this.reading);
        this.leads.add(choice.lead);
        found.set(choice.text, choice);
      }
    };
    const worker = async () => {
      for (let text = queue.shift(); text !== undefined; text = queue.shift()) await ask(text);
    };
    await Promise.all(Array.from({ length: PROBES_AT_ONCE }, worker));
    return [...found.values()];
  }

  private tokens(): string[] {
    const { layout, toMove } = this.reading;
    const own = layout.pieces.filter((piece) => piece.id.startsWith(toMove)).map((p) => p.id.slice(toMove.length));
    const ids = [...layout.points, ...layout.blocks, ...layout.pieces].map((item) => item.id);
    return [...new Set([...own, ...ids])].filter((id) => /^[A-Za-z0-9]+$/.test(id));
  }
}
