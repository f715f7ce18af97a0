// What the attributes of an embedded board say.

import { isLook, type Look } from '../board/looks';
import type { Control } from './controls';

const tokens = (element: Element): string[] => (element.getAttribute('theme') ?? '').split(/\s+/);

/** The colour scheme of the attribute `theme`; empty for that of the page. */
export const schemeOf = (element: Element): string => tokens(element).find((it) => it === 'light' || it === 'dark') ?? '';

/** The look of the board that the attribute `theme` names. */
export const lookOf = (element: Element): Look => tokens(element).find(isLook) ?? 'game';

/** The level that plays the other seats, 1 to 10; null without one. */
export function levelOf(element: Element): number | null {
  const level = Number(element.getAttribute('level') ?? NaN);
  return Number.isInteger(level) && level >= 1 && level <= 10 ? level : null;
}

/** The buttons below the board. */
export function controlsOf(element: Element, isPuzzle: boolean): Control[] {
  if (!element.hasAttribute('controls')) return [];
  if (isPuzzle) return ['hint', 'turn'];
  return ['first', 'previous', 'next', 'last', ...(element.hasAttribute('readonly') ? [] : ['hint' as const]), 'turn'];
}

/** Number of moves from the one shown back to the turn of the first seat. */
export function stepsBack(at: number, nSeats: number): number {
  let back = 1;
  while (back < at && (at - back) % nSeats !== 0) back += 1;
  return back;
}
