// One value per move, from several searches of a position: that of its line, if it has one.
// Other moves are no better than the last line, so a shallower search's higher estimate is
// reduced to that.

import type { Evaluation, Hint } from '../api/types';

/** Returns the lines, then the other moves, each move once. */
export function mergedValues(lines: readonly Hint[], others: readonly Hint[], seat: string): Hint[] {
  const known = new Set(lines.flatMap((hint) => [hint.move, ...hint.equivalents]));
  const last = lines.at(-1)?.evaluation.scores[seat] ?? 1;
  const rest = others.filter((hint) => !known.has(hint.move));
  return [...lines, ...rest.map((hint) => ({ ...hint, evaluation: atMost(hint.evaluation, seat, last) }))];
}

/** Returns the value of a move that may be one of the lines. */
export function mergedValue(lines: readonly Hint[], move: string, own: Evaluation, seat: string): Evaluation {
  const line = lines.find((hint) => hint.move === move || hint.equivalents.includes(move));
  return line?.evaluation ?? atMost(own, seat, lines.at(-1)?.evaluation.scores[seat] ?? 1);
}

function atMost(evaluation: Evaluation, seat: string, max: number): Evaluation {
  const score = evaluation.scores[seat] ?? 0;
  if (evaluation.certainty === 'proven' || score <= max) return evaluation;
  const others = score < 1 ? (1 - max) / (1 - score) : 0;
  const scores = Object.fromEntries(Object.entries(evaluation.scores).map(([it, value]) => [it, it === seat ? max : value * others]));
  const n = Object.keys(scores).length - 1;
  if (score >= 1) for (const it of Object.keys(scores)) if (it !== seat) scores[it] = (1 - max) / n;
  return { ...evaluation, scores };
}
