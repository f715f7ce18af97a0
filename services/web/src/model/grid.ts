// A layout for rule sets without one that write positions as rows of a grid
// (`xo1/3/3 x`) and cells as file and rank (`b2`). Other games without a layout are
// played from the list of their moves.

import type { Layout, Pieces } from '../api/types';

const COLOURS = ['#2f6fc4', '#c8352e', '#3c9a4b', '#f2c530'];

/** Returns the rows of a position's first field; null if it is not a grid. */
export function gridRows(position: string): string[][] | null {
  const field = position.split(' ')[0] ?? '';
  const rows = field.split('/').map(expand);
  const width = rows[0]?.length ?? 0;
  const isGrid = rows.length >= 2 && width >= 2 && width <= 26 && rows.every((row) => row?.length === width);
  return isGrid ? (rows as string[][]) : null;
}

export function gridLayout(position: string, seats: string[]): Layout | null {
  const rows = gridRows(position);
  if (!rows) return null;
  const width = rows[0]!.length;
  const margin = 0.8;
  const file = (x: number) => String.fromCharCode(97 + x);
  const points = rows.flatMap((row, y) => row.map((_, x) => ({
    id: `${file(x)}${y + 1}`, x: margin + x + 0.5, y: margin + y + 0.5, radius: 0.48, shape: 'cell' as const, colour: '',
  })));
  return {
    width: margin + width + 0.3,
    height: margin + rows.length + 0.3,
    points,
    edges: [],
    blocks: [],
    labels: [
      ...rows[0]!.map((_, x) => ({ text: file(x), x: margin + x + 0.5, y: margin / 2 })),
      ...rows.map((_, y) => ({ text: String(y + 1), x: margin / 2, y: margin + y + 0.5 })),
    ],
    pieces: seats.map((seat, i) => ({
      id: seat, name: seat, fill: COLOURS[i % COLOURS.length]!, stroke: '', label: seat, shape: 'disc', seat,
    })),
  };
}

/** Returns the pieces of such a position. */
export function gridPieces(position: string): Pieces {
  const pieces: Pieces = {};
  (gridRows(position) ?? []).forEach((row, y) => row.forEach((character, x) => {
    if (character !== '') pieces[`${String.fromCharCode(97 + x)}${y + 1}`] = [character];
  }));
  return pieces;
}

/** Expands `xo1` to `x`, `o` and one empty cell; null if it has other characters. */
function expand(row: string): string[] | null {
  const cells: string[] = [];
  for (const part of row.match(/\d+|./g) ?? []) {
    if (/^\d+$/.test(part)) cells.push(...Array<string>(Math.min(Number(part), 27)).fill(''));
    else if (/^[A-Za-z]$/.test(part)) cells.push(part);
    else return null;
  }
  return cells;
}
