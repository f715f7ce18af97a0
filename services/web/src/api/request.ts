// Turns calls of the REST interface into arguments of `fetch`.

export interface Call {
  path: string;
  /** JSON body of a POST; calls without one are GET. */
  body?: unknown;
  accept: string;
  /** Language of the texts for players; the browser's by default. */
  language?: string;
  token: string | null;
}

export function requestOf({ body, accept, language, token }: Call): RequestInit {
  const headers: Record<string, string> = { accept };
  if (language) headers['accept-language'] = language;
  if (token !== null) headers.authorization = `Bearer ${token}`;
  // The interface has no redirects; following one could carry the token elsewhere.
  const init: RequestInit = { headers, redirect: 'error' };
  if (body === undefined) return init;
  headers['content-type'] = 'application/json';
  return { ...init, method: 'POST', body: JSON.stringify(body) };
}

export function gamePath(game: string, call?: string): string {
  return `/v1/games/${encodeURIComponent(game)}${call ? `/${call}` : ''}`;
}
