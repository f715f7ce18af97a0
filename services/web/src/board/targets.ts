// Targets, the places that can be chosen: their shapes and spoken labels. `view.ts`
// decides which targets exist.

import type { Layout, Piece, Point } from '../api/types';
import type { Choice } from '../model/choice';
import { shownSide } from '../model/turned-layout';
import { boundsOf, namedBlocks, radiusOf, type Spot } from './geometry';
import type { PlaceValue } from './annotations';
import { arcArrow, label, svg } from './svg';

/** Texts of labels, in the reader's language. */
export interface BoardWords {
  board: string;
  empty: string;
  canChoose: string;
  turnRight: (block: string) => string;
  turnLeft: (block: string) => string;
  flipSide: (side: string) => string;
  flipBlock: (block: string) => string;
  piece: (piece: Piece) => string;
  value: (value: PlaceValue) => string;
}

export interface Target {
  key: string;
  x: number;
  y: number;
  element: SVGGElement;
  choice: Choice | null;
}

/** Draws the target of a point, with the marks of a possible place and a movable piece. */
export function pointShape(point: Point): Element[] {
  const { x, y } = point;
  const r = radiusOf(point);
  const hit = point.shape === 'cell'
    ? svg('rect', { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 0.1, class: 'hit' })
    : svg('circle', { cx: x, cy: y, r: Math.max(r * 1.05, 0.42), class: 'hit' });
  return [hit, svg('circle', { cx: x, cy: y, r: r * (point.shape === 'stop' ? 0.5 : 0.16), class: `legal ${point.shape}` }), movable({ x, y, r })];
}

/** Draws the target of a piece that shares its point with others. */
export function pieceShape({ x, y, r }: Spot): Element[] {
  return [svg('circle', { cx: x, cy: y, r: r * 1.1, class: 'hit' }), movable({ x, y, r })];
}

const movable = ({ x, y, r }: Spot): Element => svg('circle', { cx: x, cy: y, r: r * 1.04, class: 'movable' });

/** Draws the handle of a turn or a flip. */
export function handleShape(choice: Choice, { x, y, r }: Spot, layout: Layout): Element[] {
  return [
    svg('circle', { cx: x, cy: y, r: r * 1.25, class: 'hit' }),
    svg('circle', { cx: x, cy: y, r, class: 'handle' }),
    handleGlyph(choice, { x, y, r }, layout),
  ];
}

export function handleLabel(choice: Choice, words: BoardWords): string {
  if (choice.kind === 'turn' && choice.suffix === 'r') return words.turnRight(choice.block!);
  if (choice.kind === 'turn' && choice.suffix === 'l') return words.turnLeft(choice.block!);
  return choice.kind === 'side' ? words.flipSide(choice.word) : words.flipBlock(choice.block ?? choice.word);
}

export function nearest(from: Target, targets: Target[]): Target | null {
  const distance = (it: Target) => Math.hypot(it.x - from.x, it.y - from.y);
  return targets.reduce<Target | null>((best, it) => (!best || distance(it) < distance(best) ? it : best), null);
}

function handleGlyph(choice: Choice, { x, y, r }: Spot, layout: Layout): Element {
  if (choice.kind === 'turn' && (choice.suffix === 'r' || choice.suffix === 'l')) {
    return svg('path', { d: arcArrow(x, y, r * 0.52, choice.suffix === 'r'), class: 'glyph' });
  }
  if (choice.kind === 'turn') return label(choice.suffix ?? '', x, y, r, 'currentColor');
  // Two opposite arrows across the axis of the flip.
  const side = shownSide(layout, choice.word);
  const angle = choice.kind === 'side' ? (side === 'L' || side === 'R' ? 90 : 0) : flipAngle(choice, layout);
  const [a, b, c] = [r * 0.55, r * 0.2, r * 0.25];
  return svg('path', {
    class: 'glyph',
    d: `M${x - a} ${y - b}H${x + a}M${x + a - c} ${y - b - c}L${x + a} ${y - b}M${x + a} ${y + b}H${x - a}M${x - a + c} ${y + b + c}L${x - a} ${y + b}`,
    transform: `rotate(${angle} ${x} ${y})`,
  });
}

/** Returns the angle across the block's diagonal to the centre of its board. */
function flipAngle(choice: Choice, layout: Layout): number {
  const block = layout.blocks.find((it) => it.id === choice.block);
  if (!block) return 0;
  const bounds = boundsOf(namedBlocks(layout));
  const [isLeft, isTop] = [block.x < bounds.x + bounds.width / 3, block.y < bounds.y + bounds.height / 3];
  return isLeft === isTop ? -45 : 45;
}
