// The reader's preferences.

import { LANGUAGES, type Words } from '../text';
import { Observable } from './observable';
import { storedSettings, storeSettings, type Settings } from './stored';

export type { Settings };

export const settings = new Observable<Settings>(storedSettings());

export function change(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
  storeSettings(settings.value);
  applySettings();
}

/** Applies language and colours to the document. */
export function applySettings(): void {
  const { language, theme } = settings.value;
  const root = document.documentElement;
  root.lang = language;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/** Returns whether pieces have the signs of their seats: by default if colours alone would
 * have to tell more than two apart. */
export const hasSigns = (nSeats: number): boolean => settings.value.signs ?? nSeats > 2;

export const words = (): Words => LANGUAGES[settings.value.language];
