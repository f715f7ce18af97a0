// Turns a layout by quarters, clockwise. A layout of two boards side by side stays so: each
// board turns about its own centre.

import type { Layout } from '../api/types';
import { partsOf } from './stacked-layout';

/** A layout that may have been turned. */
export type TurnedLayout = Layout & { quarters?: number };

const known = new WeakMap<Layout, Layout[]>();

/** Returns the layout turned by a number of quarters; the same layout for none. */
export function turnedLayout(layout: Layout, quarters: number): Layout {
  const n = ((quarters % 4) + 4) % 4;
  if (n === 0 || layout.points.length === 0) return layout;
  const turned = known.get(layout) ?? [];
  known.set(layout, turned);
  return (turned[n] ??= turn(layout, n));
}

const SIDES = ['L', 'T', 'R', 'B'];

/** Returns the side of the drawing where a named side of the board is. */
export function shownSide(layout: TurnedLayout, side: string): string {
  const at = SIDES.indexOf(side);
  return at < 0 ? side : SIDES[(at + (layout.quarters ?? 0)) % 4]!;
}

/** A label that names a board, not a row or a column. */
const isCaption = ({ text }: { text: string }): boolean => text.length > 2;
const CAPTION_MARGIN = 0.45;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function turn(layout: Layout, quarters: number): TurnedLayout {
  let turned: TurnedLayout = { ...layout, points: [], blocks: [], labels: [], quarters };
  let left = 0;
  for (const part of partsOf(layout)) {
    const { x: cx, y: cy } = part.centre;
    const spin = (x: number, y: number): [number, number] => {
      let [dx, dy] = [x - cx, y - cy];
      for (let n = 0; n < quarters; n += 1) [dx, dy] = [-dy, dx];
      return [dx, dy];
    };
    const place = <T extends { x: number; y: number }>(item: T, offset: [number, number]): T => {
      const [x, y] = spin(item.x, item.y);
      return { ...item, x: x + offset[0], y: y + offset[1] };
    };
    // Captions stay below their board.
    const captions = part.labels.filter(isCaption);
    const corners = [spin(part.box.left, part.box.top), spin(part.box.right, part.box.bottom)];
    const box: Box = {
      left: Math.min(...corners.map(([x]) => x)), right: Math.max(...corners.map(([x]) => x)),
      top: Math.min(...corners.map(([, y]) => y)),
      bottom: Math.max(...corners.map(([, y]) => y), ...captions.map((label) => label.y - cy + CAPTION_MARGIN)),
    };
    const offset: [number, number] = [left - box.left, -box.top];
    turned = {
      ...turned,
      points: [...turned.points, ...part.points.map((point) => place(point, offset))],
      labels: [...turned.labels, ...part.labels.map((label) => (isCaption(label)
        ? { ...label, x: label.x - cx + offset[0], y: label.y - cy + offset[1] } : place(label, offset)))],
      blocks: [...turned.blocks, ...part.blocks.map((block) => {
        const { x, y } = place({ x: block.x + block.width / 2, y: block.y + block.height / 2 }, offset);
        const [width, height] = quarters % 2 === 1 ? [block.height, block.width] : [block.width, block.height];
        return { ...block, x: x - width / 2, y: y - height / 2, width, height };
      })],
      width: left + box.right - box.left,
      height: Math.max(left > 0 ? turned.height : 0, box.bottom - box.top),
    };
    left = turned.width;
  }
  return turned;
}
