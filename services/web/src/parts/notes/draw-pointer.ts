// Draws circles and arrows: with the right button, with any pointer while drawing is
// switched on, or with the key C on the board.

import type { BoardView } from '../../board/view';
import type { Colour } from '../../model/notes';

export class DrawPointer {
  /** Whether presses draw instead of choosing. */
  isOn = false;
  private from: string | null = null;
  private button = -1;
  /** Point where an arrow begins that is drawn with the keyboard. */
  private anchor: string | null = null;

  constructor(
    private readonly board: BoardView,
    private readonly draw: (from: string, to: string | null, colour: Colour | null) => void,
  ) {
    const { element } = board;
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    // Before the listeners of the board itself.
    element.addEventListener('pointerdown', (event) => this.down(event), true);
    element.addEventListener('pointerup', (event) => this.up(event), true);
    element.addEventListener('pointercancel', () => (this.from = null), true);
    element.addEventListener('touchmove', (event) => this.isOn && event.cancelable && event.preventDefault(), { capture: true, passive: false });
    element.addEventListener('click', (event) => this.isOn && event.detail > 0 && event.stopImmediatePropagation(), true);
    element.addEventListener('keydown', (event) => this.key(event), true);
  }

  private down(event: PointerEvent): void {
    const isOurs = event.button === 2 || (this.isOn && event.button === 0);
    if (!isOurs || !event.isPrimary) return;
    this.from = this.pointAt(event);
    this.button = event.button;
    event.stopImmediatePropagation();
  }

  private up(event: PointerEvent): void {
    if (this.from === null || event.button !== this.button) return;
    const to = this.pointAt(event);
    const { from } = this;
    this.from = null;
    event.stopImmediatePropagation();
    if (to !== null) this.draw(from, to === from ? null : to, colourOf(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey) return;
    const point = pointOf(event.target as Element);
    if (point === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { anchor } = this;
    this.anchor = null;
    if (anchor !== null && anchor !== point) this.draw(anchor, null, colourOf(event));
    if (anchor === null || anchor === point) this.draw(point, null, colourOf(event));
    else this.draw(anchor, point, colourOf(event));
    if (anchor === null) this.anchor = point;
  }

  private pointAt(event: PointerEvent): string | null {
    return document.elementsFromPoint(event.clientX, event.clientY)
      .map((it) => (this.board.element.contains(it) ? pointOf(it) : null)).find((it) => it !== null) ?? null;
  }
}

function pointOf(element: Element): string | null {
  const key = element.closest<SVGGElement>('[data-key]')?.dataset.key ?? '';
  return key.startsWith('point ') ? key.slice('point '.length) : null;
}

function colourOf(event: { shiftKey: boolean; altKey: boolean }): Colour | null {
  if (event.shiftKey && event.altKey) return 'yellow';
  return event.shiftKey ? 'red' : event.altKey ? 'blue' : null;
}
