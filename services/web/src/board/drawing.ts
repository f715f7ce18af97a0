// Draws a board and its pieces from the layout: wood and plastic lit from the upper
// left, sunken holes, marbles with a soft gloss, similar to the server's diagrams.

import type { Block, Layout, Piece, Point } from '../api/types';
import { DEFAULTS, isDark, orDefault, shade } from './colour';
import { pieceSpots, radiusOf, signPath, type Spot } from './geometry';
import { label, svg } from './svg';

/** Prefix of the ids of gradients, which are global to a page. */
let drawings = 0;

export interface Drawing {
  /** Everything but labels, annotations and targets. */
  ground: SVGGElement;
  defs: SVGDefsElement;
  /** Group of each block with its points and pieces, which turns as one. */
  blocks: Map<string, SVGGElement>;
  /** Layer of the pieces of each point. */
  layers: Map<string, SVGGElement>;
  gradient: (kind: string) => string;
}

export function draw(layout: Layout): Drawing {
  const prefix = `b${(drawings += 1)}`;
  const gradient = (kind: string) => `url(#${prefix}-${kind})`;
  const defs = svg('defs', {}, ...gradients(layout, prefix));
  const ground = svg('g', { class: 'ground' });
  const blocks = new Map<string, SVGGElement>();
  const layers = new Map<string, SVGGElement>();
  const inBlock = new Map<string, string>();
  if (layout.blocks.length > 0) ground.append(...trays(layout));
  else ground.append(...table(layout));
  for (const block of layout.blocks) {
    block.points.forEach((point) => inBlock.set(point, block.id));
    const group = svg('g', { class: 'block', 'data-block': block.id }, ...blockShape(block, prefix));
    blocks.set(block.id, group);
  }
  ground.append(edges(layout));
  ground.append(...blocks.values());
  const free = svg('g', { class: 'free' });
  const homeOf = (point: Point) => blocks.get(inBlock.get(point.id) ?? '') ?? free;
  for (const point of layout.points) homeOf(point).append(...pointShape(point, gradient));
  // Above all points, so that a moving piece passes over them.
  for (const point of layout.points) {
    const layer = svg('g', { class: 'pieces', 'data-point': point.id });
    homeOf(point).append(layer);
    layers.set(point.id, layer);
  }
  ground.append(free);
  return { ground, defs, blocks, layers, gradient };
}

/** Draws the pieces of a point, with the signs of these seats if there are some. */
export function drawPieces(point: Point, kinds: Piece[], gradient: Drawing['gradient'], seats: string[] | null = null): SVGGElement[] {
  const spots = pieceSpots(point, kinds.length);
  return kinds.map((piece, i) => {
    const group = drawPiece(piece, spots[i]!, gradient);
    const seat = seats?.indexOf(piece.seat) ?? -1;
    if (seat >= 0 && !piece.label && piece.shape !== 'spot') group.append(sign(piece, seat, spots[i]!));
    return group;
  });
}

function sign(piece: Piece, seat: number, { x, y, r }: Spot): SVGPathElement {
  const stroke = isDark(orDefault(piece.fill, DEFAULTS.piece)) ? '#fff' : '#1d1d1d';
  return svg('path', {
    class: 'sign', d: signPath(seat, { x, y, r: r * 0.4 }), fill: 'none', stroke, 'stroke-width': r * 0.16, 'stroke-linejoin': 'round', 'stroke-linecap': 'round',
  });
}

export function drawPiece(piece: Piece, { x, y, r }: Spot, gradient: Drawing['gradient']): SVGGElement {
  const fill = orDefault(piece.fill, DEFAULTS.piece);
  const stroke = orDefault(piece.stroke, shade(fill, -0.35));
  const group = svg('g', { class: `piece ${piece.shape}`, 'data-piece': piece.id });
  const shadow = { cx: x + r * 0.1, cy: y + r * 0.16, r: r * 1.02, fill: '#000', opacity: 0.28 };
  const gloss = svg('ellipse', {
    cx: x - r * 0.28, cy: y - r * 0.42, rx: r * 0.38, ry: r * 0.22, fill: '#fff', opacity: isDark(fill) ? 0.38 : 0.75,
    transform: `rotate(-28 ${x - r * 0.28} ${y - r * 0.42})`,
  });
  switch (piece.shape) {
    case 'disc':
      group.append(
        svg('circle', shadow),
        svg('circle', { cx: x, cy: y, r, fill: gradient(`piece-${cssId(piece.id)}`), stroke, 'stroke-width': 0.025 }),
        gloss,
      );
      break;
    case 'ring':
      group.append(
        svg('circle', { cx: x + r * 0.08, cy: y + r * 0.12, r: r * 0.74, fill: 'none', stroke: '#000', 'stroke-width': r * 0.5, opacity: 0.25 }),
        svg('circle', { cx: x, cy: y, r: r * 0.74, fill: 'none', stroke, 'stroke-width': r * 0.52 }),
        svg('circle', { cx: x, cy: y, r: r * 0.74, fill: 'none', stroke: gradient(`piece-${cssId(piece.id)}`), 'stroke-width': r * 0.44 }),
        svg('path', {
          d: `M${x - r * 0.62} ${y - r * 0.45}A${r * 0.77} ${r * 0.77} 0 0 1 ${x + r * 0.1} ${y - r * 0.76}`,
          fill: 'none', stroke: '#fff', 'stroke-width': r * 0.1, 'stroke-linecap': 'round', opacity: isDark(fill) ? 0.4 : 0.9,
        }),
      );
      break;
    case 'square':
      group.append(
        svg('rect', { x: x - r * 0.75, y: y - r * 0.68, width: r * 1.7, height: r * 1.7, rx: r * 0.2, fill: '#000', opacity: 0.28 }),
        svg('rect', {
          x: x - r * 0.85, y: y - r * 0.85, width: r * 1.7, height: r * 1.7, rx: r * 0.2,
          fill: gradient(`piece-${cssId(piece.id)}`), stroke, 'stroke-width': 0.03,
        }),
        svg('path', {
          d: `M${x - r * 0.62} ${y + r * 0.5}V${y - r * 0.45}Q${x - r * 0.62} ${y - r * 0.62} ${x - r * 0.45} ${y - r * 0.62}H${x + r * 0.5}`,
          fill: 'none', stroke: '#fff', 'stroke-width': r * 0.09, 'stroke-linecap': 'round', opacity: 0.35,
        }),
      );
      break;
    case 'spot':
      group.append(svg('circle', { cx: x, cy: y, r: r * 0.92, fill, stroke, 'stroke-width': 0.03 }));
  }
  if (piece.label) group.append(label(piece.label, x, y + r * 0.04, r * 1.05, isDark(fill) ? '#fff' : '#1d1d1d'));
  return group;
}

export const cssId = (id: string): string => [...id].map((c) => (/[A-Za-z0-9]/.test(c) ? c : `_${c.codePointAt(0)!.toString(16)}`)).join('');

function gradients(layout: Layout, prefix: string): Element[] {
  const radial = (id: string, at: number, stops: [number, string][]) => svg(
    'radialGradient', { id: `${prefix}-${id}`, cx: at, cy: at, r: at < 0.5 ? 0.78 : 0.7 },
    ...stops.map(([offset, colour]) => svg('stop', { offset, 'stop-color': colour })),
  );
  const holes = new Set(layout.points.map((point) => orDefault(point.colour, DEFAULTS.hole)));
  const blocks = new Set(layout.blocks.map((block) => orDefault(block.colour, DEFAULTS.block)));
  return [
    ...[...holes].map((colour) => radial(`hole-${colour.slice(1)}`, 0.62, [
      [0, shade(colour, 0.1)], [0.7, shade(colour, -0.28)], [1, shade(colour, -0.55)],
    ])),
    ...[...blocks].map((colour) => svg(
      'linearGradient', { id: `${prefix}-block-${colour.slice(1)}`, x1: 0, y1: 0, x2: 0.6, y2: 1 },
      svg('stop', { offset: 0, 'stop-color': shade(colour, 0.14) }),
      svg('stop', { offset: 0.5, 'stop-color': colour }),
      svg('stop', { offset: 1, 'stop-color': shade(colour, -0.14) }),
    )),
    ...layout.pieces.map((piece) => {
      const fill = orDefault(piece.fill, DEFAULTS.piece);
      return radial(`piece-${cssId(piece.id)}`, 0.36, [
        [0, shade(fill, 0.45)], [0.45, fill], [1, shade(fill, isDark(fill) ? -0.45 : -0.22)],
      ]);
    }),
  ];
}

/** Draws a tray around each group of touching blocks. */
function trays(layout: Layout): Element[] {
  const groups: Block[][] = [];
  for (const block of layout.blocks) {
    const near = groups.find((group) => group.some((other) => distance(block, other) < 0.5));
    if (near) near.push(block);
    else groups.push([block]);
  }
  return groups.flatMap((group) => {
    const x = Math.min(...group.map((b) => b.x)) - 0.16;
    const y = Math.min(...group.map((b) => b.y)) - 0.16;
    const width = Math.max(...group.map((b) => b.x + b.width)) + 0.16 - x;
    const height = Math.max(...group.map((b) => b.y + b.height)) + 0.16 - y;
    const colour = orDefault(group[0]!.colour, DEFAULTS.block);
    return [
      svg('rect', { x: x + 0.04, y: y + 0.1, width, height, rx: 0.34, fill: '#000', opacity: 0.22 }),
      svg('rect', { x, y, width, height, rx: 0.32, fill: shade(colour, -0.62) }),
    ];
  });
}

function distance(a: Block, b: Block): number {
  const dx = Math.max(0, a.x - (b.x + b.width), b.x - (a.x + a.width));
  const dy = Math.max(0, a.y - (b.y + b.height), b.y - (a.y + a.height));
  return Math.max(dx, dy);
}

function blockShape(block: Block, prefix: string): Element[] {
  const colour = orDefault(block.colour, DEFAULTS.block);
  const { x, y, width, height } = block;
  const name = label(block.id, x + 0.18, y + 0.2, 0.22, isDark(colour) ? shade(colour, 0.72) : shade(colour, -0.6));
  name.setAttribute('class', 'block-name');
  return [
    svg('rect', {
      x, y, width, height, rx: 0.24, fill: `url(#${prefix}-block-${colour.slice(1)})`, stroke: shade(colour, -0.4), 'stroke-width': 0.04,
    }),
    svg('path', {
      d: `M${x + 0.05} ${y + height - 0.3}V${y + 0.26}Q${x + 0.05} ${y + 0.05} ${x + 0.26} ${y + 0.05}H${x + width - 0.3}`,
      fill: 'none', stroke: '#fff', 'stroke-width': 0.035, 'stroke-linecap': 'round', opacity: 0.3,
    }),
    name,
  ];
}

/** Draws the ground of a board without blocks: a disc if its outermost points lie on a
 * circle, otherwise a sheet. */
function table(layout: Layout): Element[] {
  const ring = ringOf(layout);
  if (ring) {
    const { x, y, r } = ring;
    return [
      svg('circle', { cx: x + 0.06, cy: y + 0.14, r: r + 1.45, fill: '#000', opacity: 0.2 }),
      svg('circle', { cx: x, cy: y, r: r + 1.43, class: 'table' }),
    ];
  }
  const xs = layout.points.map((point) => point.x);
  const ys = layout.points.map((point) => point.y);
  if (xs.length === 0) return [];
  const [left, top, margin] = [Math.min(...xs), Math.min(...ys), 0.62];
  const rect = { width: Math.max(...xs) - left + 2 * margin, height: Math.max(...ys) - top + 2 * margin, rx: 0.2 };
  return [
    svg('rect', { x: left - margin + 0.04, y: top - margin + 0.1, ...rect, fill: '#000', opacity: 0.2 }),
    svg('rect', { x: left - margin, y: top - margin, ...rect, class: 'table' }),
  ];
}

/** Returns the circle around the centre of the drawing on which its outermost points lie. */
function ringOf(layout: Layout): Spot | null {
  const [x, y] = [layout.width / 2, layout.height / 2];
  const distances = layout.points.map((point) => Math.hypot(point.x - x, point.y - y));
  const r = Math.max(0, ...distances);
  const onRing = distances.filter((distance) => distance > r * 0.995).length;
  return onRing >= 5 ? { x, y, r } : null;
}

/** Draws lines between points; those of the outer ring are arcs. */
function edges(layout: Layout): SVGGElement {
  const at = new Map(layout.points.map((point) => [point.id, point]));
  const ring = ringOf(layout);
  const isOnRing = (point: Point) => ring !== null && Math.hypot(point.x - ring.x, point.y - ring.y) > ring.r * 0.995;
  const lines = layout.edges.flatMap(({ from, to }): Element[] => {
    const [a, b] = [at.get(from), at.get(to)];
    if (!a || !b) return [];
    if (!ring || !isOnRing(a) || !isOnRing(b)) return [svg('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y })];
    const clockwise = (a.x - ring.x) * (b.y - ring.y) > (a.y - ring.y) * (b.x - ring.x);
    return [svg('path', { d: `M${a.x} ${a.y}A${ring.r} ${ring.r} 0 0 ${clockwise ? 1 : 0} ${b.x} ${b.y}`, fill: 'none' })];
  });
  return svg('g', { class: 'edges' }, ...lines);
}

function pointShape(point: Point, gradient: Drawing['gradient']): Element[] {
  const { x, y } = point;
  const r = radiusOf(point);
  switch (point.shape) {
    case 'hole': {
      const colour = orDefault(point.colour, DEFAULTS.hole);
      return [
        svg('circle', { cx: x, cy: y, r, fill: gradient(`hole-${colour.slice(1)}`) }),
        svg('path', {
          d: `M${x - r * 0.71} ${y + r * 0.71}A${r} ${r} 0 0 0 ${x + r * 0.71} ${y - r * 0.71}`,
          fill: 'none', stroke: '#fff', 'stroke-width': 0.025, opacity: 0.22,
        }),
      ];
    }
    case 'cell': {
      const colour = orDefault(point.colour, DEFAULTS.cell);
      return [svg('rect', {
        x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 0.08, fill: colour, stroke: shade(colour, -0.25), 'stroke-width': 0.03,
      })];
    }
    case 'stop': {
      const colour = orDefault(point.colour, DEFAULTS.stop);
      return [
        svg('circle', { cx: x + 0.03, cy: y + 0.06, r, fill: '#000', opacity: 0.18 }),
        svg('circle', { cx: x, cy: y, r, fill: colour, stroke: shade(colour, -0.4), 'stroke-width': 0.05 }),
      ];
    }
    default:
      return [];
  }
}
