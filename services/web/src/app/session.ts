// The game on the page: the position shown, step-by-step entry of moves, navigation in
// the tree, and the address that encodes all of it.

import { ApiError, isAbort } from '../api/client';
import type { Game, Layout, Position, PositionQuestion } from '../api/types';
import { textOf, type Choice } from '../model/choice';
import { MoveEntry } from '../model/entry';
import { finishedSeats } from '../model/finished';
import { firstGame, formatLink, isTooLong, parseLink, type Linked, type Seat } from '../model/link';
import { formatNotes, NOTES_LEN_MAX, type Note } from '../model/notes';
import { Tree, type Node } from '../model/tree';
import { Observable } from './observable';
import type { Connection } from './connection';
import { Positions } from './positions';
import { settings } from './settings';
import { NARROW, viewOf, type Table, type View } from './views';

/** A move being entered. */
export interface Entered {
  /** The position that it starts from. */
  view: View | null;
  chosen: Choice[];
  choices: Choice[];
}

const NO_ENTRY: Entered = { view: null, chosen: [], choices: [] };

/** How a position enters the browser's history: as a new entry, replacing the current
 * one, or not at all because it comes from there. */
type Save = 'push' | 'replace' | 'none';

/** A link that cannot be read. */
export class BadLink extends Error {}

export class Session {
  readonly games = new Observable<Game[]>([]);
  readonly table = new Observable<Table | null>(null);
  readonly view = new Observable<View | null>(null);
  readonly entered = new Observable<Entered>(NO_ENTRY);
  /** Changes when the tree does. */
  readonly revision = new Observable(0);
  /** Why no game is shown; null while one is shown or loading. */
  readonly failure = new Observable<Error | null>(null);
  /** Called with each move that a person makes; true means that the callee plays it. */
  intercept: ((move: string, view: View) => boolean) | null = null;
  /** Called when a move is about to be shown, which waits for it. */
  beforeMove: (view: View, move: string) => Promise<void> = () => Promise.resolve();
  /** Called after a move was played on the board. */
  onPlayed: (view: View, before: View) => void = () => undefined;
  /** Called before a link to another game is followed. */
  onFollow: () => void = () => undefined;
  /** Called after a link to a stored puzzle was followed. */
  onPuzzle: (id: string) => void = () => undefined;

  private readonly positions: Positions;
  private readonly visited = new WeakMap<Node, Node>();
  private navigation = new AbortController();
  private entry: MoveEntry | null = null;

  constructor(readonly connection: Connection) {
    this.positions = new Positions(connection);
  }

  /** Shows the game of the address, now and whenever it changes. */
  async open(): Promise<void> {
    addEventListener('popstate', () => void this.follow(parseLink(location.hash)));
    // Some boards have another layout on a narrow screen.
    matchMedia(NARROW).addEventListener('change', () => this.redraw());
    let shown = settings.value;
    settings.watch(() => {
      const { look, turns } = settings.value;
      const isChanged = look !== shown.look || turns !== shown.turns;
      shown = settings.value;
      if (isChanged) this.redraw();
    });
    await this.loadAddress();
  }

  /** Shows the game of the address, or the first game. */
  async loadAddress(): Promise<void> {
    if (isTooLong(location.hash)) this.failure.value = new BadLink();
    const linked = parseLink(location.hash);
    const games = this.askGames(new AbortController().signal);
    try {
      // The linked game does not depend on the list of games.
      await Promise.all([games, linked && this.follow(linked)]);
      const first = firstGame(this.games.value);
      if (first && !linked && !this.failure.value) await this.start(first.id, '', [], null, 'replace');
    } catch (error) {
      this.connection.report(error);
    }
  }

  /** Starts a new game. */
  async start(game: string, variant: string, seats: Seat[], position: string | null = null, save: Save = 'push'): Promise<void> {
    const tree = new Tree();
    await this.follow({ game, variant, position, tree, node: tree.root, seats }, save);
  }

  /** Shows a game from a link, the clipboard or the history. */
  async follow(linked: Linked | null, save: Save = 'none'): Promise<void> {
    if (isTooLong(location.hash)) this.connection.report(new BadLink());
    if (!linked) return;
    this.onFollow();
    await this.showGame(linked, save);
    if (linked.puzzle) this.onPuzzle(linked.puzzle);
  }

  /** Shows another game for a while: a puzzle, after which the former game returns. */
  async showGame(linked: Linked, save: Save): Promise<void> {
    const signal = this.leave();
    this.failure.value = null;
    try {
      const details = await this.positions.linked(linked, signal);
      const variant = details.variants.find((it) => it.id === linked.variant) ?? details.variants[0]!;
      const old = this.table.value;
      const seats = variant.seats.map((_, i) => linked.seats[i] ?? 'analysis');
      // The positions of an equal tree are cached.
      const isSame = old && old.details === details && old.variant === variant && old.position === linked.position
        && formatLink({ ...linked, node: linked.tree.root }) === formatLink({ ...linked, tree: old.tree, node: old.tree.root });
      const tree = isSame ? old.tree : linked.tree;
      const node = tree.all()[linked.tree.all().indexOf(linked.node)] ?? tree.root;
      this.table.value = { details, variant, position: linked.position, tree, seats, puzzle: linked.puzzle ?? null };
      this.revision.value += 1;
      await this.show(node, false, save);
    } catch (error) {
      this.fail(error, this.view.value !== null);
    }
  }

  /** Reloads all texts, in another language or with another token. */
  async readAgain(): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return;
    const signal = this.leave();
    try {
      this.positions.forget();
      await this.askGames(signal);
      const details = await this.positions.game(table.details.id, signal);
      const variant = details.variants.find((it) => it.id === table.variant.id) ?? table.variant;
      this.table.value = { ...table, details, variant };
      await this.show(view.node, false, 'none');
    } catch (error) {
      this.connection.report(error);
    }
  }

  /** Shows a game again that `showGame` replaced. */
  async restore(table: Table, node: Node): Promise<void> {
    this.leave();
    this.table.value = table;
    this.revision.value += 1;
    await this.show(node, false, 'replace');
  }

  /** Goes to a node of the tree. */
  async go(node: Node, save: Save = 'push'): Promise<void> {
    this.leave();
    const parent = this.view.value?.node;
    await this.show(node, node.parent === parent, save);
  }

  /** Shows the same position again, with the board as it is drawn now. */
  private redraw(): void {
    if (this.view.value) void this.go(this.view.value.node, 'none');
  }

  async undo(): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return;
    if (this.entered.value.chosen.length > 0) return this.cancel();
    let node = view.node.parent;
    const hasPeople = table.seats.some((seat) => typeof seat !== 'number');
    const isBots = (it: Node) => typeof this.seatAt(it) === 'number';
    while (node?.parent && hasPeople && isBots(node)) node = node.parent;
    if (node) await this.go(node);
  }

  async redo(): Promise<void> {
    const node = this.view.value?.node;
    const next = node && (this.visited.get(node) ?? node.next);
    if (next && node.children.includes(next)) await this.go(next);
    else if (node?.next) await this.go(node.next);
  }

  async toEnd(): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (view && table) await this.go(table.tree.tip(view.node));
  }

  async toStart(): Promise<void> {
    if (this.table.value) await this.go(this.table.value.tree.root);
  }

  /** Changes the comment or the marks of a node; false if links have no room for more. */
  annotate(node: Node, note: Note): boolean {
    const before = node.note;
    const { tree } = this.table.value!;
    node.note = note;
    if (formatNotes(tree).length > NOTES_LEN_MAX) {
      node.note = before;
      return false;
    }
    this.revision.value += 1;
    this.saveAddress('replace');
    return true;
  }

  promote(node: Node): void {
    this.table.value?.tree.promote(node);
    this.revision.value += 1;
    this.saveAddress('replace');
  }

  async remove(node: Node): Promise<void> {
    const parent = this.table.value?.tree.remove(node);
    this.revision.value += 1;
    if (parent && this.view.value?.node.path.includes(node)) await this.go(parent);
    else this.saveAddress('replace');
  }

  /** Makes the stored puzzle shown an ordinary game. */
  forgetPuzzle(): void {
    if (!this.table.value?.puzzle) return;
    this.table.value = { ...this.table.value, puzzle: null };
    this.saveAddress('replace');
  }

  setSeats(seats: Seat[]): void {
    if (!this.table.value) return;
    this.table.value = { ...this.table.value, seats };
    this.saveAddress('replace');
  }

  /** Returns who plays the seat to move. */
  seatAt(node: Node): Seat {
    const table = this.table.value;
    const seat = this.positions.known(node)?.toMove;
    const index = table?.variant.seats.indexOf(seat ?? '') ?? -1;
    return table?.seats[index] ?? 'analysis';
  }

  /** Returns the places of the seats that have finished in the position shown. */
  finished(): Map<string, number> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return new Map();
    const { outcome, position } = view.position;
    const { seats } = table.variant;
    // At the end every seat has its place.
    const isRanked = outcome !== null && seats.length > 2 && new Set(Object.values(outcome.places)).size > 2;
    return isRanked ? new Map(Object.entries(outcome.places)) : finishedSeats(position, seats);
  }

  /** Returns the number of seats that still play. */
  nPlaying(): number {
    const seats = this.table.value?.variant.seats ?? [];
    return Math.max(1, seats.length - this.finished().size);
  }

  seatName(seat: string): string {
    return this.table.value?.variant.seatNames[seat] || seat;
  }

  get layout(): Layout | null {
    return this.view.value?.reading.layout ?? null;
  }

  // ---- entering a move ----------------------------------------------------

  /** Adds a step to the move being entered, and plays the move once it is complete. */
  async choose(choice: Choice): Promise<void> {
    const { entry } = this;
    const signal = this.navigation.signal;
    let { chosen } = this.entered.value;
    let next: Choice | undefined = choice;
    try {
      while (next && entry) {
        if (next.kind === 'end') return await this.play(textOf(chosen));
        chosen = [...chosen, next];
        const at: Choice[] = chosen;
        const step = await this.connection.untilReached((s) => entry.step(at, s), signal);
        if (signal.aborted) return;
        if (step.only !== null) return await this.play(step.only);
        next = step.choices.length === 1 ? step.choices[0] : undefined;
        if (!next) this.entered.value = { view: this.view.value, chosen, choices: step.choices };
      }
    } catch (error) {
      this.connection.report(error);
    }
  }

  /** Takes back the last step of the move being entered. */
  async cancel(): Promise<void> {
    const chosen = this.entered.value.chosen.slice(0, -1);
    const step = await this.entry?.step(chosen).catch(() => null);
    if (step) this.entered.value = { view: this.view.value, chosen, choices: step.choices };
  }

  /** Begins the move again at a point; false if no move begins there. */
  async restart(point: string): Promise<boolean> {
    const { entry } = this;
    const step = await entry?.step([]).catch(() => null);
    const here = step?.choices.filter((choice) => choice.point === point) ?? [];
    if (!step || here.length !== 1 || entry !== this.entry) return false;
    this.entered.value = { view: this.view.value, chosen: [], choices: step.choices };
    await this.choose(here[0]!);
    return true;
  }

  /** Returns the moves that begin with a text. */
  async complete(prefix: string, count: number): Promise<{ moves: string[]; total: number }> {
    return (await this.entry?.complete(prefix, count)) ?? { moves: [], total: 0 };
  }

  /** Plays a person's move from the position shown. */
  async play(move: string): Promise<void> {
    const before = this.view.value;
    if (!before) return;
    if (this.intercept?.(move, before)) return;
    await this.advance(move);
  }

  /** Plays a move from the position shown. */
  async advance(move: string, save: Save = 'push'): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return;
    // The entered steps stay on the board until the next position has arrived.
    const signal = this.leave(this.entered.value.chosen);
    try {
      const known = view.node.children.find((child) => child.move === move);
      const asked = this.connection.untilReached((s) => this.ask({ ...view.question, moves: [move] }, s), signal);
      const [position] = await Promise.all([asked, this.beforeMove(view, move)]);
      const node = known ?? table.tree.play(view.node, move);
      this.positions.keep(node, position);
      this.revision.value += 1;
      await this.show(node, true, save);
      if (this.view.value?.node === node) this.onPlayed(this.view.value, view);
    } catch (error) {
      this.connection.report(error, move);
      await this.show(view.node, false, 'none');
    }
  }

  /** Adds lines to the tree without going there. */
  addLine(node: Node, moves: string[]): Node {
    const end = this.table.value!.tree.playAll(node, moves);
    this.revision.value += 1;
    this.saveAddress('replace');
    return end;
  }

  /** Returns the cached position of a node that was shown or precedes one that was. */
  positionAt(node: Node): Position | undefined {
    return this.positions.known(node);
  }

  /** Loads the positions from the root to a node. */
  async load(node: Node): Promise<void> {
    const table = this.table.value;
    if (!table || this.positions.known(node)) return;
    await this.positions.of(node, table, new AbortController().signal);
    this.revision.value += 1;
  }

  /** Returns a cached position as it would be on the board. */
  viewAt(node: Node): View | null {
    const position = this.positions.known(node);
    const table = this.table.value;
    return position && table ? viewOf(table, node, position, node.parent ? this.positions.known(node.parent) : undefined, false) : null;
  }

  /** Returns the position after moves from the one shown, for previews. */
  ask(question: PositionQuestion, signal?: AbortSignal): Promise<Position> {
    return this.positions.ask(this.table.value!, question, signal);
  }

  // ---- showing ------------------------------------------------------------

  /** Cancels requests for the position left and removes its choices, which the next
   * position may not have. */
  private leave(chosen: Choice[] = []): AbortSignal {
    this.navigation.abort();
    this.navigation = new AbortController();
    this.entry = null;
    this.connection.problem.value = null;
    this.entered.value = { view: this.view.value, chosen, choices: [] };
    return this.navigation.signal;
  }

  private async show(node: Node, moved: boolean, save: Save): Promise<void> {
    const { signal } = this.navigation;
    try {
      const table = this.table.value!;
      const position = await this.positions.of(node, table, signal);
      if (signal.aborted) return;
      const view = viewOf(table, node, position, node.parent ? this.positions.known(node.parent) : undefined, moved);
      if (node.parent) this.visited.set(node.parent, node);
      // The entered steps are on the board until the view has changed.
      this.view.value = view;
      this.entered.value = NO_ENTRY;
      this.saveAddress(save);
      await this.prepareEntry(view, signal);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.fail(error, node.parent !== null, node.move);
      // A link may have illegal moves: show the position before the first of them.
      if (node.parent && error instanceof ApiError && error.isAboutMoves) {
        const parent = this.table.value!.tree.remove(node);
        this.revision.value += 1;
        await this.show(parent, false, save);
      }
    }
  }

  private async prepareEntry(view: View, signal: AbortSignal): Promise<void> {
    const { id } = this.table.value!.details;
    const entry = new MoveEntry(this.connection.client, id, view.question, view.reading);
    this.entry = entry;
    if (view.position.outcome) return;
    const step = await this.connection.untilReached((s) => entry.step([], s), signal);
    if (!signal.aborted) this.entered.value = { view, chosen: [], choices: step.choices };
  }

  /** Reports a problem; without a position to show, the page offers its games. */
  private fail(error: unknown, hasPosition: boolean, move: string | null = null): void {
    if (isAbort(error)) return;
    if (hasPosition) {
      this.connection.report(error, move);
      return;
    }
    this.view.value = null;
    this.failure.value = error instanceof Error ? error : new Error(String(error));
  }

  private async askGames(signal: AbortSignal): Promise<void> {
    const { connection } = this;
    this.games.value = await connection.untilReached((s) => connection.client.games(s), signal);
  }

  private saveAddress(save: Save): void {
    const link = this.link();
    if (save === 'none' || link === null || link === location.hash) return;
    if (save === 'replace') history.replaceState(null, '', link);
    else history.pushState(null, '', link);
  }

  link(): string | null {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return null;
    const { details, variant, position, tree, seats, puzzle } = table;
    return formatLink({ game: details.id, variant: variant.id, position, tree, node: view.node, seats, puzzle: puzzle ?? null });
  }
}
