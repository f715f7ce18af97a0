// A guided activity on the board: the mistakes of a game, or a lesson. Its code is loaded
// when it starts; the page shows its panel and lets it annotate the board.

import type { ComponentType } from 'preact';

import type { Annotations } from '../board/annotations';
import type { App } from './app';
import { learnPart } from './parts';
import { storedActivity } from './stored';
import type { View } from './views';

export type Marks = Pick<Annotations, 'rings' | 'arrows' | 'turns'>;

export interface Activity {
  /** Shown above the other panels. */
  Panel: ComponentType;
  /** Whether the analysis would give the answer away. */
  hidesAnalysis: boolean;
  /** Returns the marks for a position besides those of its last move. */
  annotate(view: View): Marks | null;
  /** Called when something else starts; must not change the board. */
  end(): void;
}

/** Starts the mistakes of the game shown, once it is reviewed. */
export async function learnFromMistakes(app: App): Promise<void> {
  await app.connection.attempt(async () => (await learnPart.load()).startMistakes(app));
}

/** Goes on with the activity that a reload of the page interrupted. */
export async function resumeActivity(app: App): Promise<void> {
  const kept = storedActivity();
  if (!kept) return;
  await app.connection.attempt(async () => {
    const { resumeLesson, resumeMistakes } = await learnPart.load();
    await (kept.kind === 'lesson' ? resumeLesson(app, kept) : resumeMistakes(app, kept));
  });
}
