// The languages of the page. The first that the browser asks for and that is here is used.

import { de } from './de';
import { en, type Words } from './en';
import { fi } from './fi';
import { fr } from './fr';
import { sv } from './sv';

export type { Words };
export type Language = 'en' | 'sv' | 'fi' | 'de' | 'fr';

export const LANGUAGES: Record<Language, Words> = { en, sv, fi, de, fr };

export function preferredLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return (known as Language | undefined) ?? 'en';
}
