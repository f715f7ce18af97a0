// Looks of the board: other colours for blocks, holes and stops. Colours that tell places
// apart keep their order from dark to light; rare colours of stops and cells, which have a
// meaning, stay.

import type { Layout } from '../api/types';
import { DEFAULTS, lightness, mix, orDefault } from './colour';

export const LOOKS = ['game', 'walnut', 'slate', 'sea', 'grey'] as const;
export type Look = (typeof LOOKS)[number];

export const isLook = (text: unknown): text is Look => (LOOKS as readonly unknown[]).includes(text);

/** The darkest and the lightest colour of a look. */
const RANGES: Record<Exclude<Look, 'game'>, [string, string]> = {
  walnut: ['#1d110a', '#b07f56'],
  slate: ['#141b26', '#9fb0c6'],
  sea: ['#06262b', '#8fcfc4'],
  grey: ['#2e3338', '#c9ced4'],
};

const known = new WeakMap<Layout, Map<Look, Layout>>();

export function withLook(layout: Layout, look: Look): Layout {
  if (look === 'game') return layout;
  const looks = known.get(layout) ?? new Map<Look, Layout>();
  known.set(layout, looks);
  let coloured = looks.get(look);
  if (!coloured) looks.set(look, (coloured = colour(layout, RANGES[look])));
  return coloured;
}

function colour(layout: Layout, [dark, light]: [string, string]): Layout {
  const inRange = (from: string) => mix(dark, light, lightness(from));
  const common = commonest(layout);
  const points = layout.points.map((point) => {
    if (point.shape === 'hole') return { ...point, colour: inRange(orDefault(point.colour, DEFAULTS.hole)) };
    return point.colour === common ? { ...point, colour: inRange(orDefault(common, point.shape === 'cell' ? DEFAULTS.cell : DEFAULTS.stop)) } : point;
  });
  const blocks = layout.blocks.map((block) => ({ ...block, colour: inRange(orDefault(block.colour, DEFAULTS.block)) }));
  return { ...layout, points, blocks };
}

function commonest(layout: Layout): string | null {
  const counts = new Map<string, number>();
  for (const { shape, colour: it } of layout.points) if (shape === 'stop' || shape === 'cell') counts.set(it, (counts.get(it) ?? 0) + 1);
  return [...counts].reduce<[string, number] | null>((best, it) => (!best || it[1] > best[1] ? it : best), null)?.[0] ?? null;
}
