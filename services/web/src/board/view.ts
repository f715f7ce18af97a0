// The board on the page: drawing, pieces, targets to choose, annotations and movements.
// One DOM serves mouse, touch, keyboard and screen readers: every point is a focusable
// element with a spoken label, and arrow keys move to the neighbour in that direction.

import type { Layout, Piece, Pieces, Point } from '../api/types';
import { blockChoices, placeOf, type Choice } from '../model/choice';
import { draw, drawPieces, type Drawing } from './drawing';
import { handleSpot, neighbour, pieceSpots, seatsOf } from './geometry';
import { drawAnnotations, drawValues } from './draw-annotations';
import { NO_ANNOTATIONS, type Annotations } from './annotations';
import type { Motion } from './motion';
import { animate, isMotionReduced } from './animation';
import { Pointer } from './pointer';
import { label, svg } from './svg';
import { handleLabel, handleShape, nearest, pieceShape, pointShape, type BoardWords, type Target } from './targets';

export type { BoardWords };

export class BoardView {
  readonly element: SVGSVGElement;
  onChoose: (choice: Choice) => void = () => undefined;
  onCancel: () => void = () => undefined;
  /** Called for a press on a point that cannot be chosen. */
  onRefuse: (point: string) => void = () => undefined;
  /** Called for keys that the board does not handle. */
  onKey: (event: KeyboardEvent) => boolean = () => false;

  private layout: Layout | null = null;
  private drawing: Drawing | null = null;
  private kinds = new Map<string, Piece>();
  private points = new Map<string, Point>();
  private pieces: Pieces = {};
  private choices: Choice[] = [];
  private chosen: Choice[] = [];
  private annotations: Annotations = NO_ANNOTATIONS;
  private ghost: { point: string; piece: string } | null = null;
  private targets: Target[] = [];
  private focused = '';
  /** Whether the focus was on a target that was removed with its layout. */
  private wasFocused = false;
  private isChanging = false;
  private isOutdated = false;
  private stopMotion: (() => void) | null = null;
  private hasMarks = false;
  /** Whether the piece that moves next was dragged to its place. */
  private wasDragged = false;
  private readonly pointer: Pointer;
  private readonly annotationLayer = svg('g', { class: 'marks' });
  private readonly targetLayer = svg('g', { class: 'targets' });
  private readonly valueLayer = svg('g', { class: 'marks' });

  constructor(private words: BoardWords) {
    this.element = svg('svg', { class: 'board', role: 'group', viewBox: '0 0 1 1' });
    this.pointer = new Pointer({
      element: this.element,
      targets: () => this.targets,
      pieceOf: (id) => this.element.querySelector<SVGGElement>(`.ground [data-piece="${CSS.escape(id)}"]`),
      choose: (target) => this.choose(target),
      refuse: (target) => this.refuse(target),
      dropped: () => (this.wasDragged = true),
    });
    this.element.addEventListener('keydown', (event) => this.keydown(event));
    this.element.addEventListener('pointerover', (event) => this.hover(event));
    this.element.addEventListener('pointerout', () => this.tilt(null));
  }

  /** Makes several changes and updates the targets once. */
  change(changes: () => void): void {
    this.isChanging = true;
    try {
      changes();
    } finally {
      this.isChanging = false;
      if (this.isOutdated) this.updateTargets();
    }
  }

  setWords(words: BoardWords): void {
    this.words = words;
    this.element.setAttribute('aria-label', words.board);
    this.updateTargets();
  }

  /** Draws a sign of its seat on each piece, or none. */
  setMarks(hasMarks: boolean): void {
    if (hasMarks === this.hasMarks) return;
    this.hasMarks = hasMarks;
    for (const layer of this.drawing?.layers.values() ?? []) delete layer.dataset.shown;
    this.showPieces(this.pieces, false);
  }

  /** Colours of what is drawn without colours of the layout. */
  setLook(look: string): void {
    this.element.dataset.look = look;
  }

  setLayout(layout: Layout): void {
    if (layout === this.layout) return;
    this.wasFocused = this.hasFocus;
    this.focused = this.activeTarget?.key ?? this.focused;
    this.stopMotion?.();
    this.layout = layout;
    this.pieces = {};
    // Targets with the same key may have moved.
    this.targets = [];
    this.targetLayer.replaceChildren();
    this.kinds = new Map(layout.pieces.map((piece) => [piece.id, piece]));
    this.points = new Map(layout.points.map((point) => [point.id, point]));
    this.drawing = draw(layout);
    const labels = svg('g', { class: 'labels' });
    const size = Math.max(0.32, layout.width / 44);
    layout.labels.forEach(({ text, x, y }) => labels.append(label(text, x, y, size, 'currentColor')));
    this.element.setAttribute('viewBox', `0 0 ${Math.max(0.1, layout.width)} ${Math.max(0.1, layout.height)}`);
    this.element.replaceChildren(this.drawing.defs, this.drawing.ground, labels, this.annotationLayer, this.targetLayer, this.valueLayer);
    this.setWords(this.words);
  }

  /** Shows a position, after its animation if there is one. */
  setPieces(pieces: Pieces, motion: Motion | null = null): void {
    this.stopMotion?.();
    this.stopMotion = null;
    const { drawing } = this;
    if (!drawing) return;
    if (!motion || isMotionReduced()) {
      this.showPieces(pieces, !isMotionReduced());
      return;
    }
    const isThere = this.wasDragged && motion.slides.length > 0;
    this.wasDragged = false;
    this.showPieces(motion.between, !isThere);
    if (isThere || motion.blocks.length + motion.slides.length === 0) return;
    this.element.classList.add('moving');
    const movement = animate(drawing, this.points, motion, () => this.showPieces(pieces, false));
    this.stopMotion = () => {
      movement.stop();
      this.element.classList.remove('moving');
      this.showPieces(pieces, false);
    };
    void movement.done.then(() => this.stopMotion?.());
  }

  /** Sets the possible choices and the steps already chosen. */
  setChoices(choices: Choice[], chosen: Choice[] = [], ghost: { point: string; piece: string } | null = null): void {
    this.choices = choices;
    this.chosen = chosen;
    if (ghost?.point !== this.ghost?.point || ghost?.piece !== this.ghost?.piece) {
      const old = this.ghost;
      this.ghost = ghost;
      if (!this.stopMotion) for (const it of [old, ghost]) if (it) this.drawPoint(it.point, this.pieces, false);
    }
    this.updateTargets();
  }

  setAnnotations(annotations: Annotations): void {
    const before = this.annotations;
    this.annotations = annotations;
    if (annotations.preview !== before.preview) this.showPieces(this.pieces, false);
    // Values are part of the spoken labels.
    if (annotations.values.size > 0 || before.values.size > 0) this.updateTargets();
    else this.drawAnnotations();
  }

  /** Moves the focus to the board. */
  focus(): void {
    const target = this.targets.find((it) => it.key === this.focused) ?? this.targets.find((it) => it.choice);
    (target ?? this.targets[0])?.element.focus();
  }

  get hasFocus(): boolean {
    const root = this.element.getRootNode() as Document | ShadowRoot;
    return root.activeElement !== null && this.element.contains(root.activeElement);
  }

  // ---- pieces -------------------------------------------------------------

  private showPieces(pieces: Pieces, lively: boolean): void {
    const before = this.pieces;
    this.pieces = pieces;
    for (const point of this.points.keys()) this.drawPoint(point, before, lively);
    this.updateTargets();
  }

  private drawPoint(id: string, before: Pieces, lively: boolean): void {
    const { drawing } = this;
    const point = this.points.get(id);
    const layer = drawing?.layers.get(id);
    if (!drawing || !point || !layer) return;
    const shown = (this.annotations.preview ?? this.pieces)[id] ?? [];
    const ghost = this.ghost?.point === id && !this.annotations.preview ? this.ghost.piece : null;
    const ids = ghost !== null ? [ghost] : shown;
    const signature = `${ghost !== null ? 'ghost ' : ''}${ids.join(' ')}`;
    if (layer.dataset.shown === signature) return;
    const wasGhost = layer.dataset.shown === `ghost ${signature}`;
    layer.dataset.shown = signature;
    const kinds = ids.map((piece) => this.kinds.get(piece)).filter((piece) => piece !== undefined);
    if (!wasGhost) layer.replaceChildren(...(kinds.length > 0 ? drawPieces(point, kinds, drawing.gradient, this.marks()) : []));
    layer.classList.toggle('ghost', ghost !== null);
    const isNew = lively && !wasGhost && ids.some((piece) => !(before[id] ?? []).includes(piece));
    layer.classList.remove('arriving');
    if (isNew && ghost === null) {
      layer.style.transformOrigin = `${point.x}px ${point.y}px`;
      layer.classList.add('arriving');
    }
  }

  /** The number of each seat, if its pieces have a sign. */
  private marks(): string[] | null {
    return this.hasMarks ? seatsOf(this.layout) : null;
  }

  // ---- targets ------------------------------------------------------------

  /** Creates the targets. Points always have one, so that the board can be explored;
   * pieces that share a point and handles of blocks only while they can be chosen. */
  private updateTargets(): void {
    const { layout } = this;
    this.isOutdated = this.isChanging;
    if (!layout || this.isChanging) return;
    const hadFocus = this.hasFocus || this.wasFocused;
    this.wasFocused = false;
    this.focused = this.activeTarget?.key ?? this.focused;
    const old = new Map(this.targets.map((target) => [target.key, target]));
    const wanted: Target[] = [];
    const put = (key: string, x: number, y: number, choice: Choice | null, shape: () => Element[]) => {
      let target = old.get(key);
      if (!target) {
        const element = svg('g', { role: 'button', tabindex: -1, 'data-key': key }, ...shape());
        target = { key, x, y, element, choice };
      }
      target.choice = choice;
      wanted.push(target);
      return target;
    };
    const blocks = blockChoices(this.choices, layout);
    for (const point of layout.points) {
      const here = this.choices.filter((choice) => choice.point === point.id);
      const choice = here.length === 1 ? here[0]! : blocks.get(point.id) ?? null;
      const target = put(`point ${point.id}`, point.x, point.y, choice, () => pointShape(point));
      this.describe(target, this.pointLabel(point, choice !== null), choice ? `choosable ${choice.kind}${this.pieces[point.id] ? ' occupied' : ''}` : '');
      if (here.length > 1) this.putPieces(point, here, put);
    }
    const byPoint = new Set(blocks.values());
    for (const choice of this.choices) if (!byPoint.has(choice)) this.putHandle(choice, put);
    const chosen = new Set(this.chosen.map((choice) => choice.point));
    for (const target of wanted) target.element.classList.toggle('chosen', chosen.has(target.key.slice(6)) && target.key.startsWith('point '));
    const keep = new Set(wanted);
    for (const target of this.targets) if (!keep.has(target)) target.element.remove();
    for (const target of wanted) if (target.element.parentNode !== this.targetLayer) this.targetLayer.append(target.element);
    this.targets = wanted;
    this.updateFocus(hadFocus);
    this.drawAnnotations();
    this.pointer.update();
  }

  private putPieces(point: Point, here: Choice[], put: (key: string, x: number, y: number, choice: Choice, shape: () => Element[]) => Target): void {
    const standing = this.pieces[point.id] ?? [];
    const spots = pieceSpots(point, standing.length);
    for (const choice of here) {
      const spot = spots[standing.indexOf(choice.piece ?? '')];
      if (!spot) continue;
      const target = put(placeOf(choice), spot.x, spot.y, choice, () => pieceShape(spot));
      const kind = this.kinds.get(choice.piece!);
      this.describe(target, kind ? this.words.piece(kind) : choice.word, 'choosable piece-target');
    }
  }

  private putHandle(choice: Choice, put: (key: string, x: number, y: number, choice: Choice, shape: () => Element[]) => Target): void {
    const { layout } = this;
    const spot = layout && handleSpot(choice, layout);
    if (!spot) return;
    const target = put(placeOf(choice), spot.x, spot.y, choice, () => handleShape(choice, spot, layout));
    this.describe(target, handleLabel(choice, this.words), 'choosable handle-target');
  }

  private describe(target: Target, name: string, className: string): void {
    const { element, choice } = target;
    const value = this.annotations.values.get(target.key);
    element.setAttribute('aria-label', value ? `${name}, ${this.words.value(value)}` : name);
    element.setAttribute('class', `target ${className}`);
    if (choice) {
      element.removeAttribute('aria-disabled');
      element.dataset.choice = choice.text;
    } else {
      element.setAttribute('aria-disabled', 'true');
      delete element.dataset.choice;
    }
  }

  private pointLabel(point: Point, canChoose = false): string {
    const standing = (this.pieces[point.id] ?? []).map((id) => {
      const kind = this.kinds.get(id);
      return kind ? this.words.piece(kind) : id;
    });
    const parts = [point.id, standing.length > 0 ? standing.join(', ') : this.words.empty];
    if (canChoose || this.choices.some((choice) => choice.point === point.id)) parts.push(this.words.canChoose);
    return parts.join(', ');
  }

  // ---- focus and input ----------------------------------------------------

  /** The target with the focus, which a screen reader moves as well. Found when it is
   * needed: a listener of focus events would make the drawing itself a tab stop. */
  private get activeTarget(): Target | undefined {
    const { activeElement } = this.element.getRootNode() as Document | ShadowRoot;
    return this.targets.find((it) => it.element === activeElement);
  }

  /** Keeps one target in the tab order. If the focused one was removed, or only handles
   * can be chosen, the nearest possible target gets the focus. */
  private updateFocus(hadFocus: boolean): void {
    const at = this.targets.find((target) => target.key === this.focused);
    const onlyHandles = this.choices.length > 0 && this.targets.every((it) => !it.choice || it.element.classList.contains('handle-target'));
    let target = at ?? this.targets.find((it) => it.choice) ?? this.targets[0];
    if (at && onlyHandles && !at.choice) target = nearest(at, this.targets.filter((it) => it.choice)) ?? at;
    if (!target) return;
    this.focused = target.key;
    for (const it of this.targets) it.element.setAttribute('tabindex', it === target ? '0' : '-1');
    if (hadFocus && target.element !== (this.element.getRootNode() as Document).activeElement) target.element.focus();
  }

  private targetOf(event: Event): Target | undefined {
    const key = (event.target as Element | null)?.closest<SVGGElement>('[data-key]')?.dataset.key;
    return this.targets.find((target) => target.key === key);
  }

  private choose(target: Target): void {
    this.moveFocus(target, false);
    if (target.choice) this.onChoose(target.choice);
  }

  private refuse(target: Target): void {
    this.moveFocus(target, false);
    if (target.key.startsWith('point ')) this.onRefuse(target.key.slice('point '.length));
  }

  private keydown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = this.targetOf(event);
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const arrow = arrows[event.key];
    if (arrow && target) {
      const next = neighbour(target, this.targets, ...arrow);
      if (next) this.moveFocus(next, true);
    } else if ((event.key === 'Enter' || event.key === ' ') && target) {
      if (target.choice) this.onChoose(target.choice);
      else this.refuse(target);
    } else if ((event.key === 'n' || event.key === 'N') && target) {
      const open = this.targets.filter((it) => it.choice || it === target);
      const step = event.key === 'n' ? 1 : open.length - 1;
      this.moveFocus(open[(open.indexOf(target) + step) % open.length]!, true);
    } else if (event.key === 'Escape' && this.chosen.length > 0) {
      this.onCancel();
    } else if (!this.onKey(event)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private moveFocus(target: Target, andFocus: boolean): void {
    this.focused = target.key;
    for (const it of this.targets) it.element.setAttribute('tabindex', it === target ? '0' : '-1');
    if (andFocus) target.element.focus();
  }

  /** Tilts the block under a handle in the direction of its turn. */
  private hover(event: Event): void {
    this.tilt(this.targetOf(event)?.choice ?? null);
  }

  private tilt(choice: Choice | null): void {
    for (const [id, group] of this.drawing?.blocks ?? []) {
      const leans = choice?.kind === 'turn' && choice.block === id ? choice.suffix : '';
      const block = this.layout?.blocks.find((it) => it.id === id);
      if (block) group.style.transformOrigin = `${block.x + block.width / 2}px ${block.y + block.height / 2}px`;
      group.classList.toggle('leans-right', leans === 'r');
      group.classList.toggle('leans-left', leans === 'l');
    }
  }

  private drawAnnotations(): void {
    if (!this.layout) return;
    this.element.classList.toggle('valued', this.annotations.values.size > 0);
    this.annotationLayer.replaceChildren(...drawAnnotations(this.layout, this.annotations));
    this.valueLayer.replaceChildren(...drawValues(this.annotations, this.targets));
  }
}
