// The bearer token, for servers that require one: requested from the reader when a call
// is refused, sent with every call to the page's own server and nowhere else.
//
// It is in the session storage, so that it survives a reload and is forgotten with the
// tab; without storage, in memory. It is never part of an address, which people share
// and servers log.

import type { ApiError, Credentials } from '../api/client';
import { Observable } from './observable';
import { storedToken, storeToken } from './stored';

/** Why the dialog is shown: a call was refused, or the reader opened it. */
export interface TokenQuestion {
  refusal: 'missing' | 'refused' | null;
  /** The server's explanation. */
  detail: string;
}

export class TokenHolder implements Credentials {
  /** Whether there is a token. */
  readonly isHeld = new Observable(false);
  readonly question = new Observable<TokenQuestion | null>(null);
  /** Whether this server has responded in a way that a token could change. */
  readonly isUseful = new Observable(false);
  /** Called after the reader has entered a token. Calls that waited for it continue by
   * themselves. */
  onGiven: (isAwaited: boolean) => void = () => undefined;

  private current: string | null;
  /** Whether the reader dismissed the dialog; it is not opened again by a refusal. */
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
    // The token was changed during the call.
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

  /** Opens the dialog for the reader. */
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

  /** Closes the dialog; returns whether calls waited for it. */
  private settle(isRenewed: boolean): boolean {
    this.question.value = null;
    const waiting = [...this.waiting];
    this.waiting.clear();
    waiting.forEach((resolve) => resolve(isRenewed));
    return waiting.length > 0;
  }
}
