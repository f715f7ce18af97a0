// The bearer token for a server that asks for one: held for this tab, asked for when
// a call is refused, sent with every call to the page's own server and nowhere else.
//
// It is in the session storage, so that a reload loses nothing and closing the tab
// forgets it; without storage, in memory. It is never part of an address, which
// people share and servers log.

import type { ApiError, Credentials } from '../api/client';
import { Observable } from './observable';
import { storedToken, storeToken } from './stored';

/** Why the page asks: the server has refused a call, or the reader wants to. */
export interface TokenQuestion {
  refusal: 'missing' | 'refused' | null;
  /** In the server's words. */
  detail: string;
}

export class TokenHolder implements Credentials {
  /** Whether there is a token; what it is concerns the calls only. */
  readonly isHeld = new Observable(false);
  readonly question = new Observable<TokenQuestion | null>(null);
  /** Whether this server has been seen to make a difference by tokens. */
  readonly isUseful = new Observable(false);
  /** Called after the reader has given a token. Calls that have waited for it go on by
   * themselves. */
  onGiven: (isAwaited: boolean) => void = () => undefined;

  private current: string | null;
  /** A question that was dismissed is not asked again. */
  private isDismissed = false;
  private readonly waiting = new Set<(isRenewed: boolean) => void>();

  constructor() {
    this.current = storedToken();
    this.isHeld.value = this.current !== null;
  }

  get token(): string | null {
    return this.current;
  }

  renew(refused: string | null, problem: ApiError, signal?: AbortSignal): Promise<boolean> {
    this.isUseful.value = true;
    // Another one was given while the call was under way.
    if (refused !== this.current) return Promise.resolve(true);
    if (this.isDismissed) return Promise.resolve(false);
    this.question.value ??= { refusal: refused === null ? 'missing' : 'refused', detail: problem.message };
    return new Promise((resolve, reject) => {
      this.waiting.add(resolve);
      signal?.addEventListener('abort', () => {
        this.waiting.delete(resolve);
        reject(signal.reason as Error);
      }, { once: true });
    });
  }

  /** Asks because the reader wants to. */
  ask(): void {
    this.question.value ??= { refusal: null, detail: '' };
  }

  give(token: string): void {
    this.hold(token);
    this.isDismissed = false;
    this.onGiven(this.settle(true));
  }

  forget(): void {
    this.hold(null);
    this.isDismissed = true;
    this.settle(false);
  }

  dismiss(): void {
    this.isDismissed ||= this.waiting.size > 0;
    this.settle(false);
  }

  private hold(token: string | null): void {
    this.current = token;
    this.isHeld.value = token !== null;
    storeToken(token);
  }

  /** Ends the question; tells whether calls have waited for it. */
  private settle(isRenewed: boolean): boolean {
    this.question.value = null;
    const waiting = [...this.waiting];
    this.waiting.clear();
    waiting.forEach((resolve) => resolve(isRenewed));
    return waiting.length > 0;
  }
}
