// Puzzles: positions with one right answer, found by the server, and mistakes of a
// review to try again. A wrong try is answered by its refutation.

import { isAbort } from '../api/client';
import type { Puzzle as FoundPuzzle } from '../api/types';
import type { Linked } from '../model/link';
import { Tree, type Node } from '../model/tree';
import { Observable } from './observable';
import type { Helper } from './helper';
import type { Session } from './session';
import type { Table, View } from './views';

const SEARCH_MS = 20_000;
const REPLY_MS = 1500;

/** A puzzle of the server, or a mistake of a review in the same form. */
export type Puzzle = Omit<FoundPuzzle, 'key' | 'moveIndex'>;

export interface Try {
  puzzle: Puzzle;
  number: number;
  state: 'open' | 'right' | 'wrong' | 'solved';
  /** The last move tried, and its refutation if it was wrong. */
  move: string;
  refutation: string[];
}

export class Puzzler {
  readonly puzzles = new Observable<Puzzle[]>([]);
  readonly isLooking = new Observable(false);
  readonly hasLooked = new Observable(false);
  readonly current = new Observable<Try | null>(null);
  private looking: AbortController | null = null;
  /** Game to return to after the puzzle. */
  private home: { table: Table; node: Node } | null = null;

  constructor(
    private readonly session: Session,
    private readonly helper: Helper,
  ) {}

  /** Looks for puzzles, in the game shown or in games that the server plays. */
  async find(inGame: boolean): Promise<void> {
    const { table, view, connection: { client } } = this.session;
    if (!table.value || !view.value) return;
    this.looking?.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    const { details, variant, position, tree } = table.value;
    const game = inGame ? { moves: tree.tip(view.value.node).moves, ...(position === null ? {} : { position }) } : {};
    const question = { variant: variant.id, ...game, count: 5, totalTimeMs: SEARCH_MS };
    this.puzzles.value = [];
    this.isLooking.value = true;
    this.hasLooked.value = false;
    try {
      await this.session.connection.untilReached(async (s) => {
        for await (const message of client.puzzles(details.id, question, s)) {
          if ('puzzle' in message) this.puzzles.value = [...this.puzzles.value, message.puzzle];
        }
      }, signal);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.session.connection.report(error);
    }
    this.isLooking.value = false;
    this.hasLooked.value = true;
  }

  async open(puzzle: Puzzle, number: number): Promise<void> {
    const table = this.session.table.value!;
    // A history entry of its own: the back button returns to the game.
    const isNew = !this.current.value;
    if (isNew) this.home = { table, node: this.session.view.value!.node };
    this.current.value = { puzzle, number, state: 'open', move: '', refutation: [] };
    const tree = new Tree();
    const seats = table.variant.seats.map(() => 'person' as const);
    const linked: Linked = { game: table.details.id, variant: table.variant.id, position: puzzle.position, tree, node: tree.root, seats };
    this.session.intercept = (move, view) => {
      void this.attempt(move, view);
      return true;
    };
    await this.session.showGame(linked, isNew ? 'push' : 'replace');
  }

  /** Opens a mistake of a review as a puzzle of one move. */
  retry(position: string, toMove: string, bestMove: string, bestLine: string[]): Promise<void> {
    const line = bestLine.length > 0 ? bestLine : [bestMove];
    return this.open({ position, toMove, solutions: [line.slice(0, 1)], theme: '', difficulty: 0, pliesToEnd: 0, firstMoves: [bestMove] }, 0);
  }

  async again(): Promise<void> {
    const current = this.current.value;
    if (current) await this.open(current.puzzle, current.number);
  }

  async showSolution(): Promise<void> {
    const current = this.current.value;
    const root = this.session.table.value?.tree.root;
    if (!current || !root) return;
    this.session.intercept = null;
    await this.session.go(root);
    const [line = []] = current.puzzle.solutions;
    this.session.addLine(root, line);
    this.current.value = { ...current, state: 'solved', refutation: [] };
    if (line[0]) await this.session.advance(line[0]);
  }

  async leave(): Promise<void> {
    this.drop();
    if (this.home) await this.session.restore(this.home.table, this.home.node);
  }

  /** Ends the puzzle because another game is shown. */
  drop(): void {
    this.current.value = null;
    this.session.intercept = null;
  }

  private async attempt(move: string, view: View): Promise<void> {
    const current = this.current.value;
    if (!current) return;
    const played = [...view.node.moves, move];
    const goesOn = current.puzzle.solutions.filter((line) => played.every((it, i) => line[i] === it));
    const isFirst = played.length === 1;
    const isRight = goesOn.length > 0 || (isFirst && current.puzzle.firstMoves.includes(move)) || (await this.isAsGood(move, view, isFirst));
    await this.session.advance(move, 'replace');
    const outcome = this.session.view.value?.position.outcome;
    // After the first move there may be more ways to win than those listed.
    const hasWon = !isFirst && (outcome?.scores[view.position.toMove] ?? 0) > 0.99;
    if (!isRight && !hasWon) return this.refute(move);
    const reply = goesOn.map((line) => line[played.length]).find((it) => it !== undefined);
    if (reply === undefined || outcome) {
      this.current.value = { ...current, state: 'solved', move, refutation: [] };
      return;
    }
    this.current.value = { ...current, state: 'right', move, refutation: [] };
    await this.session.advance(reply, 'replace');
    const isOver = !goesOn.some((line) => line[played.length] === reply && line.length > played.length + 1);
    if (isOver) this.current.value = { ...current, state: 'solved', move, refutation: [] };
  }

  /** Returns whether another move than the one the review names is as good as it. */
  private async isAsGood(move: string, view: View, isFirst: boolean): Promise<boolean> {
    if (!isFirst || this.current.value?.number !== 0) return false;
    const compared = await this.helper.compare(view, move).catch(() => null);
    if (!compared) return false;
    const score = (text: string) => compared.comparisons.find((it) => it.move === text)?.evaluation.scores[view.position.toMove] ?? 0;
    return Math.max(...compared.comparisons.map((it) => score(it.move))) - score(move) < 0.02;
  }

  private async refute(move: string): Promise<void> {
    const current = this.current.value;
    const view = this.session.view.value;
    if (!current || !view) return;
    this.current.value = { ...current, state: 'wrong', move, refutation: [] };
    if (view.position.outcome) return;
    try {
      const { id } = this.session.table.value!.details;
      const { hints } = await this.session.connection.client.hints(id, { ...view.question, count: 1, limits: { timeMs: REPLY_MS } });
      if (this.current.value?.move === move) this.current.value = { ...this.current.value, refutation: hints[0]?.line ?? [] };
    } catch (error) {
      this.session.connection.report(error);
    }
  }
}
