// <pentad-board>: the board as an element for any site's pages, version 1.
//
//   <script type="module" src="https://games.example/embed/v1/pentad-board.js"></script>
//   <pentad-board game="pentago" moves="c3-2r d4-1l" interactive></pentad-board>
//
// Attributes: `game`, `variant`, `position`, `moves` (separated by spaces), `api`
// (address of the server; that of this script by default), `interactive`, `lang`.
// Events: `move` with `{move, moves, position, toMove, outcome}` after a move on the
// board; `hint` with the server's answer after `hint()`; `error` with the problem.
// Methods: `hint(detail)`, `undo()`. Property: `token`, for a server that requires
// one. The server has to allow the page's origin (`--cors-origins`).

import { ApiError, Client } from '../api/client';
import { readToken } from '../api/token';
import type { Detail, GameDetails, Hints, Layout, Position } from '../api/types';
import { pieceOfSeat } from '../board/geometry';
import { annotateMove, NO_ANNOTATIONS } from '../board/annotations';
import { motionOf, type Motion } from '../board/motion';
import { BoardView, type BoardWords } from '../board/view';
import { steps, textOf, type Choice, type Reading } from '../model/choice';
import { MoveEntry } from '../model/entry';
import { gridLayout, gridPieces } from '../model/grid';
import { LANGUAGES, preferredLanguage, type Language } from '../text';
import boardStyle from '../board/board.css';
import style from './pentad-board.css';

const HINT_MS = 1000;
const SERVER = new URL(import.meta.url).origin;

export class PentadBoard extends HTMLElement {
  static readonly observedAttributes = ['game', 'variant', 'position', 'moves', 'api', 'interactive', 'lang'];

  private readonly board: BoardView;
  private readonly status: HTMLElement;
  private readonly extras: HTMLElement;
  private loading: AbortController | null = null;
  private details: GameDetails | null = null;
  private layout: Layout | null = null;
  private shown: Position | null = null;
  private entry: MoveEntry | null = null;
  private chosen: Choice[] = [];
  private isOwnChange = false;
  #token: { value: string; origin: string } | null = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(boardStyle + style);
    root.adoptedStyleSheets = [sheet];
    this.board = new BoardView(this.words());
    this.board.onChoose = (choice) => void this.choose(choice);
    this.board.onCancel = () => void this.take([]);
    this.board.onRefuse = (point) => void this.restart(point);
    this.status = document.createElement('p');
    this.status.setAttribute('role', 'status');
    this.extras = document.createElement('div');
    this.extras.className = 'extras';
    root.append(this.board.element, this.extras, this.status);
  }

  /** The bearer token for a server that requires one; null forgets it. It cannot be read
   * back, and there is no attribute for it, because HTML is cached and copied and style
   * sheets can read attributes. It is sent only to the server that `api` names when it
   * is set. */
  set token(text: string | null) {
    const value = text === null ? null : readToken(text);
    if (text !== null && value === null) throw new TypeError('token: letters, digits and - . _ ~ + / are expected');
    this.#token = value === null ? null : { value, origin: this.origin() };
    if (this.isConnected) void this.load();
  }

  connectedCallback(): void {
    // The property was set before this script had loaded.
    if (Object.hasOwn(this, 'token')) {
      const early = (this as { token?: string | null }).token ?? null;
      Reflect.deleteProperty(this, 'token');
      this.token = early;
    } else {
      void this.load();
    }
  }

  disconnectedCallback(): void {
    this.loading?.abort();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || this.isOwnChange || !this.isConnected) return;
    // The loaded game is from another server or in another language.
    if (name === 'api' || name === 'lang') this.details = null;
    if (name !== 'moves' && name !== 'position') this.layout = null;
    if (name === 'lang') this.board.setWords(this.words());
    void this.load();
  }

  /** Loads the best move and reveals as much of it as `detail` says. */
  async hint(detail: Detail = 'move'): Promise<Hints | null> {
    const { shown, details, layout } = this;
    if (!shown || !details || !layout || shown.outcome) return null;
    const question = { ...this.question(shown), detail, count: 1, limits: { timeMs: HINT_MS } };
    try {
      const hints = await this.client().hints(details.id, question);
      const [best] = hints.hints;
      const annotations = best?.move ? annotateMove(best.move, this.reading(shown), 'hint') : { rings: [], arrows: [], turns: [] };
      annotations.rings.push(...(best?.area ?? []).map((point) => ({ point, tone: 'area' as const })));
      this.board.setAnnotations({ ...NO_ANNOTATIONS, ...annotations });
      this.emit('hint', hints);
      return hints;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** Takes back the last of `moves`. */
  undo(): void {
    const moves = this.moves();
    if (moves.length > 0) this.setAttribute('moves', moves.slice(0, -1).join(' '));
  }

  private async load(): Promise<void> {
    this.loading?.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    const game = this.getAttribute('game');
    if (!game) return;
    try {
      const client = this.client();
      if (this.details?.id !== game) this.details = await client.game(game, signal);
      const position = this.getAttribute('position');
      const question = { ...this.variant(), ...(position ? { position } : {}), moves: this.moves() };
      const shown = await client.position(game, question, signal);
      if (!signal.aborted) await this.show(shown, null);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private async show(answer: Position, motion: Motion | null): Promise<void> {
    const { details } = this;
    if (!details) return;
    const variant = details.variants.find((it) => it.id === this.getAttribute('variant')) ?? details.variants[0]!;
    const described = details.variantLayouts[variant.id] ?? details.layout;
    this.layout = described ?? this.layout ?? gridLayout(answer.position, variant.seats);
    const shown = described ? answer : { ...answer, board: gridPieces(answer.position) };
    this.shown = shown;
    if (!this.layout) return;
    this.board.setAnnotations(NO_ANNOTATIONS);
    this.board.setLayout(this.layout);
    this.board.setMarks(variant.seats.length > 2);
    this.board.setPieces(shown.board, motion);
    const w = this.language();
    this.status.textContent = shown.outcome?.text ?? w.toMove(variant.seatNames[shown.toMove] || shown.toMove);
    this.entry = new MoveEntry(this.client(), details.id, this.question(shown), this.reading(shown));
    await this.take([]);
  }

  /** Offers the choices after some steps. */
  private async take(chosen: Choice[]): Promise<void> {
    this.chosen = chosen;
    const { shown, layout, entry } = this;
    if (!shown || !layout) return;
    let choices: Choice[] = [];
    if (this.hasAttribute('interactive') && !shown.outcome && entry) {
      try {
        const step = await entry.step(chosen);
        if (entry !== this.entry || chosen !== this.chosen) return;
        if (chosen.length > 0 && step.only !== null) return await this.play(step.only);
        choices = step.choices;
      } catch (error) {
        this.fail(error);
      }
    }
    const [first] = chosen;
    const piece = first?.kind === 'point' && !shown.board[first.point!] ? pieceOfSeat(layout, shown.toMove) : null;
    this.board.setChoices(choices, chosen, piece ? { point: first!.point!, piece: piece.id } : null);
    this.offerWords(choices.filter((choice) => choice.kind === 'word' || choice.kind === 'end'));
  }

  /** Begins the move at another point, if a move begins there. */
  private async restart(point: string): Promise<void> {
    const { entry, chosen } = this;
    if (!entry || chosen.length === 0) return;
    if (chosen.some((choice) => choice.point === point)) return this.take([]);
    const step = await entry.step([]).catch(() => null);
    const here = step?.choices.filter((choice) => choice.point === point) ?? [];
    if (here.length === 1 && entry === this.entry) await this.take(here);
  }

  private offerWords(choices: Choice[]): void {
    const w = this.language();
    this.extras.replaceChildren(...choices.map((choice) => {
      const button = document.createElement('button');
      button.textContent = choice.kind === 'end' ? w.endMove : choice.word;
      button.addEventListener('click', () => void this.choose(choice));
      return button;
    }));
  }

  private async choose(choice: Choice): Promise<void> {
    if (choice.kind === 'end') await this.play(textOf(this.chosen));
    else await this.take([...this.chosen, choice]);
  }

  private async play(move: string): Promise<void> {
    const { shown: before, layout, details } = this;
    if (!before || !layout || !details) return;
    try {
      const answer = await this.client().position(details.id, { ...this.question(before), moves: [move] });
      const after = details.layout ? answer : { ...answer, board: gridPieces(answer.position) };
      const motion = motionOf(layout, before.board, after.board, steps(move, this.reading(before)), before.toMove);
      const moves = [...this.moves(), move];
      this.isOwnChange = true;
      this.setAttribute('moves', moves.join(' '));
      this.isOwnChange = false;
      await this.show(answer, motion);
      this.emit('move', { move, moves, position: after.position, toMove: after.toMove, outcome: after.outcome });
    } catch (error) {
      this.fail(error);
    }
  }

  private client(): Client {
    const token = this.#token?.origin === this.origin() ? this.#token.value : null;
    return new Client({
      base: this.api(),
      language: () => this.languageId(),
      credentials: { token, renew: () => Promise.resolve(false) },
    });
  }

  private api(): string {
    return (this.getAttribute('api') ?? SERVER).replace(/\/$/, '');
  }

  private origin(): string {
    return new URL(this.api(), location.href).origin;
  }

  private variant(): { variant?: string } {
    const variant = this.getAttribute('variant');
    return variant ? { variant } : {};
  }

  private question(shown: Position): { variant?: string; position: string } {
    return { ...this.variant(), position: shown.position };
  }

  private reading(shown: Position): Reading {
    return { layout: this.layout!, board: shown.board, toMove: shown.toMove };
  }

  private moves(): string[] {
    return (this.getAttribute('moves') ?? '').split(/\s+/).filter(Boolean);
  }

  private language() {
    return LANGUAGES[this.languageId()];
  }

  private languageId(): Language {
    const wanted = this.closest('[lang]')?.getAttribute('lang');
    return preferredLanguage(wanted ? [wanted] : navigator.languages);
  }

  private words(): BoardWords {
    const w = this.language();
    return {
      board: w.board, empty: w.empty, canChoose: w.canChoose, turnRight: w.turnRight, turnLeft: w.turnLeft,
      flipSide: (side) => w.flipSide[side as keyof typeof w.flipSide] ?? side, flipBlock: w.flipBlock,
      piece: (piece) => piece.name || piece.id, value: () => '',
    };
  }

  private emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private fail(error: unknown): void {
    const isRefused = error instanceof ApiError && error.status === 0 && this.origin() !== location.origin;
    this.status.textContent = isRefused ? this.language().refusedOrigin(this.origin(), location.origin) : error instanceof Error ? error.message : String(error);
    this.emit('error', error);
  }
}

if (!customElements.get('pentad-board')) customElements.define('pentad-board', PentadBoard);
