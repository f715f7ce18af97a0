// Browser storage: preferences in the local storage, the token and the last review in the
// session storage of this tab. Everything works without storage.

import { readToken } from '../api/token';
import type { ReviewedMove, ReviewSummary } from '../api/types';
import { isLook, type Look } from '../board/looks';
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
  /** Level of the last opponent. */
  opponent: number;
  /** Games whose lesson was finished. */
  lessons: string[];
  look: Look;
  /** Quarters by which the board of a game is turned. */
  turns: Record<string, number>;
  /** Whether the evaluation has a bar beside the board. */
  evaluationBar: boolean;
  sounds: boolean;
  /** Whether moves are also given in words. */
  moveWords: boolean;
  /** Whether the analysis shows depth, positions and speed. */
  details: boolean;
  /** Whether single letters are shortcuts. */
  letterKeys: boolean;
}

const SETTINGS = 'pentad';
const TOKEN = 'pentad-token';
const REVIEW = 'pentad-review';
const ACTIVITY = 'pentad-activity';

export function storedSettings(): Settings {
  const defaults: Settings = {
    language: preferredLanguage(navigator.languages), theme: 'auto', analysis: true, lines: 3, arrows: true,
    values: false, threats: false, seconds: 10, signs: null, opponent: 3, lessons: [],
    look: 'game', turns: {}, evaluationBar: true, sounds: false, letterKeys: true, moveWords: true, details: false,
  };
  try {
    const known = JSON.parse(localStorage.getItem(SETTINGS) ?? '{}') as Partial<Settings>;
    if (!isLanguage(known.language)) delete known.language;
    if (!isLook(known.look)) delete known.look;
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

/** How a mistake stands: not answered yet, answered well, or given up. */
export type Verdict = 'open' | 'right' | 'shown';

/** What has to be known to go on with an activity after a reload. */
export type StoredActivity =
  | { kind: 'mistakes'; seats: string[]; index: number; verdicts: Verdict[]; isOver: boolean }
  | { kind: 'lesson'; game: string; step: number; home: string };

export function storedActivity(): StoredActivity | null {
  try {
    return JSON.parse(sessionStorage.getItem(ACTIVITY) ?? 'null') as StoredActivity | null;
  } catch {
    return null;
  }
}

export function storeActivity(activity: StoredActivity | null): void {
  try {
    if (activity === null) sessionStorage.removeItem(ACTIVITY);
    else sessionStorage.setItem(ACTIVITY, JSON.stringify(activity));
  } catch {
    // No storage: the activity lasts as long as the page.
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
