// Numbers of moves: one for each round of the seats.

import type { Node } from './tree';

/** Returns the number of rounds that some plies take, where each of the seats that still play
 * makes one move per round: a win in 5 plies is one in 3 moves of two seats. */
export const movesOf = (plies: number, nSeats: number): number => Math.ceil(plies / Math.max(1, nSeats));

/** Returns `2.` for the first seat's move; `2…` for another's if `always`, else nothing. */
export function moveNumber(node: Node, nSeats: number, always: boolean): string {
  const ply = node.ply - 1;
  const turn = Math.floor(ply / nSeats) + 1;
  if (ply % nSeats === 0) return `${turn}.`;
  return always ? `${turn}…` : '';
}
