// Pointer input: a press chooses the nearest possible place, pieces can be dragged, and a
// lens enlarges boards whose places are too small for a finger.

import type { Target } from './targets';
import { svg } from './svg';

/** Smallest width of a target, in CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET_PX_MIN = 24;
/** How far a pointer moves before a press becomes a drag. */
const DRAG_PX = 6;
const LENS_PX = 150;
const LENS_ZOOM = 2.6;

/** The board, as the pointer sees it. */
export interface PointerBoard {
  readonly element: SVGSVGElement;
  targets: () => Target[];
  /** The drawing of a piece. */
  pieceOf: (id: string) => SVGGElement | null;
  choose: (target: Target) => void;
  /** Called for a press on a place that cannot be chosen. */
  refuse: (target: Target) => void;
  /** Called when a dragged piece has been dropped on a place. */
  dropped: () => void;
}

interface Spot {
  x: number;
  y: number;
}

interface Drag {
  piece: string;
  from: Spot;
  to: Spot;
  isReleased: boolean;
}

export class Pointer {
  private pressed: { event: PointerEvent; target: Target | null } | null = null;
  private drag: Drag | null = null;
  private lens: SVGSVGElement | null = null;
  private isHandled = false;

  constructor(private readonly board: PointerBoard) {
    const { element } = board;
    element.addEventListener('pointerdown', (event) => this.down(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.up(event));
    element.addEventListener('pointercancel', () => this.stop());
    // A finger that drags a piece or aims through the lens does not scroll the page.
    element.addEventListener('touchmove', (event) => {
      if (event.cancelable && (this.drag || this.lens || this.pressed?.target?.choice?.kind === 'piece')) event.preventDefault();
    }, { passive: false });
    element.addEventListener('click', (event) => this.click(event));
  }

  /** Completes a drop that was waiting for the places where the piece can go. */
  update(): void {
    if (!this.drag?.isReleased) return;
    const target = this.nearest(this.drag.to, TARGET_PX_MIN);
    const { piece, from } = this.drag;
    this.stop();
    const isElsewhere = target && Math.hypot(target.x - from.x, target.y - from.y) > 0.01 && target.choice?.piece !== piece;
    if (!isElsewhere) return;
    this.board.dropped();
    this.board.choose(target);
  }

  private down(event: PointerEvent): void {
    this.isHandled = false;
    if (!event.isPrimary || event.button !== 0) return;
    this.pressed = { event, target: this.pick(event) };
    if (event.pointerType === 'touch' && this.isDense()) this.showLens(event);
  }

  private move(event: PointerEvent): void {
    if (!this.pressed || !event.isPrimary) return;
    const { target, event: start } = this.pressed;
    if (this.lens) this.moveLens(event);
    if (this.drag) {
      this.moveDrag(event);
      return;
    }
    const isFar = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > DRAG_PX;
    if (!isFar || target?.choice?.kind !== 'piece' || target.choice.piece === undefined) return;
    this.drag = { piece: target.choice.piece, from: { x: target.x, y: target.y }, to: this.spot(event), isReleased: false };
    this.board.element.setPointerCapture(event.pointerId);
    this.board.element.classList.add('dragging');
    this.board.choose(target);
    this.moveDrag(event);
  }

  private up(event: PointerEvent): void {
    const { drag, lens, pressed } = this;
    this.pressed = null;
    if (drag) {
      this.isHandled = true;
      drag.isReleased = true;
      // Until the places arrive, the piece stays where it was dropped.
      if (this.open().some((it) => it.choice?.kind === 'point')) this.update();
    } else if (lens && pressed) {
      const target = this.pick(event);
      this.stop();
      if (!target?.choice) return;
      this.isHandled = true;
      this.board.choose(target);
    }
  }

  private click(event: MouseEvent): void {
    if (this.isHandled) {
      this.isHandled = false;
      return;
    }
    const target = this.pick(event);
    if (target?.choice) this.board.choose(target);
    else if (target) this.board.refuse(target);
  }

  private stop(): void {
    if (this.drag) this.board.pieceOf(this.drag.piece)?.style.removeProperty('transform');
    this.board.element.classList.remove('dragging');
    this.lens?.remove();
    this.drag = this.pressed = this.lens = null;
  }

  private open(): Target[] {
    return this.board.targets().filter((target) => target.choice);
  }

  /** Returns whether the possible places are closer to each other than a finger can tell. */
  private isDense(): boolean {
    const open = this.open();
    const px = this.pixels();
    return open.some((a, i) => open.slice(i + 1).some((b) => Math.hypot(a.x - b.x, a.y - b.y) * px < TARGET_PX_MIN));
  }

  /** Returns CSS pixels per unit of the board. */
  private pixels(): number {
    return this.board.element.getScreenCTM()?.a ?? 1;
  }

  private spot(event: MouseEvent): Spot {
    const matrix = this.board.element.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  /** Returns the place under a pointer, or the nearest possible one if that is as near as
   * the smallest target. */
  private pick(event: MouseEvent): Target | null {
    const key = (event.target as Element | null)?.closest<SVGGElement>('[data-key]')?.dataset.key;
    const exact = this.board.targets().find((target) => target.key === key) ?? null;
    // A key press or a script that clicks has no coordinates.
    if (event.detail === 0 && event.type === 'click') return exact;
    const near = this.nearest(this.spot(event), TARGET_PX_MIN / 2 + 2);
    if (!near || !exact?.choice) return near ?? exact;
    return exact.element.classList.contains('handle-target') ? exact : near;
  }

  private nearest({ x, y }: Spot, px: number): Target | null {
    const reach = px / this.pixels();
    const distance = (it: Target) => Math.hypot(it.x - x, it.y - y);
    const near = this.open().filter((it) => distance(it) <= reach);
    return near.reduce<Target | null>((best, it) => (!best || distance(it) < distance(best) ? it : best), null);
  }

  private moveDrag(event: PointerEvent): void {
    const drag = this.drag!;
    drag.to = this.spot(event);
    const piece = this.board.pieceOf(drag.piece);
    if (piece) piece.style.transform = `translate(${drag.to.x - drag.from.x}px, ${drag.to.y - drag.from.y}px)`;
  }

  private showLens(event: PointerEvent): void {
    this.lens = this.board.element.cloneNode(true) as SVGSVGElement;
    this.lens.setAttribute('class', 'board lens');
    this.lens.setAttribute('aria-hidden', 'true');
    this.lens.removeAttribute('role');
    for (const it of this.lens.querySelectorAll('[tabindex]')) it.removeAttribute('tabindex');
    this.lens.append(svg('circle', { class: 'aim', r: 0.5 }));
    this.board.element.after(this.lens);
    this.moveLens(event);
  }

  /** Shows the surroundings of the finger above it, and the place that it would choose. */
  private moveLens(event: PointerEvent): void {
    const lens = this.lens!;
    const { x, y } = this.spot(event);
    const size = LENS_PX / (this.pixels() * LENS_ZOOM);
    lens.setAttribute('viewBox', `${x - size / 2} ${y - size / 2} ${size} ${size}`);
    lens.style.left = `${Math.min(innerWidth - LENS_PX, Math.max(0, event.clientX - LENS_PX / 2))}px`;
    lens.style.top = `${Math.max(0, event.clientY - LENS_PX - 36)}px`;
    const aim = lens.querySelector('.aim')!;
    const target = this.nearest({ x, y }, TARGET_PX_MIN / 2 + 2);
    aim.setAttribute('visibility', target ? 'visible' : 'hidden');
    aim.setAttribute('cx', String(target?.x ?? x));
    aim.setAttribute('cy', String(target?.y ?? y));
  }
}
