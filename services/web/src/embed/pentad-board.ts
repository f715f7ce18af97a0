// <pentad-board>: the board as an element for any site's pages, version 1.
//
//   <script type="module" src="https://games.example/embed/v1/pentad-board.js"></script>
//   <pentad-board game="pentago" moves="c3-2r d4-1l" interactive></pentad-board>
//
// Attributes: `game`, `variant`, `position`, `moves` (separated by spaces), `api`
// (address of the server; that of this script by default), `interactive`, `readonly`, `lang`,
// `controls`, `evaluation`, `level` (the server plays the other seats), `puzzle` (`daily`,
// `random` or an id), `theme` (`light`, `dark`, and a look of the board).
// Events: `move` with `{move, moves, position, toMove, outcome}` after a move on the
// board; `hint` with the server's answer after `hint()`; `puzzle` with `{id, state}`;
// `error` with the problem.
// Methods: `hint(detail)`, `undo()`. Property: `token`, for a server that requires
// one. The server has to allow the page's origin (`--cors-origins`).

import { ApiError, Client } from '../api/client';
import { readToken } from '../api/token';
import type { Detail, GameDetails, Hints, Layout, Position, Variant } from '../api/types';
import { pieceOfSeat } from '../board/geometry';
import { withLook } from '../board/looks';
import { annotateMove, NO_ANNOTATIONS } from '../board/annotations';
import { motionOf, type Motion } from '../board/motion';
import { BoardView, type BoardWords } from '../board/view';
import { steps, textOf, type Choice, type Reading } from '../model/choice';
import { MoveEntry } from '../model/entry';
import { gridLayout, gridPieces } from '../model/grid';
import type { StoredPuzzle } from '../model/puzzle-set';
import { turnedLayout } from '../model/turned-layout';
import { boardTexts } from '../text/board-texts';
import { preferredLanguage, type Language } from '../text/languages';
import { controlBar, drawBar, type Control } from './controls';
import { controlsOf, levelOf, lookOf, schemeOf, stepsBack } from './options';
import { findPuzzle, judge, type PuzzleState } from './puzzle';
import { boardWords, embedTexts, type EmbedTexts } from './text';
import boardStyle from '../board/board.css';
import style from './pentad-board.css';

const HINT_MS = 1000;
const SERVER = new URL(import.meta.url).origin;

export class PentadBoard extends HTMLElement {
  static readonly observedAttributes = ['game', 'variant', 'position', 'moves', 'api', 'interactive', 'readonly', 'lang', 'controls', 'evaluation', 'level', 'puzzle', 'theme'];

  private readonly board: BoardView;
  private readonly status: HTMLElement;
  private readonly extras: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly frame: HTMLElement;
  private buttons: HTMLElement | null = null;
  private loading: AbortController | null = null;
  private details: GameDetails | null = null;
  private layout: Layout | null = null;
  private shown: Position | null = null;
  private entry: MoveEntry | null = null;
  private chosen: Choice[] = [];
  private isOwnChange = false;
  /** Moves after those shown, for the controls. */
  private later: string[] = [];
  private quarters = 0;
  /** The seat of the visitor in a game against a level. */
  private visitor: string | null = null;
  private puzzle: StoredPuzzle | null = null;
  private puzzleState: PuzzleState = 'open';
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
    this.bar = document.createElement('div');
    this.bar.className = 'bar';
    this.frame = document.createElement('div');
    this.frame.className = 'frame';
    this.frame.append(this.board.element);
    root.append(this.frame, this.extras, this.status);
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
    if (name === 'moves') this.later = [];
    if (name === 'game' || name === 'variant' || name === 'puzzle' || name === 'api') this.puzzle = null;
    if (name === 'game' || name === 'variant' || name === 'position' || name === 'level') this.visitor = null;
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
    this.style.colorScheme = schemeOf(this);
    try {
      const client = this.client();
      if (this.details?.id !== game) this.details = await client.game(game, signal);
      if (this.hasAttribute('puzzle') && !this.puzzle) await this.loadPuzzle(signal);
      const position = this.puzzle?.position ?? this.getAttribute('position');
      const question = { ...this.variant(), ...(position ? { position } : {}), moves: this.moves() };
      const shown = await client.position(game, question, signal);
      if (!signal.aborted) await this.show(shown, null);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private async loadPuzzle(signal: AbortSignal): Promise<void> {
    const puzzle = await findPuzzle(this.api(), this.details!.id, this.variantShown().id, this.getAttribute('puzzle')!);
    if (signal.aborted) return;
    if (!puzzle) throw new Error(this.texts().noPuzzle);
    this.puzzle = puzzle;
    this.setMoves([]);
    this.setPuzzleState('open');
  }

  private setPuzzleState(state: PuzzleState): void {
    this.puzzleState = state;
    this.emit('puzzle', { id: this.puzzle!.id, state });
  }

  private variantShown(): Variant {
    const { variants } = this.details!;
    return variants.find((it) => it.id === this.getAttribute('variant')) ?? variants[0]!;
  }

  private async show(answer: Position, motion: Motion | null): Promise<void> {
    const { details } = this;
    if (!details) return;
    const variant = this.variantShown();
    const described = details.variantLayouts[variant.id] ?? details.layout;
    this.layout = described ? turnedLayout(withLook(described, lookOf(this)), this.quarters) : this.layout ?? gridLayout(answer.position, variant.seats);
    const shown = described ? answer : { ...answer, board: gridPieces(answer.position) };
    this.shown = shown;
    if (!this.layout) return;
    this.board.setAnnotations(NO_ANNOTATIONS);
    this.board.setLook(lookOf(this));
    this.board.setLayout(this.layout);
    this.board.setMarks(variant.seats.length > 2);
    this.board.setPieces(shown.board, motion);
    this.visitor ??= shown.toMove;
    this.drawControls();
    this.sayStatus();
    this.entry = new MoveEntry(this.client(), details.id, this.question(shown), this.reading(shown));
    if (this.hasAttribute('evaluation')) void this.evaluate(shown);
    if (this.isBotsTurn(shown)) {
      this.board.setChoices([]);
      void this.playBot(shown);
    } else {
      await this.take([]);
    }
  }

  private sayStatus(): void {
    const { shown } = this;
    if (!shown) return;
    const [w, t] = [this.language(), this.texts()];
    const name = this.variantShown().seatNames[shown.toMove] || shown.toMove;
    this.status.replaceChildren();
    if (!this.puzzle) {
      this.status.textContent = shown.outcome?.text ?? (this.isBotsTurn(shown) ? t.thinking(name) : w.toMove(name));
      return;
    }
    const texts = { open: t.find(name), right: `✓ ${t.right}`, solved: `✓ ${t.solved}`, wrong: `✕ ${t.wrong(this.moves().at(-1) ?? '')}` };
    this.status.append(texts[this.puzzleState]);
    if (this.puzzleState === 'wrong') this.status.append(' ', this.button(t.again, () => this.restartPuzzle()));
  }

  private restartPuzzle(): void {
    this.setMoves([]);
    this.setPuzzleState('open');
    void this.load();
  }

  private isBotsTurn(shown: Position): boolean {
    return levelOf(this) !== null && !this.puzzle && !this.hasAttribute('readonly') && this.later.length === 0 && !shown.outcome && shown.toMove !== this.visitor;
  }

  private async playBot(before: Position): Promise<void> {
    const level = levelOf(this)!;
    try {
      const { hints } = await this.client().hints(this.details!.id, { ...this.question(before), count: 1, level, limits: { timeMs: HINT_MS } });
      if (this.shown === before && hints[0]) await this.play(hints[0].move);
    } catch (error) {
      this.fail(error);
    }
  }

  private async evaluate(shown: Position): Promise<void> {
    const { details, layout } = this;
    if (!details || !layout) return;
    const { seats } = this.variantShown();
    const draw = (evaluation: Parameters<typeof drawBar>[3]) => drawBar(this.bar, seats, layout, evaluation, this.texts());
    // A puzzle's bar would give the answer away.
    if (this.puzzle && this.puzzleState !== 'solved') return draw(null);
    if (shown.outcome) return draw({ scores: shown.outcome.scores, certainty: 'proven' });
    draw(null);
    try {
      const { evaluation } = await this.client().evaluation(details.id, { ...this.question(shown), limits: { timeMs: HINT_MS } });
      if (this.shown === shown) draw(evaluation);
    } catch (error) {
      this.fail(error);
    }
  }

  private drawControls(): void {
    const names = controlsOf(this, this.puzzle !== null);
    if (this.buttons?.dataset.names !== `${this.languageId()} ${names.join()}`) {
      this.buttons?.remove();
      this.buttons = names.length > 0 ? controlBar(this.texts(), names, (control) => this.run(control)) : null;
      if (this.buttons) {
        this.buttons.dataset.names = `${this.languageId()} ${names.join()}`;
        this.status.before(this.buttons);
      }
    }
    if (this.hasAttribute('evaluation') !== (this.bar.parentNode !== null)) {
      if (this.hasAttribute('evaluation')) this.frame.prepend(this.bar);
      else this.bar.remove();
    }
    const [isStart, isEnd] = [this.moves().length === 0, this.later.length === 0];
    const disabled: Partial<Record<Control, boolean>> = { first: isStart, previous: isStart, next: isEnd, last: isEnd, hint: this.shown?.outcome != null };
    for (const button of this.buttons?.querySelectorAll('button') ?? []) button.disabled = disabled[button.dataset.control as Control] ?? false;
  }

  private run(control: Control): void {
    const all = [...this.moves(), ...this.later];
    const at = this.moves().length;
    const back = levelOf(this) === null ? 1 : stepsBack(at, this.variantShown().seats.length);
    switch (control) {
      case 'first': return this.goTo(all, 0);
      case 'previous': return this.goTo(all, Math.max(0, at - back));
      case 'next': return this.goTo(all, Math.min(all.length, at + 1));
      case 'last': return this.goTo(all, all.length);
      case 'hint': return void this.hint(this.puzzle ? 'area' : 'move');
      case 'turn':
        this.quarters = (this.quarters + 1) % 4;
        if (this.shown) void this.show(this.shown, null);
    }
  }

  private goTo(all: string[], at: number): void {
    this.setMoves(all.slice(0, at));
    this.later = all.slice(at);
    void this.load();
  }

  private setMoves(moves: string[]): void {
    this.isOwnChange = true;
    this.setAttribute('moves', moves.join(' '));
    this.isOwnChange = false;
  }

  /** Offers the choices after some steps. */
  private async take(chosen: Choice[]): Promise<void> {
    this.chosen = chosen;
    const { shown, layout, entry } = this;
    if (!shown || !layout) return;
    let choices: Choice[] = [];
    if (this.isPlayable() && !shown.outcome && entry) {
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

  /** Levels and puzzles are for playing, with or without `interactive`. */
  private isPlayable(): boolean {
    if (this.hasAttribute('readonly')) return false;
    if (this.hasAttribute('puzzle')) return this.puzzleState === 'open' || this.puzzleState === 'right';
    return this.hasAttribute('interactive') || levelOf(this) !== null;
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
    this.extras.replaceChildren(...choices.map((choice) => this.button(choice.kind === 'end' ? w.endMove : choice.word, () => void this.choose(choice))));
  }

  private button(text: string, run: () => void): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.addEventListener('click', run);
    return button;
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
      this.setMoves(moves);
      this.later = this.later[0] === move ? this.later.slice(1) : [];
      if (this.puzzle && before.toMove === this.puzzle.toMove) return await this.judgeMove(moves, answer, motion);
      await this.show(answer, motion);
      this.emit('move', { move, moves, position: after.position, toMove: after.toMove, outcome: after.outcome });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows a move of a puzzle, what it is worth, and the defence against it. */
  private async judgeMove(moves: string[], after: Position, motion: Motion | null): Promise<void> {
    const puzzle = this.puzzle!;
    this.board.setChoices([]);
    const { state, reply } = await judge(this.client(), this.details!.id, this.variantShown().id, puzzle, moves, after);
    if (this.puzzle !== puzzle) return;
    this.setPuzzleState(state);
    await this.show(after, motion);
    if (reply !== null) await this.play(reply);
    if (reply !== null && this.shown?.outcome) {
      this.setPuzzleState('solved');
      this.sayStatus();
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
    return boardTexts[this.languageId()];
  }

  private texts(): EmbedTexts {
    return embedTexts[this.languageId()];
  }

  private languageId(): Language {
    const wanted = this.closest('[lang]')?.getAttribute('lang');
    return preferredLanguage(wanted ? [wanted] : navigator.languages);
  }

  private words(): BoardWords {
    return boardWords(this.language());
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
