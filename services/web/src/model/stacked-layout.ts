// Stacks a layout of two boards side by side, for narrow screens.

import type { Layout } from '../api/types';

const known = new WeakMap<Layout, Layout>();

/** Returns the right part below the left one; the same layout if it is not wide or does
 * not have two parts. */
export function stackedLayout(layout: Layout): Layout {
  let stacked = known.get(layout);
  if (!stacked) known.set(layout, (stacked = stack(layout)));
  return stacked;
}

function stack(layout: Layout): Layout {
  const split = layout.width > layout.height * 1.4 ? widestGap(layout) : null;
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
