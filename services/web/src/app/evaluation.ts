// Evaluations in words and numbers.

import type { Evaluation } from '../api/types';
import { movesOf } from '../model/numbering';
import type { Session } from './session';
import { settings, words } from './settings';

export const percent = (score: number): string => `${Math.round(score * 100)} %`;

/** "White: win in 3 moves, proven" or "White 63 %, estimate". */
export function evaluationText(evaluation: Evaluation, session: Session): string {
  const w = words();
  const seats = session.table.value?.variant.seats ?? Object.keys(evaluation.scores);
  const scores = seats.map((seat) => `${session.seatName(seat)} ${percent(evaluation.scores[seat] ?? 0)}`).join(', ');
  return evaluation.certainty === 'proven' ? `${provenText(evaluation, session)}, ${w.proven}` : `${scores}, ${w.estimate}`;
}

/** Returns the proven result, for the seats that it favours. */
export function provenText(evaluation: Evaluation, session: Session): string {
  const w = words();
  const finished = session.finished();
  const playing = Object.keys(evaluation.scores).filter((seat) => !finished.has(seat));
  if (playing.length === 0) return session.view.value?.position.outcome?.text ?? '';
  const best = Math.max(...playing.map((seat) => evaluation.scores[seat]!));
  const winners = playing.filter((seat) => evaluation.scores[seat] === best);
  const plies = !evaluation.pliesToEnd || best < 0.01 ? '' : ` ${w.inMoves(movesOf(evaluation.pliesToEnd, playing.length))}`;
  if (finished.size > 0 && winners.length === 1) return `${session.seatName(winners[0]!)}: ${w.place(finished.size + 1)}${plies}`;
  if (best > 0.99) return `${winners.map((seat) => session.seatName(seat)).join(', ')}: ${w.win}${plies}`;
  return winners.length === playing.length ? w.draw : `${winners.map((seat) => session.seatName(seat)).join(', ')}: ${percent(best)}`;
}

/** Short, for lists: "+3", "=", "−4" where proven, else a percentage. */
export function shortValue(evaluation: Evaluation, seat: string, nFinished = 0): string {
  const score = evaluation.scores[seat] ?? 0;
  if (evaluation.certainty === 'estimate') return percent(score);
  const nSeats = Object.keys(evaluation.scores).length;
  const n = evaluation.pliesToEnd === null ? '' : String(movesOf(evaluation.pliesToEnd, nSeats - nFinished));
  if (score > 0.99) return `+${n}`;
  if (score < 0.01) return `−${n}`;
  // Among more than two seats half a point may be a place.
  return nSeats > 2 ? percent(score) : '=';
}

/** Cached: creating a formatter takes longer than the rest of an update. */
let compact: { language: string; format: Intl.NumberFormat } | null = null;

export function count(n: number): string {
  const { language } = settings.value;
  if (compact?.language !== language) {
    compact = { language, format: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }) };
  }
  return compact.format.format(n);
}
