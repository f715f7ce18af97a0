// Frames of the browser.

/** Resolves when what is there now is on the screen: the frame after the one that draws
 * it has begun and is not held up. In a tab that nobody sees, when it is looked at. */
export function afterFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}
