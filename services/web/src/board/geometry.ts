// Geometry of a board: handles between the holes, neighbours by direction.

import type { Block, Layout, Piece, Point } from '../api/types';
import type { Choice } from '../model/choice';
import { shownSide } from '../model/turned-layout';

export interface Spot {
  x: number;
  y: number;
  r: number;
}

export const radiusOf = (point: Point): number => (point.radius > 0 ? point.radius : 0.4);

/** Returns where a point's pieces are drawn: a single one in its centre, several around it. */
export function pieceSpots(point: Point, count: number): Spot[] {
  const r = radiusOf(point);
  if (count === 1) return [{ x: point.x, y: point.y, r: r * 0.88 }];
  const size = r * 0.52;
  const distance = size / Math.sin(Math.PI / count);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / count - Math.PI / 2;
    return { x: point.x + Math.cos(angle) * distance, y: point.y + Math.sin(angle) * distance, r: size };
  });
}

/** Returns where the handle of a choice is drawn that is neither a point nor a piece. */
export function handleSpot(choice: Choice, layout: Layout): Spot | null {
  if (choice.kind === 'turn' || choice.kind === 'block') {
    const block = layout.blocks.find((it) => it.id === choice.block);
    return block ? blockSpot(block, layout, choice) : null;
  }
  if (choice.kind !== 'side') return null;
  const bounds = boundsOf(namedBlocks(layout));
  const { x, y, width, height } = bounds;
  const inset = 1;
  const middle = { x: x + width / 2, y: y + height / 2, r: 0.34 };
  switch (shownSide(layout, choice.word)) {
    case 'L': return { ...middle, x: x + inset };
    case 'R': return { ...middle, x: x + width - inset };
    case 'T': return { ...middle, y: y + inset };
    default: return { ...middle, y: y + height - inset };
  }
}

/** Returns the blocks that moves can name: `1`, but not the `1'` underneath it. */
export function namedBlocks(layout: Layout): Block[] {
  return layout.blocks.filter((block) => /^[A-Za-z0-9]+$/.test(block.id));
}

export function boundsOf(blocks: Block[]): { x: number; y: number; width: number; height: number } {
  const x = Math.min(...blocks.map((block) => block.x));
  const y = Math.min(...blocks.map((block) => block.y));
  const right = Math.max(...blocks.map((block) => block.x + block.width));
  const bottom = Math.max(...blocks.map((block) => block.y + block.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns a free place in the outer half of a block, between its points: on the left for
 * anticlockwise turns, on the right for clockwise ones. */
function blockSpot(block: Block, layout: Layout, choice: Choice): Spot {
  const own = new Set(block.points);
  const points = layout.points.filter((point) => own.has(point.id));
  const isUpper = block.y + block.height / 2 <= layout.height / 2 + 0.5;
  const isLeft = block.x + block.width / 2 <= boundsOf(namedBlocks(layout)).x + boundsOf(namedBlocks(layout)).width / 2;
  const right = choice.kind === 'block' ? !isLeft : choice.suffix === 'r';
  const x = block.x + block.width * (right ? 2 / 3 : 1 / 3);
  const y = block.y + block.height * (isUpper ? 1 / 3 : 2 / 3);
  const gap = Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y) - radiusOf(point)));
  return { x, y, r: Math.min(0.36, Math.max(0.26, gap)) };
}

/** Returns the nearest target in a direction, for arrow keys; targets straight ahead are
 * preferred to those aside. */
export function neighbour<T extends { x: number; y: number }>(from: T, targets: T[], dx: number, dy: number): T | null {
  let best: T | null = null;
  let bestCost = Infinity;
  for (const target of targets) {
    const [x, y] = [target.x - from.x, target.y - from.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (target === from || ahead <= 0.05 || aside > ahead * 2) continue;
    const cost = ahead + aside * 2;
    if (cost < bestCost) [best, bestCost] = [target, cost];
  }
  return best;
}

/** Returns the seats that have pieces, in the layout's order. */
export function seatsOf(layout: Layout | null): string[] {
  return [...new Set(layout?.pieces.map((piece) => piece.seat).filter((seat) => seat !== ''))];
}

/** Returns the path of a seat's sign: a ring, a triangle, a square, a cross. */
export function signPath(seat: number, { x, y, r }: Spot): string {
  const at = (dx: number, dy: number) => `${(x + dx * r).toFixed(3)} ${(y + dy * r).toFixed(3)}`;
  switch (seat % 4) {
    case 0: return `M${at(-1, 0)}A${r} ${r} 0 1 0 ${at(1, 0)}A${r} ${r} 0 1 0 ${at(-1, 0)}Z`;
    case 1: return `M${at(0, -1.1)}L${at(1.05, 0.75)}L${at(-1.05, 0.75)}Z`;
    case 2: return `M${at(-0.85, -0.85)}L${at(0.85, -0.85)}L${at(0.85, 0.85)}L${at(-0.85, 0.85)}Z`;
    default: return `M${at(-0.9, -0.9)}L${at(0.9, 0.9)}M${at(0.9, -0.9)}L${at(-0.9, 0.9)}`;
  }
}

/** Returns the kind of piece that a seat puts on the board, if it has exactly one. */
export function pieceOfSeat(layout: Layout, seat: string): Piece | null {
  const own = layout.pieces.filter((piece) => piece.seat === seat && piece.shape !== 'spot');
  return own.length === 1 ? own[0]! : null;
}
