// Repeats calls while the server does not answer, and reports errors in one place.

import { ApiError, type Client, isAbort } from '../api/client';
import { Observable } from './observable';

/** A problem, and the move that it is about if there is one. */
export interface Problem {
  error: Error;
  move: string | null;
}

/** How often a call is repeated while the server is busy. */
const REFUSALS_MAX = 4;
const WAIT_MS = 300;
const WAIT_MS_MAX = 4000;

export class Connection {
  readonly problem = new Observable<Problem | null>(null);
  readonly isUnreachable = new Observable(false);

  constructor(readonly client: Client) {}

  /** Repeats a call while the server does not answer, showing a message meanwhile, and
   * a few times if it is busy. */
  async untilReached<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    let refusals = 0;
    for (let wait = WAIT_MS; ; wait = Math.min(wait * 1.6, WAIT_MS_MAX)) {
      try {
        return await call(signal);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient || signal.aborted) throw error;
        this.isUnreachable.value = error.isUnreachable;
        refusals += error.isUnreachable ? 0 : 1;
        if (refusals > REFUSALS_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.max(wait, error.retryAfterMs ?? 0)));
        signal.throwIfAborted();
      }
    }
  }

  /** Does something, and reports why it failed. */
  async attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.report(error);
    }
  }

  /** Called when the server has answered. */
  reached(): void {
    this.isUnreachable.value = false;
  }

  report(error: unknown, move: string | null = null): void {
    if (isAbort(error)) return;
    this.problem.value = { error: error instanceof Error ? error : new Error(String(error)), move };
  }
}
