// The game on the page: what is shown, step-by-step entry of moves, navigation in
// the tree, and the address that holds all of it.

import { ApiError, type Client, isAbort } from '../api/client';
import type { Game, GameDetails, Layout, Position, PositionQuestion, Variant } from '../api/types';
import { changedPoints, landing, motionOf, type Motion } from '../board/motion';
import { steps, textOf, type Choice, type Reading } from '../model/choice';
import { MoveEntry } from '../model/entry';
import { gridLayout, gridPieces } from '../model/grid';
import { formatLink, parseLink, type Linked, type Seat } from '../model/link';
import { portrait } from '../model/portrait';
import { Node, Tree } from '../model/tree';
import { Cell } from './cell';

/** A position on the board. */
export interface View {
  node: Node;
  position: Position;
  reading: Reading;
  question: PositionQuestion;
  /** Points that the last move changed. */
  last: string[];
  /** How the last move got here, if it was just played. */
  motion: Motion | null;
}

/** A move being entered. */
export interface Entered {
  chosen: Choice[];
  choices: Choice[];
}

export interface Table {
  details: GameDetails;
  variant: Variant;
  /** Null for the start. */
  position: string | null;
  tree: Tree;
  seats: Seat[];
}

/** How often a call is repeated that the server refuses because it is busy. */
const REFUSALS_MAX = 4;
const NO_ENTRY: Entered = { chosen: [], choices: [] };

export class Session {
  readonly games = new Cell<Game[]>([]);
  readonly table = new Cell<Table | null>(null);
  readonly view = new Cell<View | null>(null);
  readonly entered = new Cell<Entered>(NO_ENTRY);
  /** Changes when the tree does. */
  readonly revision = new Cell(0);
  readonly problem = new Cell<ApiError | Error | null>(null);
  readonly isUnreachable = new Cell(false);
  /** Called with each move that a person makes; true takes it over. */
  intercept: ((move: string, view: View) => boolean) | null = null;
  /** Called after a move was played on the board. */
  onPlayed: (view: View, before: View) => void = () => undefined;

  private positions = new WeakMap<Node, Position>();
  private readonly visited = new WeakMap<Node, Node>();
  private readonly details = new Map<string, GameDetails>();
  private navigation = new AbortController();
  private entry: MoveEntry | null = null;

  constructor(readonly client: Client) {}

  /** Shows what the address says, or the first game. */
  async open(): Promise<void> {
    addEventListener('popstate', () => void this.follow(parseLink(location.hash)));
    const linked = parseLink(location.hash);
    const games = this.untilReached((signal) => this.client.games(signal), new AbortController().signal);
    // The linked game need not wait for the list.
    if (linked) await Promise.all([games.then((list) => (this.games.value = list)), this.follow(linked)]);
    else {
      this.games.value = await games;
      const first = this.games.value.find((game) => game.id === 'pentago') ?? this.games.value[0];
      if (first) await this.start(first.id, '', [], null, true);
    }
  }

  /** A new game. */
  async start(game: string, variant: string, seats: Seat[], position: string | null = null, replace = false): Promise<void> {
    const tree = new Tree();
    await this.follow({ game, variant, position, tree, node: tree.root, seats });
    this.saveAddress(replace);
  }

  /** Shows a game that was linked, pasted or gone back to. */
  async follow(linked: Linked | null): Promise<void> {
    if (!linked) return;
    const signal = this.leave();
    try {
      const details = await this.untilReached(() => this.gameDetails(linked.game, signal), signal);
      const variant = details.variants.find((it) => it.id === linked.variant) ?? details.variants[0]!;
      const old = this.table.value;
      const seats = variant.seats.map((_, i) => linked.seats[i] ?? 'analysis');
      // The positions of an equal tree are known already.
      const isSame = old && old.details === details && old.variant === variant && old.position === linked.position
        && formatLink({ ...linked, node: linked.tree.root }) === formatLink({ ...linked, tree: old.tree, node: old.tree.root });
      const tree = isSame ? old.tree : linked.tree;
      const node = tree.all()[linked.tree.all().indexOf(linked.node)] ?? tree.root;
      this.table.value = { details, variant, position: linked.position, tree, seats };
      this.revision.value += 1;
      await this.show(node, false);
    } catch (error) {
      this.report(error);
    }
  }

  /** Asks for all texts again, in another language. */
  async readAgain(): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return;
    const signal = this.leave();
    try {
      this.details.clear();
      this.games.value = await this.untilReached((s) => this.client.games(s), signal);
      const details = await this.untilReached((s) => this.gameDetails(table.details.id, s), signal);
      const variant = details.variants.find((it) => it.id === table.variant.id) ?? table.variant;
      this.positions = new WeakMap();
      this.table.value = { ...table, details, variant };
      await this.show(view.node, false);
    } catch (error) {
      this.report(error);
    }
  }

  /** Shows a game that was left for another one. */
  async restore(table: Table, node: Node): Promise<void> {
    this.leave();
    this.table.value = table;
    this.revision.value += 1;
    await this.show(node, false);
    this.saveAddress(true);
  }

  /** Goes to a node of the tree. */
  async go(node: Node, replace = false): Promise<void> {
    this.leave();
    const parent = this.view.value?.node;
    await this.show(node, node.parent === parent);
    this.saveAddress(replace);
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

  promote(node: Node): void {
    this.table.value?.tree.promote(node);
    this.revision.value += 1;
    this.saveAddress(true);
  }

  async remove(node: Node): Promise<void> {
    const parent = this.table.value?.tree.remove(node);
    this.revision.value += 1;
    if (parent && this.view.value?.node.path.includes(node)) await this.go(parent);
    else this.saveAddress(true);
  }

  setSeats(seats: Seat[]): void {
    if (!this.table.value) return;
    this.table.value = { ...this.table.value, seats };
    this.saveAddress(true);
  }

  /** Who plays the seat to move. */
  seatAt(node: Node): Seat {
    const { table } = { table: this.table.value };
    const seat = this.positions.get(node)?.toMove;
    const index = table?.variant.seats.indexOf(seat ?? '') ?? -1;
    return table?.seats[index] ?? 'analysis';
  }

  seatName(seat: string): string {
    return this.table.value?.variant.seatNames[seat] || seat;
  }

  get layout(): Layout | null {
    return this.view.value?.reading.layout ?? null;
  }

  // ---- entering a move ----------------------------------------------------

  /** Goes on with the move that is being entered, and plays it if it is complete. */
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
        const step = await this.untilReached((s) => entry.step(at, s), signal);
        if (signal.aborted) return;
        if (step.only !== null) return await this.play(step.only);
        next = step.choices.length === 1 ? step.choices[0] : undefined;
        if (!next) this.entered.value = { chosen, choices: step.choices };
      }
    } catch (error) {
      this.report(error);
    }
  }

  /** Takes back the last step of a move that is being entered. */
  async cancel(): Promise<void> {
    const chosen = this.entered.value.chosen.slice(0, -1);
    const step = await this.entry?.step(chosen).catch(() => null);
    if (step) this.entered.value = { chosen, choices: step.choices };
  }

  /** Moves that begin with a text. */
  async complete(prefix: string, count: number): Promise<{ moves: string[]; total: number }> {
    return (await this.entry?.complete(prefix, count)) ?? { moves: [], total: 0 };
  }

  /** Plays a move from the position shown, by a person. */
  async play(move: string): Promise<void> {
    const before = this.view.value;
    if (!before) return;
    if (this.intercept?.(move, before)) return;
    await this.advance(move);
  }

  /** Plays a move from the position shown. */
  async advance(move: string, replace = false): Promise<void> {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return;
    const signal = this.leave();
    try {
      const known = view.node.children.find((child) => child.move === move);
      const position = await this.untilReached((s) => this.ask({ ...view.question, moves: [move] }, s), signal);
      const node = known ?? table.tree.play(view.node, move);
      this.positions.set(node, position);
      this.revision.value += 1;
      await this.show(node, true);
      this.saveAddress(replace);
      if (this.view.value?.node === node) this.onPlayed(this.view.value, view);
    } catch (error) {
      this.report(error);
      await this.show(view.node, false);
    }
  }

  /** Adds lines to the tree without going there. */
  addLine(node: Node, moves: string[]): Node {
    const end = this.table.value!.tree.playAll(node, moves);
    this.revision.value += 1;
    this.saveAddress(true);
    return end;
  }

  /** The position after moves from one that is shown, for previews. */
  ask(question: PositionQuestion, signal?: AbortSignal): Promise<Position> {
    return this.client.position(this.table.value!.details.id, question, signal).then((it) => this.complemented(it));
  }

  /** Repeats a call while the server does not answer, and tells so; a few times if it
   * is busy. */
  async untilReached<T>(call: (signal: AbortSignal) => Promise<T>, signal = this.navigation.signal): Promise<T> {
    let refusals = 0;
    for (let wait = 300; ; wait = Math.min(wait * 1.6, 4000)) {
      try {
        const answer = await call(signal);
        this.isUnreachable.value = false;
        return answer;
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient || signal.aborted) throw error;
        this.isUnreachable.value = error.isUnreachable;
        refusals += error.isUnreachable ? 0 : 1;
        if (refusals > REFUSALS_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.max(wait, error.retryAfterMs ?? 0)));
        signal.throwIfAborted();
      }
    }
  }

  report(error: unknown): void {
    if (isAbort(error)) return;
    this.problem.value = error instanceof Error ? error : new Error(String(error));
  }

  // ---- showing ------------------------------------------------------------

  /** Ends what was under way for the position left. */
  private leave(): AbortSignal {
    this.navigation.abort();
    this.navigation = new AbortController();
    return this.navigation.signal;
  }

  private async show(node: Node, moved: boolean): Promise<void> {
    const { signal } = this.navigation;
    try {
      const position = await this.positionOf(node, signal);
      if (signal.aborted) return;
      const view = this.viewOf(node, position, moved);
      if (node.parent) this.visited.set(node.parent, node);
      this.entered.value = NO_ENTRY;
      this.view.value = view;
      await this.prepareEntry(view, signal);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.report(error);
      // A link may hold moves that are not legal: show as far as they are.
      if (node.parent && error instanceof ApiError && !error.isTransient) {
        const parent = this.table.value!.tree.remove(node);
        this.revision.value += 1;
        await this.show(parent, false);
      }
    }
  }

  private async prepareEntry(view: View, signal: AbortSignal): Promise<void> {
    const { id } = this.table.value!.details;
    const entry = new MoveEntry(this.client, id, view.question, view.reading);
    this.entry = entry;
    if (view.position.outcome) return;
    const step = await this.untilReached((s) => entry.step([], s), signal);
    if (!signal.aborted) this.entered.value = { chosen: [], choices: step.choices };
  }

  private viewOf(node: Node, position: Position, moved: boolean): View {
    const { details, variant } = this.table.value!;
    const layout = this.layoutOf(details, variant, position.position);
    const reading: Reading = { layout, board: position.board, toMove: position.toMove };
    const question: PositionQuestion = { variant: variant.id, position: position.position };
    const parent = node.parent ? this.positions.get(node.parent) : undefined;
    if (!parent) return { node, position, reading, question, last: [], motion: null };
    const before: Reading = { layout, board: parent.board, toMove: parent.toMove };
    const played = steps(node.move, before);
    const motion = moved ? motionOf(layout, parent.board, position.board, played, parent.toMove) : null;
    const named = played.flatMap((step) => (step.point === undefined ? [] : [landing(layout, step.point, played)]));
    const changed = changedPoints(parent.board, position.board);
    const last = played.some((step) => step.kind === 'block' || step.kind === 'side') ? changed : named;
    return { node, position, reading, question, last, motion };
  }

  private layouts = new Map<string, Layout>();

  private layoutOf(details: GameDetails, variant: Variant, position: string): Layout {
    const described = details.variantLayouts[variant.id] ?? details.layout;
    if (described) return matchMedia('(max-width: 699px)').matches ? portrait(described) : described;
    const key = `${details.id} ${variant.id}`;
    const none: Layout = { width: 0, height: 0, points: [], edges: [], blocks: [], labels: [], pieces: [] };
    let layout = this.layouts.get(key);
    if (!layout) this.layouts.set(key, (layout = gridLayout(position, variant.seats) ?? none));
    return layout;
  }

  /** Positions come one after the other from the root, each from the one before. */
  private async positionOf(node: Node, signal: AbortSignal): Promise<Position> {
    const known = this.positions.get(node);
    if (known) return known;
    const { details, variant, position } = this.table.value!;
    const start: PositionQuestion = position === null ? { variant: variant.id } : { variant: variant.id, position };
    const path = node.path;
    const from = path.findLastIndex((it) => this.positions.has(it));
    const unknown = path.slice(Math.max(0, from)).filter((it) => !this.positions.has(it));
    if (unknown.length > 2) {
      // One call tells whether all moves are legal, before each is asked for.
      await this.untilReached((s) => this.client.position(details.id, { ...start, moves: node.moves }, s), signal);
    }
    let at: PositionQuestion | null = from >= 0 ? { variant: variant.id, position: this.positions.get(path[from]!)!.position } : null;
    for (const it of unknown) {
      const question: PositionQuestion = at ? { ...at, moves: [it.move] } : start;
      const answer = await this.untilReached((s) => this.client.position(details.id, question, s), signal);
      this.positions.set(it, this.complemented(answer));
      at = { variant: variant.id, position: answer.position };
    }
    return this.positions.get(node)!;
  }

  /** Pieces of games without a layout are read from their position. */
  private complemented(position: Position): Position {
    const { details } = this.table.value!;
    return details.layout ? position : { ...position, board: gridPieces(position.position) };
  }

  private async gameDetails(id: string, signal: AbortSignal): Promise<GameDetails> {
    const known = this.details.get(id) ?? (await this.client.game(id, signal));
    this.details.set(id, known);
    return known;
  }

  private saveAddress(replace: boolean): void {
    const link = this.link();
    if (link === null || link === location.hash) return;
    if (replace) history.replaceState(null, '', link);
    else history.pushState(null, '', link);
  }

  link(): string | null {
    const { view, table } = { view: this.view.value, table: this.table.value };
    if (!view || !table) return null;
    const { details, variant, position, tree, seats } = table;
    return formatLink({ game: details.id, variant: variant.id, position, tree, node: view.node, seats });
  }
}
