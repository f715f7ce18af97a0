// The story of a reviewed game as facts: how it began, where it turned, how it ended. The
// words for them are in text/learn.

import type { MoveLabel, ReviewedMove, Scores } from '../api/types';

/** Turning points that a story has at most. */
const TURNS_MAX = 3;
/** Percent of a point that a turning point costs at least. */
const TURN_MIN = 10;
/** Distance from the mean below which a position is even. */
const EVEN = 0.06;
const MISTAKES = new Set<MoveLabel>(['mistake', 'blunder', 'missed_win']);

export interface StoryInput {
  seats: string[];
  /** In playing order; null for moves that were not reviewed. */
  moves: (ReviewedMove | null)[];
  /** Before the first move and after each. */
  scores: (Scores | null)[];
  /** Indices of the moves that gave the lead away. */
  turningPoints: number[];
}

export interface Turn {
  /** Index of the move. */
  index: number;
  seat: string;
  move: string;
  best: string;
  /** Words for the best move. */
  bestText: string;
  /** Expected score of the mover before and after. */
  from: number;
  to: number;
  /** What was proven before and after; an estimate otherwise. */
  before: Result;
  after: Result;
}

export type Result = 'win' | 'draw' | 'loss' | 'estimate';

export interface Story {
  /** Index of the first mistake; null if there is none. */
  firstMistake: number | null;
  /** Who is ahead before the first mistake, or at the end if there is none; null if
   * nobody is. */
  leader: { seat: string; score: number } | null;
  /** At most three, the largest of the game, in playing order. */
  turns: Turn[];
  /** Who is ahead after the last move; null if nobody is. */
  last: { seat: string; score: number } | null;
  /** Number of mistakes of each seat. */
  mistakes: { seat: string; n: number }[];
}

export function storyOf({ seats, moves, scores, turningPoints }: StoryInput): Story {
  const isMistake = (reviewed: ReviewedMove | null) => reviewed !== null && MISTAKES.has(reviewed.label as MoveLabel);
  const first = moves.findIndex(isMistake);
  return {
    firstMistake: first < 0 ? null : first,
    leader: leaderOf(scores[first < 0 ? scores.length - 1 : first] ?? null),
    turns: largestTurns(moves, turningPoints),
    last: leaderOf(scores.at(-1) ?? null),
    mistakes: seats.map((seat) => ({ seat, n: moves.filter((it) => isMistake(it) && it!.seat === seat).length })),
  };
}

/** Returns the moves that cost most, at most three, in playing order. Of equal ones those
 * that gave the lead away count, then the later ones. */
export function largestTurns(moves: (ReviewedMove | null)[], turningPoints: number[]): Turn[] {
  const gaveLead = new Set(turningPoints);
  const turns = moves.flatMap((reviewed, index) => {
    const isTurn = reviewed && (gaveLead.has(index) || MISTAKES.has(reviewed.label as MoveLabel));
    return isTurn ? [turnOf(reviewed, index)] : [];
  });
  const size = ({ from, to }: Turn) => Math.round((from - to) * 100);
  const rank = (a: Turn, b: Turn) => size(b) - size(a) || Number(gaveLead.has(b.index)) - Number(gaveLead.has(a.index)) || b.index - a.index;
  return turns.filter((turn) => size(turn) >= TURN_MIN).sort(rank).slice(0, TURNS_MAX).sort((a, b) => a.index - b.index);
}

function turnOf({ seat, move, bestMove, bestMoveText, before, after }: ReviewedMove, index: number): Turn {
  const best = bestMove === move ? '' : bestMove;
  return { index, seat, move, best, bestText: bestMoveText, from: before.scores[seat] ?? 0, to: after.scores[seat] ?? 0, before: resultOf(before, seat), after: resultOf(after, seat) };
}

function resultOf({ certainty, scores }: ReviewedMove['before'], seat: string): Result {
  const score = scores[seat] ?? 0;
  if (certainty !== 'proven') return 'estimate';
  if (score > 0.99) return 'win';
  if (score < 0.01) return 'loss';
  return Object.keys(scores).length === 2 ? 'draw' : 'estimate';
}

function leaderOf(scores: Scores | null): { seat: string; score: number } | null {
  const ranked = Object.entries(scores ?? {}).sort(([, a], [, b]) => b - a);
  const [first] = ranked;
  if (!first || first[1] - 1 / ranked.length < EVEN) return null;
  return { seat: first[0], score: first[1] };
}
