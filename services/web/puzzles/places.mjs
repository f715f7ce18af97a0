// Puzzles for games that go on when a seat has finished: positions in which exactly one
// distinct move takes the first place at once and alone, proven by playing every legal move.

import { load } from '../tests/support/sources.mjs';

/** Plies before the first seat finishes that are looked through. */
const PLIES_LOOKED_AT = 8;
const { finishedSeats } = await load('model/finished.ts');

/** Returns the number of moves before somebody takes the first place and the others play on;
 * null if that does not happen. */
export async function firstFinish(ask, variant, moves) {
  const after = await ask.positions(variant, { moves: [] }, moves.map((_, i) => moves.slice(0, i + 1)));
  const ply = after.findIndex((answer) => answer.outcome === null && finishedSeats(answer.position, variant.seats).size > 0);
  return ply < 0 ? null : ply;
}

export async function firstPlaces(ask, variant, moves) {
  const found = [];
  for (let n = Math.max(0, moves.length - PLIES_LOOKED_AT); n <= moves.length; n += 1) {
    const { position, toMove } = await ask('position', { variant: variant.id, moves: moves.slice(0, n) });
    const legal = await ask('legal-moves', { variant: variant.id, position });
    const after = await ask.positions(variant, { position }, legal.moves.map((move) => [move]));
    const isAlone = ({ position: end }) => JSON.stringify([...finishedSeats(end, variant.seats)]) === JSON.stringify([[toMove, 1]]);
    const firstMoves = legal.moves.filter((_, i) => isAlone(after[i]));
    const keys = new Set(firstMoves.map((move) => after[legal.moves.indexOf(move)].key));
    if (keys.size !== 1 || legal.nextPageToken !== '') continue;
    const [move] = firstMoves;
    const { hints } = await ask('hints', { variant: variant.id, position, allowMoves: [move], count: 1, limits: { nodes: 1 } });
    const common = { position, toMove, theme: hints[0].reasons[0]?.code ?? '', difficulty: 1, pliesToEnd: 1 };
    found.push({ ...common, firstMoves, line: [move], solutions: [[move]] });
  }
  return found;
}
