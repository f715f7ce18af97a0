// Browser storage: preferences in the local storage, the token and the last review in the
// session storage of this tab. Everything works without storage.

import { readToken } from '../api/token';
import type { ReviewedMove, ReviewSummary } from '../api/types';
import { isLanguage, preferredLanguage, type Language } from '../text/languages';

export interface Settings {
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  analysis: boolean;
  lines: number;
  arrows: boolean;
  values: boolean;
  threats: boolean;
  seconds: number;
  /** Whether pieces have the signs of their seats; null if that depends on their number. */
  signs: boolean | null;
}

const SETTINGS = 'pentad';
const TOKEN = 'pentad-token';
const REVIEW = 'pentad-review';

export function storedSettings(): Settings {
  const defaults: Settings = {
    language: preferredLanguage(navigator.languages), theme: 'auto', analysis: true, lines: 3, arrows: true,
    values: false, threats: false, seconds: 10, signs: null,
  };
  try {
    const known = JSON.parse(localStorage.getItem(SETTINGS) ?? '{}') as Partial<Settings>;
    if (!isLanguage(known.language)) delete known.language;
    return { ...defaults, ...known };
  } catch {
    return defaults;
  }
}

export function storeSettings(settings: Settings): void {
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(settings));
  } catch {
    // No storage: the choice lasts as long as the page.
  }
}

/** A finished review: the game that it is about, and its answers. */
export interface StoredReview {
  key: string;
  moves: (ReviewedMove | null)[];
  summary: ReviewSummary;
}

/** Returns the review that this tab finished last. */
export function storedReview(): StoredReview | null {
  try {
    return JSON.parse(sessionStorage.getItem(REVIEW) ?? 'null') as StoredReview | null;
  } catch {
    return null;
  }
}

export function storeReview(review: StoredReview): void {
  try {
    sessionStorage.setItem(REVIEW, JSON.stringify(review));
  } catch {
    // No storage, or no room: the review lasts as long as the page.
  }
}

export function storedToken(): string | null {
  try {
    return readToken(sessionStorage.getItem(TOKEN) ?? '');
  } catch {
    return null;
  }
}

export function storeToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, token);
  } catch {
    // No storage: the token lasts as long as the page.
  }
}
