// The puzzles that are shipped with the page: one set for each game and variant, made by
// `puzzles/make.mjs` and served beside the embeddable board.

/** A position that exactly one move wins in time, up to symmetry. */
export interface StoredPuzzle {
  id: string;
  position: string;
  toMove: string;
  /** Code of the reason for the winning move. */
  theme: string;
  difficulty: number;
  pliesToEnd: number;
  /** Every first move that wins in time, or one of those that begin with `prefix`. */
  firstMoves: string[];
  prefix?: string;
  /** One longest line to the end. */
  line: string[];
}

export interface PuzzleSet {
  game: string;
  variant: string;
  /** By rising difficulty. */
  puzzles: StoredPuzzle[];
}

/** Numbers of puzzles, by game and variant. */
export type PuzzleIndex = Record<string, Record<string, number>>;

/** Number of steps of difficulty that people see. */
export const GRADES = 5;
const DAY_MS = 86_400_000;

export const INDEX_FILE = 'puzzles.json';
export const setFile = (game: string, variant: string): string => `puzzles-${game}-${variant}.json`;

/** Returns the grade of a puzzle of a set, 1 to 5, with equally many puzzles in each. */
export function gradeOf(set: PuzzleSet, puzzle: StoredPuzzle): number {
  const at = set.puzzles.indexOf(puzzle);
  return 1 + Math.floor((Math.max(0, at) * GRADES) / Math.max(1, set.puzzles.length));
}

/** The date of a puzzle of the day, the same everywhere at the same moment. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns the puzzle of a day. Each puzzle has its turn before one comes again. */
export function dailyPuzzle(set: PuzzleSet, date: Date): StoredPuzzle | null {
  const n = set.puzzles.length;
  if (n === 0) return null;
  const day = Math.floor(date.getTime() / DAY_MS);
  return set.puzzles[(day * strideOf(n)) % n]!;
}

/** A step through n items that visits all of them, far apart in difficulty. */
function strideOf(n: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let stride = Math.max(1, Math.round(n * 0.382));
  while (divisor(stride, n) !== 1) stride += 1;
  return stride;
}

/** Returns the next puzzle that is not done: the first after the given one, by rising
 * difficulty, then from the start; null if all are done. */
export function nextPuzzle(puzzles: readonly StoredPuzzle[], after: string | null, isDone: (id: string) => boolean): StoredPuzzle | null {
  const at = puzzles.findIndex((puzzle) => puzzle.id === after);
  const order = [...puzzles.slice(at + 1), ...puzzles.slice(0, at + 1)];
  return order.find((puzzle) => puzzle.id !== after && !isDone(puzzle.id)) ?? null;
}

/** Whether a move begins with these steps: `c-c+E` with `c-c`, but not `c-c1d`. */
export const beginsWith = (move: string, prefix: string): boolean => move.startsWith(prefix) && !/^[A-Za-z0-9]/.test(move.slice(prefix.length));
