// Which calls are repeated, and when.

import { ApiError, ProtocolError, UnreachableError } from './errors.js';

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 2_000;
/** Refusals of questions that the server did not work on. */
const REFUSALS = new Set(['overloaded', 'rate_limited', 'ruleset_unavailable']);
/** Statuses that a proxy gives while the server behind it restarts. */
const PROXY_STATUSES = new Set([502, 503, 504]);

/**
 * Returns how long to wait before a call is repeated, or undefined if it is not.
 *
 * Calls only read, so a repetition changes nothing. Repeated are those that the server did
 * not work on and those whose connection failed; not those that would fail again or have
 * used their time.
 */
export function retryDelayMs(error: unknown, attempt: number, retries: number): number | undefined {
  if (attempt >= retries || !mayRepeat(error)) return undefined;
  const backoff = Math.min(BACKOFF_FIRST_MS * 2 ** attempt, BACKOFF_MAX_MS) * (0.5 + Math.random() / 2);
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  // Callers that are refused together do not come back together.
  return asked === undefined ? backoff : asked + backoff / 4;
}

function mayRepeat(error: unknown): boolean {
  if (error instanceof ApiError) return REFUSALS.has(error.reason);
  if (error instanceof ProtocolError) return PROXY_STATUSES.has(error.status ?? 0);
  return error instanceof UnreachableError;
}
