// The texts of each language.

import { de } from './de';
import { en, type Words } from './en';
import { fi } from './fi';
import { fr } from './fr';
import type { Language } from './languages';
import { sv } from './sv';

export { preferredLanguage, type Language } from './languages';
export type { Words };

export const LANGUAGES: Record<Language, Words> = { en, sv, fi, de, fr };
