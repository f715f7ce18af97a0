// Puzzles: positions with one right answer, found by the server, and mistakes of a
// review to try again. A wrong try is answered by its refutation.

import { isAbort } from '../api/client';
import type { Puzzle as FoundPuzzle } from '../api/types';
import type { Linked } from '../model/link';
import { beginsWith } from '../model/puzzle-set';
import { Tree, type Node } from '../model/tree';
import { Observable } from './observable';
import type { Helper } from './helper';
import type { MoveTexts } from './move-texts';
import type { Session } from './session';
import type { Table, View } from './views';

const SEARCH_MS = 20_000;
const REPLY_MS = 1500;

/** A puzzle of the server, a stored one, which has an id, or a mistake of a review in the
 * same form. */
export type Puzzle = Omit<FoundPuzzle, 'key' | 'moveIndex'> & { id?: string; prefix?: string };

export interface Try {
  puzzle: Puzzle;
  number: number;
  state: 'open' | 'right' | 'wrong' | 'solved';
  /** The last move tried, and its refutation if it was wrong. */
  move: string;
  refutation: string[];
  /** Whether the wrong move also wins, but not in time. */
  isSlower?: boolean;
}

export class Puzzler {
  readonly puzzles = new Observable<Puzzle[]>([]);
  readonly isLooking = new Observable(false);
  readonly hasLooked = new Observable(false);
  readonly current = new Observable<Try | null>(null);
  /** Called when a puzzle is solved, and when a wrong move is played or the solution shown. */
  onResult: (puzzle: Puzzle, isSolved: boolean) => void = () => undefined;
  private looking: AbortController | null = null;
  /** Game to return to after the puzzle. */
  private home: { table: Table; node: Node } | null = null;

  constructor(
    private readonly session: Session,
    private readonly helper: Helper,
    private readonly moveTexts: MoveTexts,
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
    // With more than two sides a forced win is one in a single move.
    const nSides = new Set(Object.values(variant.sides)).size;
    const question = { variant: variant.id, ...game, count: 5, totalTimeMs: SEARCH_MS, ...(nSides > 2 ? { maxPlies: 1 } : {}) };
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
    const linked: Linked = { game: table.details.id, variant: table.variant.id, position: puzzle.position, tree, node: tree.root, seats, puzzle: puzzle.id ?? null };
    this.takeMoves();
    await this.session.showGame(linked, isNew ? 'push' : 'replace');
  }

  /** Goes on with a puzzle whose position is shown already, after a reload or by a link. */
  async resume(puzzle: Puzzle, number: number): Promise<void> {
    const node = this.session.view.value?.node;
    const root = this.session.table.value?.tree.root;
    if (!node || !root) return;
    const played = node.moves;
    const isOn = played.length > 0 && played.length % 2 === 0 && puzzle.solutions.some((line) => line.length > played.length && played.every((it, i) => line[i] === it));
    this.home = null;
    this.current.value = { puzzle, number, state: isOn ? 'right' : 'open', move: isOn ? played.at(-2)! : '', refutation: [] };
    this.takeMoves();
    if (!isOn && node !== root) await this.open(puzzle, number);
  }

  private takeMoves(): void {
    this.session.intercept = (move, view) => {
      void this.attempt(move, view);
      return true;
    };
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
    this.onResult(current.puzzle, false);
    await this.session.go(root);
    const [line = []] = current.puzzle.solutions;
    this.session.addLine(root, line);
    this.current.value = { ...current, state: 'solved', refutation: [] };
    if (line[0]) await this.session.advance(line[0]);
  }

  async leave(): Promise<void> {
    this.drop();
    const { table } = this.session;
    if (this.home) await this.session.restore(this.home.table, this.home.node);
    else if (table.value) await this.session.start(table.value.details.id, table.value.variant.id, [], null, 'replace');
  }

  /** Ends the puzzle because another game is shown. */
  drop(): void {
    this.current.value = null;
    this.session.intercept = null;
  }

  private async attempt(move: string, view: View): Promise<void> {
    const current = this.current.value;
    if (!current) return;
    // After the solution the board is free.
    if (current.state === 'solved') return this.session.advance(move);
    const played = [...view.node.moves, move];
    const goesOn = current.puzzle.solutions.filter((line) => played.every((it, i) => line[i] === it));
    const isFirst = played.length === 1;
    const { firstMoves, prefix } = current.puzzle;
    const isListed = isFirst && (firstMoves.includes(move) || (prefix !== undefined && beginsWith(move, prefix)));
    const isRight = goesOn.length > 0 || isListed || (await this.isAsGood(move, view, isFirst));
    await this.session.advance(move, 'replace');
    const outcome = this.session.view.value?.position.outcome;
    // There may be more ways to win than those listed.
    const hasWon = (!isFirst || current.puzzle.pliesToEnd > 0) && (outcome?.scores[view.position.toMove] ?? 0) > 0.99;
    const left = current.puzzle.pliesToEnd - played.length;
    const defence = !outcome && left > 0 && goesOn.length === 0 && (isRight || !isFirst || current.puzzle.id) ? await this.defence(view.position.toMove, left) : null;
    if (!isRight && !hasWon && !defence) return this.refute(move, view.position.toMove);
    const reply = defence ?? goesOn.map((line) => line[played.length]).find((it) => it !== undefined);
    if (reply === undefined || outcome) return this.finish(current, move);
    this.current.value = { ...current, state: 'right', move, refutation: [] };
    await this.session.advance(reply, 'replace');
    const isOver = this.session.view.value?.position.outcome || (!defence && !goesOn.some((line) => line[played.length] === reply && line.length > played.length + 1));
    if (isOver) this.finish(current, move);
  }

  private finish(current: Try, move: string): void {
    this.current.value = { ...current, state: 'solved', move, refutation: [] };
    this.onResult(current.puzzle, true);
  }

  /** Returns the longest defence of the position shown, if the seat that has just moved has
   * proven to win within these plies. */
  private async defence(seat: string, plies: number): Promise<string | null> {
    const { view, table, connection: { client } } = this.session;
    const { hints: [best] } = await client.hints(table.value!.details.id, { ...view.value!.question, count: 1, limits: { timeMs: REPLY_MS } });
    this.moveTexts.keep(view.value!.question, [best!]);
    const { certainty, scores, pliesToEnd } = best!.evaluation;
    const isWon = certainty === 'proven' && (scores[seat] ?? 0) > 0.99 && pliesToEnd !== null && pliesToEnd <= plies;
    return isWon ? best!.move : null;
  }

  /** Returns whether another move than the one the review names is as good as it. */
  private async isAsGood(move: string, view: View, isFirst: boolean): Promise<boolean> {
    if (!isFirst || this.current.value?.number !== 0) return false;
    const compared = await this.helper.compare(view, move).catch(() => null);
    if (!compared) return false;
    const score = (text: string) => compared.comparisons.find((it) => it.move === text)?.evaluation.scores[view.position.toMove] ?? 0;
    return Math.max(...compared.comparisons.map((it) => score(it.move))) - score(move) < 0.02;
  }

  private async refute(move: string, seat: string): Promise<void> {
    const current = this.current.value;
    const view = this.session.view.value;
    if (!current || !view) return;
    this.current.value = { ...current, state: 'wrong', move, refutation: [], isSlower: false };
    this.onResult(current.puzzle, false);
    if (view.position.outcome) return;
    try {
      const { id } = this.session.table.value!.details;
      const { hints } = await this.session.connection.client.hints(id, { ...view.question, count: 1, limits: { timeMs: REPLY_MS } });
      this.moveTexts.keep(view.question, hints);
      const [best] = hints;
      const isSlower = best?.evaluation.certainty === 'proven' && (best.evaluation.scores[seat] ?? 0) > 0.99;
      if (this.current.value?.move === move) this.current.value = { ...this.current.value, refutation: isSlower ? [] : best?.line ?? [], isSlower };
    } catch (error) {
      this.session.connection.report(error);
    }
  }
}
