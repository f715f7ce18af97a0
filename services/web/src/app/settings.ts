// What a reader prefers, kept in the browser. Everything works without storage.

import { preferredLanguage, LANGUAGES, type Language, type Words } from '../text';
import { Cell } from './cell';

export interface Settings {
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  analysis: boolean;
  lines: number;
  arrows: boolean;
  values: boolean;
  threats: boolean;
  seconds: number;
}

const KEY = 'pentad';

function defaults(): Settings {
  return {
    language: preferredLanguage(navigator.languages), theme: 'auto', analysis: true, lines: 3, arrows: true,
    values: false, threats: false, seconds: 10,
  };
}

function stored(): Partial<Settings> {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
    if (known.language && !(known.language in LANGUAGES)) delete known.language;
    return known;
  } catch {
    return {};
  }
}

export const settings = new Cell<Settings>({ ...defaults(), ...stored() });

export function change(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // No storage: the choice lasts as long as the page.
  }
  applySettings();
}

/** Tells the document its language and colours. */
export function applySettings(): void {
  const { language, theme } = settings.value;
  const root = document.documentElement;
  root.lang = language;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

export const words = (): Words => LANGUAGES[settings.value.language];
