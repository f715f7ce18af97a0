// Shortcuts of single keys, which the reader can switch off.

import type { App } from './app';
import { change, settings } from './settings';

/** Keys and what they do, in the order of the help. */
export const SHORTCUTS = {
  f: (app: App) => turnBoard(app),
  a: () => change({ analysis: !settings.value.analysis }),
  v: () => change({ values: !settings.value.values }),
  x: () => change({ threats: !settings.value.threats }),
  h: (app: App) => void app.helper.askHint('move'),
  e: (app: App) => (app.boardDialog.value = 'editor'),
  '?': (app: App) => (app.boardDialog.value = 'keys'),
} as const;

export function listenToShortcuts(app: App): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !settings.value.letterKeys) return;
    const target = event.target as Element | null;
    if (app.boardDialog.value || target?.closest('input, select, textarea, dialog, [role=listbox]')) return;
    const run = SHORTCUTS[event.key as keyof typeof SHORTCUTS];
    if (!run || app.puzzler.current.value?.state === 'open') return;
    event.preventDefault();
    run(app);
  });
}

/** Turns the board of the game shown by a quarter, clockwise. */
export function turnBoard({ session }: App): void {
  const game = session.table.value?.details.id;
  if (!game) return;
  const { turns } = settings.value;
  change({ turns: { ...turns, [game]: ((turns[game] ?? 0) + 1) % 4 } });
}
