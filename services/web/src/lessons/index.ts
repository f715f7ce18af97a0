// Lessons: a minute on the board for a game. Each is a file of data, loaded when it is
// needed; a game without one simply has no lesson.

import type { Language } from '../text/languages';

/** What a move of a step has to do: match, win at once, or not lose at once. */
export type Goal = { kind: 'matches'; moves: RegExp } | { kind: 'wins' } | { kind: 'safe' };

export interface Step {
  variant: string;
  /** Null for the start. */
  position: string | null;
  goal: Goal;
  /** A move that does it. */
  solution: string;
  /** Points to look at. */
  look: string[];
  /** The task, and what there was to see once it is done. */
  text: Record<Language, { task: string; done: string }>;
}

export interface Lesson {
  steps: Step[];
}

const LESSONS: Record<string, () => Promise<{ lesson: Lesson }>> = {
  pentago: () => import('./pentago'),
  'pentago-xl': () => import('./pentago-xl'),
  pentagame: () => import('./pentagame'),
  pentaflip: () => import('./pentaflip'),
};

export const hasLesson = (game: string): boolean => Object.hasOwn(LESSONS, game);

export async function lessonOf(game: string): Promise<Lesson | null> {
  return hasLesson(game) ? (await LESSONS[game]!()).lesson : null;
}
