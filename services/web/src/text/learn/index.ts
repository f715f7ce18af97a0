// The texts of the parts that are loaded on demand, in the reader's language.

import { settings } from '../../app/settings';
import type { LearnWords } from './en';
import { TABLES } from './tables';

export const learnWords = (): LearnWords => TABLES[settings.value.language];
