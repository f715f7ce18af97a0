// What a reader has solved, in the local storage: it survives reloads and is shared by tabs.

const KEY = 'pentad-puzzles';
/** Puzzles that are remembered; the oldest are forgotten. */
const RESULTS_MAX = 5000;

/** `first`: solved without a wrong move; `later`: after one; `failed`: not yet. */
export type Result = 'first' | 'later' | 'failed';

export interface Progress {
  results: Record<string, Result>;
  /** Puzzles solved in a row without a wrong move. */
  streak: number;
  bestStreak: number;
  /** The days whose puzzle was solved, by game and variant: the last one and how many in a row. */
  days: Record<string, { last: string; row: number }>;
}

const NONE: Progress = { results: {}, streak: 0, bestStreak: 0, days: {} };

export function storedProgress(): Progress {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Progress>) };
  } catch {
    return NONE;
  }
}

export function storeProgress(progress: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // No storage, or no room: progress lasts as long as the page.
  }
}

/** Calls back when another tab has changed the progress. */
export function watchProgress(changed: () => void): void {
  addEventListener('storage', (event) => event.key === KEY && changed());
}

/** Returns the progress after a puzzle was solved, or answered wrongly for the first time.
 * Only the first result of a puzzle counts for the streak. */
export function withResult(progress: Progress, id: string, isSolved: boolean): Progress {
  const before = progress.results[id];
  if (before === 'first' || before === 'later' || (before === 'failed' && !isSolved)) return progress;
  const result: Result = !isSolved ? 'failed' : before === 'failed' ? 'later' : 'first';
  const { [id]: _, ...others } = progress.results;
  const results = Object.fromEntries([...Object.entries(others), [id, result] as const].slice(-RESULTS_MAX));
  const streak = result === 'first' ? progress.streak + 1 : result === 'failed' ? 0 : progress.streak;
  return { ...progress, results, streak, bestStreak: Math.max(streak, progress.bestStreak) };
}

/** Returns the progress after a day's puzzle was solved. */
export function withDay(progress: Progress, set: string, day: string, dayBefore: string): Progress {
  const known = progress.days[set];
  if (known?.last === day) return progress;
  const row = known?.last === dayBefore ? known.row + 1 : 1;
  return { ...progress, days: { ...progress.days, [set]: { last: day, row } } };
}
