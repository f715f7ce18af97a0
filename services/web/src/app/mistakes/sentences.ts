// What a try came to, in words.

import { learnWords } from '../../text/learn';
import { inWords } from '../move-texts';
import { words } from '../settings';
import type { Attempt } from './loop';

/** `text` are the words for the move. */
export function attemptText({ state, move: notation }: Attempt, text: string): string {
  const move = inWords(notation, text);
  const { mistakes } = learnWords();
  switch (state) {
    case 'checking': return mistakes.checking;
    case 'right': return mistakes.right(move);
    case 'better': return mistakes.better(move);
    case 'same': return mistakes.same(move);
    case 'wrong': return words().wrong(move);
  }
}
