// Bearer tokens as people hand them on.

export const TOKEN_LEN_MAX = 8192;

/** What was typed, pasted or set as a token, perhaps with its scheme; null if it
 * cannot be one (RFC 6750). */
export function readToken(text: string): string | null {
  const token = text.trim().replace(/^bearer\s+/i, '');
  return token.length <= TOKEN_LEN_MAX && /^[A-Za-z0-9\-._~+/]+=*$/.test(token) ? token : null;
}
