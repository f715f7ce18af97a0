// What the next step of a move asks for, as data by game id: notation alone does not tell
// whether a stop is for a figure or for a block. Other games have general words.

import type { Pieces } from '../api/types';
import type { Choice, ChoiceKind } from './choice';

export type Step = 'marble' | 'turn' | 'turnOrLeave' | 'ringOrFlip' | 'figure' | 'stop' | 'swap' | 'black' | 'grey' | 'greyFrom' | 'greyTo';

type Namer = (isFirst: boolean, choices: readonly Choice[], board: Pieces) => Step | null;

/** Returns what the choices after some steps are for; null in games without such words. The
 * choices of the first step may not be known yet. */
export function stepOf(game: string, chosen: readonly Choice[], choices: readonly Choice[], board: Pieces): Step | null {
  const isFirst = chosen.length === 0;
  return choices.length === 0 && !isFirst ? null : (NAMERS[game]?.(isFirst, choices, board) ?? null);
}

const isOf = (kind: ChoiceKind, choices: readonly Choice[]) => choices.length === 0 || choices.some((choice) => choice.kind === kind);

const turning: Namer = (isFirst, choices) => {
  if (isFirst) return isOf('point', choices) ? 'marble' : null;
  return choices.some((choice) => choice.kind === 'end') ? 'turnOrLeave' : 'turn';
};

/** By the punctuation before the choices: see Pentagame's notation. */
const figures: Namer = (isFirst, choices, board) => {
  if (isFirst) return isOf('piece', choices) ? 'figure' : null;
  const { lead, point } = choices.find((choice) => choice.kind !== 'end') ?? choices[0]!;
  switch (lead) {
    case '-': return 'stop';
    case '=': return 'swap';
    case '@': return 'black';
    case '>': return 'greyTo';
    case '+': case '!+': return point !== undefined && board[point]?.includes('grey') ? 'greyFrom' : 'grey';
    default: return null;
  }
};

const NAMERS: Record<string, Namer | undefined> = {
  pentago: turning,
  'pentago-xl': turning,
  pentaflip: () => 'ringOrFlip',
  pentagame: figures,
};
