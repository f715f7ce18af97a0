// Calls that are made before the page's own script is there (`first.ts`). The page
// takes up their answers where it makes the same call; any other is made anew.

import { requestOf, type Call } from './request';

declare global {
  var pentadEarly: Map<string, Promise<Response>> | undefined;
}

const keyOf = (call: Call) => `${call.path} ${JSON.stringify(requestOf(call))}`;

export function askEarly(call: Call, then: (response: Response) => Promise<Response> = async (it) => it): void {
  const answer = fetch(call.path, requestOf(call)).then(then);
  // Whoever takes it up is told what went wrong.
  answer.catch(() => undefined);
  (globalThis.pentadEarly ??= new Map()).set(keyOf(call), answer);
}

/** The answer of a call that was made early, once. */
export function takeEarly(call: Call): Promise<Response> | undefined {
  const key = keyOf(call);
  const answer = globalThis.pentadEarly?.get(key);
  globalThis.pentadEarly?.delete(key);
  return answer;
}

/** What nobody has taken up yet is out of date from now on. */
export function forgetEarly(): void {
  delete globalThis.pentadEarly;
}
