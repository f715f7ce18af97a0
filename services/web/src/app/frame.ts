// Waiting for the browser's frames.

/** Resolves when the current content is on the screen: at the start of the frame after
 * the one that draws it. In a hidden tab, once the tab is visible. */
export function afterFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Scrolls to the board once the current content is drawn, if a part of it is out of sight:
 * what was opened below is played above. */
export async function showBoard(): Promise<void> {
  await afterFrame();
  const board = document.querySelector('.holder')?.getBoundingClientRect();
  if (board && (board.top < 0 || board.bottom > innerHeight)) document.querySelector('main')!.scrollIntoView();
}
