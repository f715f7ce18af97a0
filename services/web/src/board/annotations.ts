// Annotations of a position: the last move, hints, threats, values.

import type { Hint, Pieces } from '../api/types';
import type { Mark } from '../model/notes';
import { follows, nextChoice, placeOf, steps, textOf, type Choice, type Reading } from '../model/choice';

export type Tone = 'hint' | 'threat' | 'stop' | 'area' | 'reason' | 'bad' | 'better';

export interface Arrow {
  from: string;
  to: string;
  tone: Tone;
}

/** The value of a choice, shown at its place. */
export interface PlaceValue {
  kind: 'win' | 'draw' | 'loss' | 'estimate';
  /** Expected score of the mover. */
  score: number;
  pliesToEnd: number | null;
}

export interface Annotations {
  last: string[];
  /** Blocks that the last move turned or flipped; the direction of a turn is `r` or `l`. */
  lastBlocks: { block: string; suffix: string }[];
  /** Points of the line that ended the game, or finished a seat. */
  winning: string[];
  rings: { point: string; tone: Tone }[];
  arrows: Arrow[];
  turns: { block: string; suffix: string; tone: Tone }[];
  values: Map<string, PlaceValue>;
  /** Circles and arrows that the reader has drawn. */
  drawn: Mark[];
  /** Pieces of a previewed line, drawn instead of the position's. */
  preview: Pieces | null;
}

export const NO_ANNOTATIONS: Annotations = { last: [], lastBlocks: [], winning: [], rings: [], arrows: [], turns: [], values: new Map(), drawn: [], preview: null };

/** Returns a move as rings, arrows and turns. */
export function annotateMove(move: string, reading: Reading, tone: Tone): Pick<Annotations, 'rings' | 'arrows' | 'turns'> {
  const annotations: Pick<Annotations, 'rings' | 'arrows' | 'turns'> = { rings: [], arrows: [], turns: [] };
  let previous: string | null = null;
  for (const step of steps(move, reading)) {
    if (step.kind === 'turn' || step.kind === 'block' || step.kind === 'side') {
      annotations.turns.push({ block: step.block ?? step.word, suffix: step.suffix ?? '', tone });
    } else if (step.point !== undefined) {
      if (previous !== null && step.point !== previous && !step.lead.startsWith('+')) {
        annotations.arrows.push({ from: previous, to: step.point, tone });
      }
      annotations.rings.push({ point: step.point, tone });
      previous = step.point;
    }
  }
  return annotations;
}

/** Returns, for each choice after some steps, the value of the best move with it. */
export function valuesAfter(hints: Hint[], chosen: readonly Choice[], reading: Reading): Map<string, PlaceValue> {
  const values = new Map<string, PlaceValue>();
  const at = textOf(chosen).length;
  for (const hint of hints) {
    const value = valueOf(hint, reading.toMove);
    for (const move of [hint.move, ...hint.equivalents]) {
      if (move === '' || !follows(move, chosen)) continue;
      const place = placeOf(nextChoice(move, at, reading));
      const known = values.get(place);
      if (!known || rank(value) > rank(known)) values.set(place, value);
    }
  }
  return values;
}

function valueOf({ evaluation }: Hint, seat: string): PlaceValue {
  const score = evaluation.scores[seat] ?? 0;
  const proven = evaluation.certainty === 'proven';
  const kind = !proven ? 'estimate' : score >= 0.99 ? 'win' : score <= 0.01 ? 'loss' : 'draw';
  return { kind, score, pliesToEnd: evaluation.pliesToEnd };
}

/** Sort key by score. At equal scores above one half a proven value ranks above an
 * estimate, otherwise below it. */
function rank(value: PlaceValue): number {
  return value.score * 2 + (value.kind === 'estimate' ? 0 : value.score > 0.5 ? 0.01 : -0.01);
}
