// Reviews the line shown, move by move.

import { isAbort } from '../api/client';
import type { MoveLabel, ReviewedMove, ReviewMessage, ReviewSummary } from '../api/types';
import type { Node } from '../model/tree';
import { Observable } from './observable';
import type { MoveTexts } from './move-texts';
import type { Session } from './session';
import { storedReview, storeReview } from './stored';

const MOVE_MS = 600;
const TOTAL_MS = 60_000;
/** Expected points below which no other move is called better. */
export const LOSS_MIN = 0.02;
const MISTAKES = new Set<MoveLabel>(['inaccuracy', 'mistake', 'blunder', 'missed_win']);

export interface Review {
  /** Nodes of the line, starting with the root. */
  path: Node[];
  moves: Map<Node, ReviewedMove>;
  done: number;
  total: number;
  isRunning: boolean;
  summary: ReviewSummary | null;
}

export class Reviewer {
  readonly review = new Observable<Review | null>(null);
  private running: AbortController | null = null;

  constructor(
    private readonly session: Session,
    private readonly moveTexts: MoveTexts,
  ) {
    // A finished review is kept, because its game may return after a puzzle.
    session.table.watch(() => {
      if (this.review.value?.isRunning && !this.current()) this.stop();
      if (!this.current()) this.restore();
    });
  }

  /** Returns the review of the game shown. */
  current(): Review | null {
    const review = this.review.value;
    return review && review.path[0] === this.session.table.value?.tree.root ? review : null;
  }

  stop(): void {
    this.running?.abort();
    this.running = null;
    this.review.value = null;
  }

  async start(): Promise<void> {
    const { table, view, connection: { client } } = this.session;
    if (!table.value || !view.value) return;
    this.stop();
    this.running = new AbortController();
    const { signal } = this.running;
    const { details, variant, position, tree } = table.value;
    const path = tree.tip(view.value.node).path;
    const moves = path.slice(1).map((node) => node.move);
    const start = position === null ? {} : { position };
    const question = { variant: variant.id, ...start, moves, limits: { timeMs: MOVE_MS }, totalTimeMs: TOTAL_MS };
    this.review.value = { path, moves: new Map(), done: 0, total: moves.length, isRunning: true, summary: null };
    try {
      await this.session.connection.untilReached(async (s) => {
        for await (const message of client.review(details.id, question, s)) this.take(message, signal);
      }, signal);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.session.connection.report(error);
    }
    if (signal.aborted || !this.review.value) return;
    this.review.value = { ...this.review.value, isRunning: false };
    this.keep();
  }

  private keepTexts(node: Node, { move, moveText, bestMove, bestMoveText, reply, replyText }: ReviewedMove): void {
    const before = node.parent && this.session.positionAt(node.parent);
    const after = this.session.positionAt(node);
    const { variant } = this.session.table.value!;
    if (before) this.moveTexts.keep({ variant: variant.id, position: before.position }, [{ move, moveText }, { move: bestMove, moveText: bestMoveText }]);
    if (after) this.moveTexts.keep({ variant: variant.id, position: after.position }, [{ move: reply, moveText: replyText }]);
  }

  /** Keeps a finished review for a reload of the page. */
  private keep(): void {
    const review = this.current();
    if (!review?.summary) return;
    const moves = review.path.slice(1).map((node) => review.moves.get(node) ?? null);
    storeReview({ key: this.keyOf(review.path), moves, summary: review.summary });
  }

  /** Shows the kept review again, if it is one of the game shown. */
  private restore(): void {
    const table = this.session.table.value;
    const kept = storedReview();
    if (!table || !kept) return;
    const path = table.tree.all().map((node) => node.path).find((it) => this.keyOf(it) === kept.key);
    if (!path) return;
    const moves = new Map(path.slice(1).flatMap((node, i) => (kept.moves[i] ? [[node, kept.moves[i]] as const] : [])));
    this.review.value = { path, moves, done: path.length - 1, total: path.length - 1, isRunning: false, summary: kept.summary };
  }

  private keyOf(path: Node[]): string {
    const { details, variant, position } = this.session.table.value!;
    return JSON.stringify([details.id, variant.id, position, path.slice(1).map((node) => node.move)]);
  }

  /** Returns the mistakes in playing order. */
  mistakes(): Node[] {
    return this.current()?.path.filter((node) => MISTAKES.has(this.labelOf(node) as MoveLabel)) ?? [];
  }

  /** Returns the review of a move for which there was a better one. */
  worse(node: Node): ReviewedMove | null {
    const reviewed = this.current()?.moves.get(node);
    const isWorse = reviewed && reviewed.bestMove !== '' && reviewed.bestMove !== node.move && reviewed.loss > LOSS_MIN;
    return isWorse ? reviewed : null;
  }

  labelOf(node: Node): MoveLabel | null {
    return this.current()?.moves.get(node)?.label ?? null;
  }

  private take(message: ReviewMessage, signal: AbortSignal): void {
    const review = this.review.value;
    if (signal.aborted || !review) return;
    if ('move' in message) {
      const node = review.path[message.move.index + 1];
      const moves = new Map(review.moves);
      if (node) {
        moves.set(node, message.move);
        this.keepTexts(node, message.move);
      }
      this.review.value = { ...review, moves, done: Math.max(review.done, moves.size) };
    } else if ('progress' in message) {
      this.review.value = { ...review, done: message.progress.done, total: message.progress.total };
    } else if ('summary' in message) {
      this.review.value = { ...review, summary: message.summary };
    }
  }
}
