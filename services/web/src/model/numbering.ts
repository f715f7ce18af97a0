// Numbers of moves: one for each round of the seats.

import type { Node } from './tree';

/** Returns `2.` for the first seat's move; `2…` for another's if `always`, else nothing. */
export function moveNumber(node: Node, nSeats: number, always: boolean): string {
  const ply = node.ply - 1;
  const turn = Math.floor(ply / nSeats) + 1;
  if (ply % nSeats === 0) return `${turn}.`;
  return always ? `${turn}…` : '';
}
