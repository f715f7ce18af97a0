// How calls of the REST interface are written as requests of the browser.

export interface Call {
  path: string;
  /** Sent with POST; without one it is GET. */
  body?: unknown;
  accept: string;
  /** Of the texts for players; by default the browser's. */
  language?: string;
  token: string | null;
}

export function requestOf({ body, accept, language, token }: Call): RequestInit {
  const headers: Record<string, string> = { accept };
  if (language) headers['accept-language'] = language;
  if (token !== null) headers.authorization = `Bearer ${token}`;
  // The interface redirects nobody, so that no token follows one elsewhere.
  const init: RequestInit = { headers, redirect: 'error' };
  if (body === undefined) return init;
  headers['content-type'] = 'application/json';
  return { ...init, method: 'POST', body: JSON.stringify(body) };
}

export function gamePath(game: string, call?: string): string {
  return `/v1/games/${encodeURIComponent(game)}${call ? `/${call}` : ''}`;
}
