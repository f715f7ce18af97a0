// The story of a review in the reader's language.

import { learnWords } from '../../text/learn';
import { largestTurns, storyOf, type Story, type Turn } from '../../model/story';
import type { Node } from '../../model/tree';
import type { Scores } from '../../api/types';
import { percent } from '../evaluation';
import { inWords } from '../move-texts';
import type { Review } from '../reviewer';
import type { Session } from '../session';
import { words } from '../settings';

export interface Sentence {
  text: string;
  /** The move that it is about. */
  node: Node | null;
}

/** Expected scores before the first move and after each, as far as known. */
export function scoresOf(review: Review): (Scores | null)[] {
  if (review.summary?.scores.length === review.path.length) return review.summary.scores;
  return review.path.map((node, i) => review.moves.get(node)?.after.scores ?? review.moves.get(review.path[i + 1]!)?.before.scores ?? null);
}

/** Returns the nodes of the largest turning points, in playing order. */
export function turningNodes(review: Review): Node[] {
  const moves = review.path.slice(1).map((node) => review.moves.get(node) ?? null);
  return largestTurns(moves, review.summary?.turningPoints ?? []).map((turn) => review.path[turn.index + 1]!);
}

export function sentencesOf(review: Review, session: Session): Sentence[] {
  const { seats } = session.table.value!.variant;
  const moves = review.path.slice(1).map((node) => review.moves.get(node) ?? null);
  const story = storyOf({ seats, moves, scores: scoresOf(review), turningPoints: review.summary?.turningPoints ?? [] });
  const round = (index: number) => Math.floor(index / seats.length) + 1;
  return [
    { text: openingText(story, session, round), node: null },
    ...story.turns.map((turn) => ({ text: turnText(turn, session, round(turn.index)), node: review.path[turn.index + 1]! })),
    { text: endText(story, review, session, round(moves.length - 1)), node: null },
  ];
}

function openingText({ firstMistake, leader }: Story, session: Session, round: (index: number) => number): string {
  const { review } = learnWords();
  if (firstMistake === null) return review.flawless;
  const n = round(firstMistake);
  if (n < 3) return review.early(n);
  const standing = leader ? review.ahead(session.seatName(leader.seat), percent(leader.score)) : review.even;
  return `${review.quiet(n - 1)} ${standing}`;
}

function turnText(turn: Turn, session: Session, n: number): string {
  const { review } = learnWords();
  const seat = session.seatName(turn.seat);
  const better = turn.best === '' ? '' : ` ${review.better(inWords(turn.best, turn.bestText))}`;
  if (turn.before === 'win' && turn.after === 'loss') return review.winToLoss(n, seat) + better;
  if (turn.before === 'win' && turn.after === 'draw') return review.winToDraw(n, seat) + better;
  if (turn.before === 'draw' && turn.after === 'loss') return review.drawToLoss(n, seat) + better;
  return review.drop(n, seat, percent(turn.from), percent(turn.to)) + better;
}

function endText({ last, mistakes }: Story, review: Review, session: Session, n: number): string {
  const { review: r } = learnWords();
  const outcome = session.positionAt(review.path.at(-1)!)?.outcome;
  const open = last ? r.openAhead(session.seatName(last.seat), percent(last.score)) : r.openEven;
  const end = outcome ? `${fullStop(outcome.text)} ${r.ended(n)}` : open;
  const counts = mistakes.map(({ seat, n: count }) => `${session.seatName(seat)} ${count}`).join(', ');
  return mistakes.some((it) => it.n > 0) ? `${end} ${words().mistakes}: ${counts}.` : end;
}

const fullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
