// Pentago for boardgame.io, as somebody would write it who has never heard of Pentad: a
// marble on a cell, then a quarter turn of a block; five in a row win.

import type { Game } from 'boardgame.io';

export interface PentagoState {
  /** 36 cells, row by row: a seat's number, or null. */
  cells: (string | null)[];
  /** The moves so far, as Pentad writes them. */
  history: string[];
}

const SIZE = 6;
const at = (column: number, row: number) => row * SIZE + column;
const STEPS = [[1, 0], [0, 1], [1, 1], [1, -1]] as const;

/** The players who have five in a row. */
function winners(cells: PentagoState['cells']): Set<string> {
  const found = new Set<string>();
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      for (const [dx, dy] of STEPS) {
        const [x, y] = [column + 4 * dx, row + 4 * dy];
        if (x >= SIZE || y >= SIZE || y < 0) continue;
        const line = [0, 1, 2, 3, 4].map((n) => cells[at(column + n * dx, row + n * dy)]);
        const [first] = line;
        if (first != null && line.every((cell) => cell === first)) found.add(first);
      }
    }
  }
  return found;
}

/** Turns a block, 1 to 4, clockwise (`r`) or not (`l`). */
function turn(cells: PentagoState['cells'], block: number, direction: string): void {
  const [left, top] = [((block - 1) % 2) * 3, Math.floor((block - 1) / 2) * 3];
  const old = [...cells];
  for (let x = 0; x < 3; x++) {
    for (let y = 0; y < 3; y++) {
      const [toX, toY] = direction === 'r' ? [2 - y, x] : [y, 2 - x];
      cells[at(left + toX, top + toY)] = old[at(left + x, top + y)] ?? null;
    }
  }
}

/** Moves of a state, as Pentad writes them; not those that win without a turn. */
export function moveTexts({ cells }: PentagoState): string[] {
  const free = cells.flatMap((cell, index) => (cell === null ? [`${'abcdef'[index % SIZE]}${Math.floor(index / SIZE) + 1}`] : []));
  return free.flatMap((cell) => [1, 2, 3, 4].flatMap((block) => [`${cell}-${block}l`, `${cell}-${block}r`]));
}

export const Pentago: Game<PentagoState> = {
  name: 'pentago',
  setup: () => ({ cells: Array(SIZE * SIZE).fill(null), history: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, text: string) => {
      const [, column, row, block, direction] = /^([a-f])([1-6])(?:-([1-4])([lr]))?$/.exec(text) ?? [];
      const cell = at('abcdef'.indexOf(column ?? '?'), Number(row) - 1);
      if (column === undefined || G.cells[cell] !== null) return 'INVALID_MOVE';
      G.cells[cell] = playerID;
      const isWon = winners(G.cells).size > 0;
      if (isWon !== (block === undefined)) return 'INVALID_MOVE';
      if (block !== undefined) turn(G.cells, Number(block), direction!);
      G.history.push(text);
      return undefined;
    },
  },
  endIf: ({ G }) => {
    const won = winners(G.cells);
    if (won.size === 1) return { winner: [...won][0] };
    return won.size === 2 || G.cells.every((cell) => cell !== null) ? { draw: true } : undefined;
  },
  ai: { enumerate: (G) => moveTexts(G).map((text) => ({ move: 'play', args: [text] })) },
};
