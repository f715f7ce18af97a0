// Drags pieces from the tray to the board, on the board and off it.

const DRAG_PX = 6;

export interface Dragged {
  piece: string;
  /** Point that it comes from; null for the tray. */
  from: string | null;
}

export interface DragBoard {
  element: SVGSVGElement;
  /** Returns the piece at a point that can be dragged. */
  pieceAt: (point: string) => string | null;
  /** Returns the drawing of a piece. */
  picture: (piece: string) => SVGSVGElement;
  drop: (dragged: Dragged, to: string | null) => void;
}

export class Dragging {
  private pressed: { dragged: Dragged; x: number; y: number } | null = null;
  private ghost: HTMLElement | null = null;
  /** Whether the press that ends now was a drag, so that its click does nothing. */
  wasDrag = false;

  constructor(private readonly board: DragBoard, private readonly holder: HTMLElement) {
    holder.addEventListener('pointerdown', (event) => this.down(event));
    holder.addEventListener('pointermove', (event) => this.move(event));
    holder.addEventListener('pointerup', (event) => this.up(event));
    holder.addEventListener('pointercancel', () => this.stop());
    holder.addEventListener('touchmove', (event) => this.ghost && event.cancelable && event.preventDefault(), { passive: false });
  }

  private down(event: PointerEvent): void {
    this.wasDrag = false;
    if (!event.isPrimary || event.button !== 0) return;
    const target = event.target as Element;
    const inTray = target.closest<HTMLElement>('[data-tray]')?.dataset.tray;
    const point = this.pointOf(target);
    const piece = inTray ?? (point === null ? null : this.board.pieceAt(point));
    if (piece) this.pressed = { dragged: { piece, from: inTray ? null : point }, x: event.clientX, y: event.clientY };
  }

  private move(event: PointerEvent): void {
    if (!this.pressed || !event.isPrimary) return;
    const { x, y, dragged } = this.pressed;
    if (!this.ghost && Math.hypot(event.clientX - x, event.clientY - y) > DRAG_PX) {
      this.ghost = document.createElement('div');
      this.ghost.className = 'dragged';
      this.ghost.append(this.board.picture(dragged.piece));
      this.holder.append(this.ghost);
      this.holder.setPointerCapture(event.pointerId);
    }
    if (this.ghost) this.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  }

  private up(event: PointerEvent): void {
    const { pressed, ghost } = this;
    this.stop();
    if (!pressed || !ghost) return;
    this.wasDrag = true;
    const under = document.elementsFromPoint(event.clientX, event.clientY).find((it) => this.board.element.contains(it) && this.pointOf(it) !== null);
    this.board.drop(pressed.dragged, under ? this.pointOf(under) : null);
  }

  private stop(): void {
    this.ghost?.remove();
    this.ghost = this.pressed = null;
  }

  private pointOf(element: Element): string | null {
    const key = element.closest<SVGGElement>('[data-key]')?.dataset.key ?? '';
    return this.board.element.contains(element) && key.startsWith('point ') ? key.slice('point '.length) : null;
  }
}
