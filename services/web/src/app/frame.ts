// Waiting for the browser's frames.

/** Resolves when the current content is on the screen: at the start of the frame after
 * the one that draws it. In a hidden tab, once the tab is visible. */
export function afterFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}
