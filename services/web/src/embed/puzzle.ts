// A stored puzzle on an embedded board.

import type { Client } from '../api/client';
import type { Position } from '../api/types';
import { PuzzleFiles } from '../model/puzzle-files';
import { beginsWith, dailyPuzzle, type StoredPuzzle } from '../model/puzzle-set';

const REPLY_MS = 1500;

export type PuzzleState = 'open' | 'right' | 'wrong' | 'solved';

/** What follows a move. */
export interface Judgement {
  state: PuzzleState;
  /** The defence to play. */
  reply: string | null;
}

/** Returns the puzzle that `name` names: an id, `daily`, or `random`. */
export async function findPuzzle(server: string, game: string, variant: string, name: string): Promise<StoredPuzzle | null> {
  const set = await new PuzzleFiles(server).set(game, variant);
  if (!set) return null;
  if (name === 'daily') return dailyPuzzle(set, new Date());
  if (name === 'random') return set.puzzles[Math.floor(Math.random() * set.puzzles.length)] ?? null;
  return set.puzzles.find((puzzle) => puzzle.id === name) ?? null;
}

/** Judges the moves of a puzzle, the last of which led to a position. A move that the puzzle
 * does not list is right if the server proves that it wins in time. */
export async function judge(client: Client, game: string, variant: string, puzzle: StoredPuzzle, moves: string[], after: Position): Promise<Judgement> {
  if (after.outcome) return { state: (after.outcome.scores[puzzle.toMove] ?? 0) > 0.99 ? 'solved' : 'wrong', reply: null };
  const isListed = moves.length === 1 && (puzzle.firstMoves.includes(moves[0]!) || (puzzle.prefix !== undefined && beginsWith(moves[0]!, puzzle.prefix)));
  const left = puzzle.pliesToEnd - moves.length;
  if (left <= 0) return { state: isListed ? 'solved' : 'wrong', reply: null };
  if (moves.every((move, i) => puzzle.line[i] === move)) return { state: 'right', reply: puzzle.line[moves.length]! };
  const { hints: [best] } = await client.hints(game, { variant, position: after.position, count: 1, limits: { timeMs: REPLY_MS } });
  const { certainty, scores, pliesToEnd } = best!.evaluation;
  const isWon = certainty === 'proven' && (scores[puzzle.toMove] ?? 0) > 0.99 && pliesToEnd !== null && pliesToEnd <= left;
  return isListed || isWon ? { state: 'right', reply: best!.move } : { state: 'wrong', reply: null };
}
