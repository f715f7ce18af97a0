// Texts of the review, the mistakes, the opponents and the lessons, in each language.

import type { Language } from '../languages';
import { de } from './de';
import { en, type LearnWords } from './en';
import { fi } from './fi';
import { fr } from './fr';
import { sv } from './sv';

export const TABLES: Record<Language, LearnWords> = { en, sv, fi, de, fr };
