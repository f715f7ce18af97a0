// What a try came to, in words.

import { learnWords } from '../../text/learn';
import { words } from '../settings';
import type { Attempt } from './loop';

export function attemptText({ state, move }: Attempt): string {
  const { mistakes } = learnWords();
  switch (state) {
    case 'checking': return mistakes.checking;
    case 'right': return mistakes.right(move);
    case 'better': return mistakes.better(move);
    case 'same': return mistakes.same(move);
    case 'wrong': return words().wrong(move);
  }
}
