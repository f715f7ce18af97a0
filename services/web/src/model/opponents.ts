// The opponents: a name for each level, and how strong the level is. The strengths are
// those of services/LEVELS.md, measured in matches between levels, with level 1 at 0; they
// compare levels within one game.

/** By level, the weakest first. */
export const NAMES = ['Pip', 'Lumi', 'Otto', 'Fanny', 'Bruno', 'Saga', 'Viktor', 'Edda', 'Leonie', 'Pentad'];

export const LEVELS = NAMES.map((_, i) => i + 1);

export const nameOf = (level: number): string => NAMES[level - 1] ?? String(level);

/** By game and number of seats. */
const STRENGTHS: Record<string, readonly number[]> = {
  'pentago 2': [0, 128, 283, 502, 831, 991, 1039, 1134, 1404, 1379],
  'pentaflip 2': [0, 77, 262, 381, 721, 919, 987, 1122, 1265, 1327],
  'pentago-xl 4': [0, 49, 120, 195, 284, 359, 431, 536, 617, 852],
  'pentago-xl 2': [0, 185, 324, 549, 584, 734, 890, 1024, 1099, 1148],
  'pentagame 2': [0, 60, 124, 366, 640, 807, 848, 1028, 1416, 1596],
};

/** Returns the strengths of all levels; null where none were measured. */
export function strengthsOf(game: string, nSeats: number): readonly number[] | null {
  return STRENGTHS[`${game} ${nSeats}`] ?? null;
}
