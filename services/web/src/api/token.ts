// Parsing of bearer tokens.

export const TOKEN_LEN_MAX = 8192;

/** Parses a token as typed or pasted, with or without the scheme `Bearer`; null if it
 * cannot be one (RFC 6750). */
export function readToken(text: string): string | null {
  const token = text.trim().replace(/^bearer\s+/i, '');
  return token.length <= TOKEN_LEN_MAX && /^[A-Za-z0-9\-._~+/]+=*$/.test(token) ? token : null;
}
