// Batches: many questions, sent in groups, answered as they finish.
//
// A group is one request with a complete body, because browsers do not read an answer before
// they have sent the question. The next group is sent when half of the current one is
// answered; the server works on it while the rest of the first is read, so no worker waits.
// At most two groups are open, and questions are taken from the caller only when there is
// room, which bounds memory on both sides.
//
// Questions of a group whose connection breaks, or whose server stops, are sent again.

import { ApiError, PentadError, StreamCutError } from './errors.js';
import { CallTimer } from './timer.js';
import { LINES_TYPE, type CallOptions, type Transport } from './transport.js';
import type { BatchKinds, BatchQuestion, Problem } from './types.js';

/** Maximum length of a group's body. */
const GROUP_LENGTH_MAX = 32_768;

/** The outcome of a question of a batch. */
export type BatchResult<Q extends BatchQuestion = BatchQuestion> = Q extends BatchQuestion
  ? { question: Q; answer: BatchKinds[Q['kind']]['answer']; error?: undefined } | { question: Q; answer?: undefined; error: ApiError }
  : never;

export interface BatchOptions extends CallOptions {
  /** Number of questions of a group; 64 by default, as the server's window. */
  groupSize?: number;
}

interface Group<Q> {
  lines: AsyncGenerator<unknown, void, undefined>;
  pending: Map<string, Q>;
  size: number;
}

interface Line {
  id?: string | null;
  answer?: unknown;
  error?: Problem;
}

export class Batch<Q extends BatchQuestion> {
  private readonly source: AsyncIterator<Q> | Iterator<Q>;
  private readonly timer: CallTimer;
  private readonly groups: Group<Q>[] = [];
  /** Questions to send before those of the source. */
  private again: Q[] = [];
  private hasMore = true;
  /** False if a second group was refused. */
  private mayOverlap = true;
  private nTaken = 0;
  /** Groups that broke without an answer in between. */
  private nBroken = 0;

  constructor(private readonly transport: Transport, questions: AsyncIterable<Q> | Iterable<Q>, private readonly options: BatchOptions) {
    this.source = Symbol.asyncIterator in questions ? questions[Symbol.asyncIterator]() : questions[Symbol.iterator]();
    this.timer = new CallTimer(options.timeoutMs, options.signal);
  }

  /** Yields the results as they arrive. */
  async *results(): AsyncGenerator<BatchResult<Q>, void, undefined> {
    try {
      for (;;) {
        await this.fill();
        const group = this.groups[0];
        if (!group) return;
        const { done, value } = await group.lines.next();
        if (done) {
          this.groups.shift();
          this.end(group);
          continue;
        }
        const result = this.result(group, value as Line);
        if (result) {
          this.nBroken = 0;
          yield result;
        }
      }
    } finally {
      this.timer.end();
      if (this.hasMore) await this.source.return?.();
    }
  }

  /** Opens a group if there is room for one, and questions. */
  private async fill(): Promise<void> {
    const [first] = this.groups;
    const hasRoom = !first || (this.mayOverlap && this.groups.length === 1 && first.pending.size * 2 <= first.size);
    if (!hasRoom) return;
    const { pending, body } = await this.take();
    if (pending.size === 0) return;
    try {
      const call = { path: '/v1/batch', body, accept: LINES_TYPE, contentType: LINES_TYPE, options: this.options };
      this.groups.push({ lines: await this.transport.lines(call, this.timer), pending, size: pending.size });
    } catch (error) {
      if (!first || !(error instanceof PentadError)) throw error;
      // The server has no room for another one, or stops: the current group may tell.
      this.again.unshift(...pending.values());
      this.mayOverlap = false;
    }
  }

  /** Returns the questions of a group by id, and its body. */
  private async take(): Promise<{ pending: Map<string, Q>; body: string }> {
    const pending = new Map<string, Q>();
    let body = '';
    while (pending.size < (this.options.groupSize ?? 64) && body.length < GROUP_LENGTH_MAX) {
      const question = await this.next();
      if (!question) break;
      const id = String(++this.nTaken);
      const { tag: _, ...fields } = question;
      pending.set(id, question);
      body += `${JSON.stringify({ ...fields, id })}\n`;
    }
    return { pending, body };
  }

  private async next(): Promise<Q | undefined> {
    const again = this.again.shift();
    if (again || !this.hasMore) return again;
    const { done, value } = await this.source.next();
    this.hasMore = !done;
    return done ? undefined : value;
  }

  /** Keeps the questions of a group that ended early. */
  private end({ pending }: Group<Q>): void {
    this.mayOverlap = true;
    if (pending.size === 0) return;
    this.nBroken += 1;
    if (this.nBroken > this.transport.retries) {
      throw new StreamCutError(`the batch broke ${this.nBroken} times in a row; ${pending.size} questions are unanswered`);
    }
    this.again.push(...pending.values());
  }

  private result(group: Group<Q>, { id, answer, error }: Line): BatchResult<Q> | undefined {
    const question = group.pending.get(id ?? '');
    if (question) {
      group.pending.delete(id ?? '');
      // The kind of the answer is that of the question.
      return (error ? { question, error: new ApiError(error) } : { question, answer }) as unknown as BatchResult<Q>;
    }
    // It concerns the whole batch.
    if (error) throw new ApiError(error);
    return undefined;
  }
}
