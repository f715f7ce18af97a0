// Calls that `src/preload.ts` makes before the page's own script has loaded. The page
// uses their answers where it makes exactly the same call.

import { requestOf, type Call } from './request';

declare global {
  var pentadPreloaded: Map<string, Promise<Response>> | undefined;
}

const keyOf = (call: Call) => `${call.path} ${JSON.stringify(requestOf(call))}`;

export function preload(call: Call, then: (response: Response) => Promise<Response> = async (it) => it): void {
  const answer = fetch(call.path, requestOf(call)).then(then);
  // The caller of `takePreloaded` handles the error.
  answer.catch(() => undefined);
  (globalThis.pentadPreloaded ??= new Map()).set(keyOf(call), answer);
}

/** Returns the answer of a preloaded call, once. */
export function takePreloaded(call: Call): Promise<Response> | undefined {
  const key = keyOf(call);
  const answer = globalThis.pentadPreloaded?.get(key);
  globalThis.pentadPreloaded?.delete(key);
  return answer;
}

/** Drops the answers that were not used, because they are out of date from now on. */
export function forgetPreloaded(): void {
  delete globalThis.pentadPreloaded;
}
