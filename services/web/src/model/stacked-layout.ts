// Layouts of two boards side by side: their parts, and one below the other for narrow
// screens.

import type { Block, Layout } from '../api/types';

const known = new WeakMap<Layout, Layout>();

/** Returns the right part below the left one; the same layout if it is not wide or does
 * not have two parts. */
export function stackedLayout(layout: Layout): Layout {
  let stacked = known.get(layout);
  if (!stacked) known.set(layout, (stacked = stack(layout)));
  return stacked;
}

/** A part of a layout: the area that it covers, and what lies there. */
export interface Part {
  box: { left: number; top: number; right: number; bottom: number };
  /** Centre of its blocks, or of the area if there are none. */
  centre: { x: number; y: number };
  points: Layout['points'];
  blocks: Block[];
  labels: Layout['labels'];
}

/** Returns the two boards of a wide layout, left first, or the whole layout. */
export function partsOf(layout: Layout): Part[] {
  const split = splitOf(layout);
  if (!split) return [part(layout, 0, layout.width, () => true)];
  const right = split.right - Math.min(...layout.blocks.map((block) => block.x));
  return [
    part(layout, 0, right, (x) => x <= split.left + 0.01),
    part(layout, right, layout.width, (x) => x > split.left + 0.01),
  ];
}

function part(layout: Layout, left: number, right: number, isIn: (x: number) => boolean): Part {
  const blocks = layout.blocks.filter((block) => isIn(block.x));
  const xs = blocks.flatMap((block) => [block.x, block.x + block.width]);
  const ys = blocks.flatMap((block) => [block.y, block.y + block.height]);
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return {
    box: { left, top: 0, right, bottom: layout.height },
    centre: blocks.length > 0 ? { x: middle(xs), y: middle(ys) } : { x: (left + right) / 2, y: layout.height / 2 },
    points: layout.points.filter((point) => isIn(point.x)),
    blocks,
    labels: layout.labels.filter((label) => isIn(label.x)),
  };
}

function stack(layout: Layout): Layout {
  const split = splitOf(layout);
  if (!split) return layout;
  const [dx, dy] = [split.right - Math.min(...layout.blocks.map((block) => block.x)), layout.height];
  const moved = <T extends { x: number; y: number }>(item: T): T =>
    item.x > split.left + 0.01 ? { ...item, x: item.x - dx, y: item.y + dy } : item;
  return {
    ...layout,
    width: layout.width - dx,
    height: layout.height + dy,
    points: layout.points.map(moved),
    blocks: layout.blocks.map(moved),
    labels: layout.labels.map(moved),
  };
}

/** Returns where the left board of a wide layout ends and the right one begins. */
function splitOf(layout: Layout): { left: number; right: number } | null {
  return layout.width > layout.height * 1.4 ? widestGap(layout) : null;
}

/** Returns the widest vertical gap between blocks, if it is at least half a cell wide:
 * where the left part ends and where the right one begins. */
function widestGap({ blocks }: Layout): { left: number; right: number } | null {
  const edges = blocks.map((block) => block.x + block.width).map((left) => {
    const others = blocks.filter((block) => block.x >= left).map((block) => block.x);
    const isClear = blocks.every((block) => block.x + block.width <= left || block.x >= left);
    return { left, right: isClear && others.length > 0 ? Math.min(...others) : left };
  });
  const widest = edges.reduce((a, b) => (b.right - b.left > a.right - a.left ? b : a), { left: 0, right: 0 });
  return widest.right - widest.left >= 0.5 ? widest : null;
}
