// The end of a call: its deadline, its idle bound, or the caller's signal.

import { CallTimeoutError } from './errors.js';

/** Aborts a request when its time is over or its caller aborts it. */
export class CallTimer {
  private readonly controller = new AbortController();
  private readonly endsAt: number;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  /** `AbortSignal.any` would do, but Node.js 18 has none. */
  constructor(timeoutMs: number | undefined, private readonly outer: AbortSignal | undefined) {
    this.endsAt = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
    if (timeoutMs !== undefined) {
      const error = new CallTimeoutError(`no complete answer within ${timeoutMs} ms`);
      this.deadline = setTimeout(() => this.controller.abort(error), timeoutMs);
    }
    if (outer?.aborted) this.onAbort();
    outer?.addEventListener('abort', this.onAbort);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether a wait ends before the deadline. */
  allows(ms: number): boolean {
    return Date.now() + ms < this.endsAt;
  }

  /** Restarts the idle bound. */
  touch(idleMs: number): void {
    clearTimeout(this.idle);
    const error = new CallTimeoutError(`the server was silent for ${idleMs} ms`);
    this.idle = setTimeout(() => this.controller.abort(error), idleMs);
  }

  /** Ends the idle bound: the caller is working, not the server. */
  rest(): void {
    clearTimeout(this.idle);
  }

  /** Closes the connection if it is still in use. */
  end(): void {
    clearTimeout(this.deadline);
    clearTimeout(this.idle);
    this.outer?.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  /** Waits; fails as soon as the call ends. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = this;
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }
}
