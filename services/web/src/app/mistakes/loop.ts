// Learn from your mistakes: one mistake of a reviewed game after the other is tried again
// on the board, in the tree of the game. A try that fails is refuted; one that succeeds
// stays as a variation, with the reasons why it is better.

import { isAbort } from '../../api/client';
import type { Comparisons, ReviewedMove } from '../../api/types';
import { annotateMove } from '../../board/annotations';
import type { Node } from '../../model/tree';
import type { Marks } from '../activity';
import type { App } from '../app';
import { Observable } from '../observable';
import { LOSS_MIN } from '../reviewer';
import { storeActivity, type StoredActivity, type Verdict } from '../stored';
import type { View } from '../views';
import { MistakesPanel } from './mistakes-panel';
import { attemptText } from './sentences';

const COMPARE_MS = 1500;

/** A mistake, and how its correction stands. */
export interface Item {
  /** Node of the move that was a mistake. */
  node: Node;
  reviewed: ReviewedMove;
  verdict: Verdict;
}

/** The last try: being checked, as good as the best, better than the game's move, the
 * game's move itself, or none of these. */
export interface Attempt {
  move: string;
  node: Node | null;
  state: 'checking' | 'right' | 'better' | 'same' | 'wrong';
  /** The answer to it, beginning with the reply. */
  refutation: string[];
}

export interface Loop {
  phase: 'reviewing' | 'trying' | 'result';
  /** Seats whose mistakes are shown. */
  seats: string[];
  items: Item[];
  index: number;
  attempt: Attempt | null;
  /** Reasons for the better move and against the game's. */
  why: Comparisons | null;
}

const EMPTY: Loop = { phase: 'reviewing', seats: [], items: [], index: 0, attempt: null, why: null };

/** The loop under way; there is one at a time. */
export const loop = new Observable<Loop>(EMPTY);
let running: MistakesLoop | null = null;
export const current = (): MistakesLoop => running!;

export async function startMistakes(app: App): Promise<void> {
  running?.end();
  running = new MistakesLoop(app);
  await running.start();
}

export async function resumeMistakes(app: App, kept: StoredActivity & { kind: 'mistakes' }): Promise<void> {
  if (!app.reviewer.current()?.summary) return storeActivity(null);
  running = new MistakesLoop(app);
  await running.resume(kept);
}

export class MistakesLoop {
  private readonly root: Node;
  private readonly unwatch: (() => void)[];
  private asking = new AbortController();

  constructor(private readonly app: App) {
    const { session, reviewer } = app;
    this.root = session.table.value!.tree.root;
    this.unwatch = [
      session.table.watch(() => {
        if (session.table.value?.tree.root !== this.root) this.leave();
      }),
      session.view.watch(() => this.follow()),
      reviewer.review.watch(() => this.reviewed()),
    ];
  }

  get item(): Item | null {
    return loop.value.items[loop.value.index] ?? null;
  }

  /** Reviews the game, if that is not done yet, and begins with the first mistake. */
  async start(): Promise<void> {
    const { session, reviewer } = this.app;
    const seats = session.table.value!.variant.seats;
    const people = seats.filter((_, i) => session.table.value!.seats[i] === 'person');
    this.set({ ...EMPTY, seats: people.length > 0 ? people : seats });
    session.intercept = (move, view) => this.take(move, view);
    const review = reviewer.current();
    if (review?.summary) await this.begin();
    else if (!review?.isRunning) await reviewer.start();
  }

  async resume(kept: StoredActivity & { kind: 'mistakes' }): Promise<void> {
    const { session } = this.app;
    const items = this.itemsOf(kept.seats).map((item, i) => ({ ...item, verdict: kept.verdicts[i] ?? 'open' }));
    this.set({ ...EMPTY, seats: kept.seats, items, index: Math.min(kept.index, items.length), phase: kept.isOver ? 'result' : 'trying' });
    session.intercept = (move, view) => this.take(move, view);
    const { item } = this;
    if (!item || kept.isOver) return;
    if (item.verdict !== 'open') return this.explain(item);
    const left = session.view.value?.node;
    if (left?.parent !== item.node.parent) return this.toMistake();
    await this.toMistake();
    if (left && left !== item.node && left.children.length === 0) await session.remove(left);
  }

  /** Chooses whose mistakes to look at. */
  async choose(seats: string[]): Promise<void> {
    this.set({ ...loop.value, seats });
    if (loop.value.phase !== 'reviewing') await this.begin();
  }

  /** Starts at the first mistake. */
  async begin(): Promise<void> {
    const items = this.itemsOf(loop.value.seats);
    this.set({ ...loop.value, items, index: 0, phase: items.length > 0 ? 'trying' : 'result', attempt: null, why: null });
    if (items.length > 0) await this.toMistake();
  }

  /** Shows the position before the mistake. */
  async toMistake(): Promise<void> {
    const { session } = this.app;
    const { item } = this;
    const { attempt } = loop.value;
    if (!item?.node.parent) return;
    this.set({ ...loop.value, attempt: null });
    await session.go(item.node.parent, 'replace');
    await this.forget(item, attempt);
  }

  /** Removes a failed try from the tree, unless it was there before or is played on. */
  private async forget(item: Item, attempt: Attempt | null): Promise<void> {
    const tried = attempt?.node;
    const isKept = !tried || tried === item.node || attempt.state === 'right' || tried.children.length > 0 || this.known.has(tried);
    if (!isKept) await this.app.session.remove(tried);
  }

  /** Plays the better move and explains it. */
  async show(): Promise<void> {
    const { item } = this;
    if (!item) return;
    await this.toMistake();
    this.judge(item, 'shown');
    const { bestLine, bestMove } = item.reviewed;
    this.app.session.addLine(item.node.parent!, bestLine.length > 0 ? bestLine : [bestMove]);
    await this.app.session.advance(bestMove, 'replace');
    await this.explain(item);
  }

  async next(): Promise<void> {
    const { index, items } = loop.value;
    const isLast = index + 1 >= items.length;
    this.set({ ...loop.value, index: index + 1, phase: isLast ? 'result' : 'trying', attempt: null, why: null });
    if (!isLast) await this.toMistake();
  }

  /** Ends the loop; the board stays as it is. */
  leave(): void {
    if (this.app.activity.value?.Panel === MistakesPanel) this.app.activity.value = null;
    else this.end();
  }

  end(): void {
    this.asking.abort();
    this.unwatch.forEach((unwatch) => unwatch());
    if (running !== this) return;
    running = null;
    this.app.session.intercept = null;
    storeActivity(null);
    // The panel is still there while the page is drawn again.
    queueMicrotask(() => {
      if (!running) loop.value = EMPTY;
    });
  }

  // ---- trying -------------------------------------------------------------

  /** Variations that were there before they were tried. */
  private readonly known = new WeakSet<Node>();

  /** Takes over the moves that are made in the position before the mistake. */
  private take(move: string, view: View): boolean {
    const { item } = this;
    const isTry = loop.value.phase === 'trying' && item?.verdict === 'open' && view.node === item.node.parent;
    if (isTry) void this.attempt(item, move, view);
    return isTry;
  }

  private async attempt(item: Item, move: string, view: View): Promise<void> {
    const { session, announcement, moveTexts } = this.app;
    const child = view.node.children.find((it) => it.move === move);
    if (child) this.known.add(child);
    this.set({ ...loop.value, attempt: { move, node: child ?? null, state: 'checking', refutation: [] } });
    const compared = move === item.node.move ? null : this.compare(view, move, item.reviewed.bestMove);
    await session.advance(move, 'replace');
    const node = session.view.value?.node ?? null;
    // The move was refused, or something else is shown by now.
    if (node?.move !== move || node.parent !== view.node) return this.set({ ...loop.value, attempt: null });
    const { state, refutation } = await this.judgement(item, move, view, compared);
    if (this.item !== item || running !== this) return;
    this.set({ ...loop.value, attempt: { move, node, state, refutation } });
    announcement.value = attemptText(loop.value.attempt!, moveTexts.ofNode(node));
    if (state !== 'right') return;
    this.judge(item, 'right');
    await this.explain(this.item!);
  }

  /** Judges a try by comparing it with the best move. */
  private async judgement(item: Item, move: string, view: View, compared: Promise<Comparisons | null> | null): Promise<Pick<Attempt, 'state' | 'refutation'>> {
    const { reviewed } = item;
    const { toMove } = view.position;
    if (move === item.node.move) return { state: 'same', refutation: reviewed.reply ? [reviewed.reply] : [] };
    const comparisons = await compared;
    const of = (text: string) => comparisons?.comparisons.find((it) => it.move === text);
    const own = of(move);
    if (move === reviewed.bestMove) return { state: 'right', refutation: [] };
    if (!own) return { state: 'wrong', refutation: [] };
    const score = own.evaluation.scores[toMove] ?? 0;
    const best = Math.max(of(reviewed.bestMove)?.evaluation.scores[toMove] ?? 0, reviewed.before.scores[toMove] ?? 0);
    const refutation = own.line.length > 1 ? own.line.slice(1) : own.reply ? [own.reply] : [];
    if (best - score < LOSS_MIN) return { state: 'right', refutation };
    const isBetter = score - (reviewed.after.scores[toMove] ?? 0) > reviewed.loss / 2;
    return { state: isBetter ? 'better' : 'wrong', refutation };
  }

  private async compare(view: View, move: string, other: string): Promise<Comparisons | null> {
    const { session: { connection: { client }, table }, helper, moveTexts } = this.app;
    if (move === other || !helper.calls.value?.has('compare')) return null;
    const question = { ...view.question, compareMoves: [move, other], limits: { timeMs: COMPARE_MS } };
    try {
      const compared = await client.compare(table.value!.details.id, question, this.asking.signal);
      moveTexts.keep(view.question, compared.comparisons);
      return compared;
    } catch (error) {
      if (!isAbort(error)) this.app.connection.report(error);
      return null;
    }
  }

  /** Finds out why the better move is better than the one of the game. */
  private async explain(item: Item): Promise<void> {
    const { session } = this.app;
    await session.load(item.node.parent!);
    const before = session.viewAt(item.node.parent!);
    const why = before && (await this.compare(before, item.node.move, item.reviewed.bestMove));
    if (this.item?.node === item.node) this.set({ ...loop.value, why });
  }

  private judge(item: Item, verdict: Verdict): void {
    const items = loop.value.items.map((it) => (it.node === item.node ? { ...it, verdict } : it));
    this.set({ ...loop.value, items });
  }

  // ---- state --------------------------------------------------------------

  private itemsOf(seats: string[]): Item[] {
    const { reviewer } = this.app;
    return reviewer.mistakes().flatMap((node) => {
      const reviewed = reviewer.worse(node);
      return reviewed && seats.includes(reviewed.seat) ? [{ node, reviewed, verdict: 'open' as const }] : [];
    });
  }

  /** Begins once the review is finished. */
  private reviewed(): void {
    if (loop.value.phase !== 'reviewing') return;
    const review = this.app.reviewer.current();
    if (review?.summary && !review.isRunning) void this.begin();
    else if (review && !review.isRunning) this.leave();
  }

  /** Forgets a failed try that was taken back with the board's own buttons. */
  private follow(): void {
    const { attempt } = loop.value;
    const { item } = this;
    if (!item || !attempt?.node || attempt.state === 'checking' || this.app.session.view.value?.node !== item.node.parent) return;
    this.set({ ...loop.value, attempt: null });
    void this.forget(item, attempt);
  }

  private set(value: Loop): void {
    if (running !== this) return;
    loop.value = value;
    const { seats, index, items, phase } = value;
    this.app.activity.value = { Panel: MistakesPanel, hidesAnalysis: phase !== 'result', annotate: (view) => this.annotate(view), end: () => this.end() };
    if (phase === 'reviewing') return;
    storeActivity({ kind: 'mistakes', seats, index, verdicts: items.map((item) => item.verdict), isOver: phase === 'result' });
  }

  private annotate(view: View): Marks | null {
    const { item } = this;
    const { attempt, phase } = loop.value;
    if (!item || phase !== 'trying') return null;
    if (view.node === item.node.parent) {
      const isOpen = item.verdict === 'open';
      return annotateMove(isOpen ? item.node.move : item.reviewed.bestMove, view.reading, isOpen ? 'bad' : 'better');
    }
    const reply = view.node === item.node ? item.reviewed.reply : attempt?.node === view.node && attempt.state !== 'right' ? attempt.refutation[0] : '';
    return reply ? annotateMove(reply, view.reading, 'bad') : null;
  }
}
