// Streams: async iterators of messages. Leaving a stream's loop ends its work.

import { StreamCutError } from './errors.js';
import type { AnalysisUpdate, PuzzleMessage, PuzzleSet, ReviewedGame, ReviewMessage } from './types.js';

/**
 * Messages as they arrive. The question is sent when the first one is requested.
 *
 * `return()`, which leaving a `for await` loop calls, closes the connection, and that stops
 * the search. `result()` reads to the end.
 */
export class Stream<M, R> implements AsyncIterableIterator<M> {
  constructor(
    private readonly messages: AsyncGenerator<M, void, undefined>,
    private readonly collect: (messages: AsyncIterable<M>) => Promise<R>,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<M, void>> {
    return this.messages.next();
  }

  return(): Promise<IteratorResult<M, void>> {
    return this.messages.return();
  }

  /** Reads to the end and returns what the messages add up to. */
  result(): Promise<R> {
    return this.collect(this);
  }
}

/** Returns the last update. */
export async function lastUpdate(updates: AsyncIterable<AnalysisUpdate>): Promise<AnalysisUpdate> {
  for await (const update of updates) {
    if (update.final) return update;
  }
  throw new StreamCutError('the analysis has no final update');
}

/** Returns the moves in playing order, and the summary. */
export async function reviewedGame(messages: AsyncIterable<ReviewMessage>): Promise<ReviewedGame> {
  const moves = [];
  for await (const message of messages) {
    if ('move' in message) moves.push(message.move);
    if ('summary' in message) return { moves: moves.sort((a, b) => a.index - b.index), summary: message.summary };
  }
  throw new StreamCutError('the review has no summary');
}

/** Returns the puzzles that were found. */
export async function puzzleSet(messages: AsyncIterable<PuzzleMessage>): Promise<PuzzleSet> {
  const puzzles = [];
  for await (const message of messages) {
    if ('puzzle' in message) puzzles.push(message.puzzle);
    if ('final' in message) return { puzzles, progress: message.final };
  }
  throw new StreamCutError('the search for puzzles has no final message');
}
