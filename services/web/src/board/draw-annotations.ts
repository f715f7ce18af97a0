// Draws the annotations of a position. Values have a glyph and a shape in addition to
// their colour: a filled badge is proven, a number in an open one is an estimate.

import type { Layout, Point } from '../api/types';
import { radiusOf } from './geometry';
import type { Annotations, PlaceValue } from './annotations';
import { arcArrow, label, svg } from './svg';

interface Place {
  key: string;
  x: number;
  y: number;
}

export function drawAnnotations(layout: Layout, annotations: Annotations): Element[] {
  const points = new Map(layout.points.map((point) => [point.id, point]));
  const elements: Element[] = [];
  for (const { block: id, suffix } of annotations.lastBlocks) {
    const block = layout.blocks.find((it) => it.id === id);
    if (!block) continue;
    const { x, y, width, height } = block;
    elements.push(svg('rect', { x: x + 0.05, y: y + 0.05, width: width - 0.1, height: height - 0.1, rx: 0.2, class: 'mark-last-block' }));
    if (suffix === 'r' || suffix === 'l') {
      elements.push(svg('path', { d: arcArrow(x + (width * 2) / 3, y + (height * 2) / 3, 0.2, suffix === 'r', 0.13), class: 'mark-last-turn' }));
    }
  }
  for (const id of annotations.winning) {
    const point = points.get(id);
    if (point) elements.push(svg('circle', { cx: point.x, cy: point.y, r: radiusOf(point) * 1.02, class: 'mark-winning' }));
  }
  for (const id of annotations.last) {
    const point = points.get(id);
    if (point) elements.push(svg('circle', { cx: point.x, cy: point.y, r: radiusOf(point) * 1.08, class: 'mark-last' }));
  }
  for (const { point: id, tone } of annotations.rings) {
    const point = points.get(id);
    if (point) elements.push(svg('circle', { cx: point.x, cy: point.y, r: radiusOf(point) * 1.06, class: `mark-ring ${tone}` }));
  }
  for (const { from, to, tone } of annotations.arrows) {
    const [a, b] = [points.get(from), points.get(to)];
    if (a && b) elements.push(arrow(a, b, tone));
  }
  for (const { block: id, suffix, tone } of annotations.turns) {
    const block = layout.blocks.find((it) => it.id === id);
    if (!block) continue;
    const [x, y] = [block.x + block.width / 2, block.y + block.height / 2];
    const r = Math.min(block.width, block.height) * 0.36;
    const outline = (className: string) => (suffix === 'r' || suffix === 'l'
      ? svg('path', { d: arcArrow(x, y, r, suffix === 'r', 0.34), class: className })
      : svg('rect', { x: block.x, y: block.y, width: block.width, height: block.height, rx: 0.24, class: className }));
    elements.push(outline('mark-turn casing'), outline(`mark-turn ${tone}`));
  }
  for (const { colour, from, to } of annotations.drawn) {
    const [a, b] = [points.get(from), points.get(to ?? '')];
    if (a && b) elements.push(arrow(a, b, `drawn ${colour}`));
    else if (a && to === null) elements.push(svg('circle', { cx: a.x, cy: a.y, r: radiusOf(a) * 1.1, class: `mark-ring drawn ${colour}` }));
  }
  return elements;
}

/** Draws the values of places, above handles. */
export function drawValues(annotations: Annotations, places: Place[]): Element[] {
  return places.flatMap((place) => {
    const value = annotations.values.get(place.key);
    return value ? [badge(place, value)] : [];
  });
}

/** Draws an arrow from edge to edge if there is room, so that it covers no piece. */
function arrow(a: Point, b: Point, tone: string): Element {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const isLong = length > radiusOf(a) + radiusOf(b) + 0.8;
  const [start, end] = isLong ? [radiusOf(a), radiusOf(b)] : [0.3, 0.2];
  const [x, y] = [b.x - ux * end, b.y - uy * end];
  const [wing, back] = [0.24, 0.42];
  const head = `M${x} ${y}L${x - ux * back - uy * wing} ${y - uy * back + ux * wing}L${x - ux * back + uy * wing} ${y - uy * back - ux * wing}Z`;
  const line = { x1: a.x + ux * start, y1: a.y + uy * start, x2: x - ux * back * 0.8, y2: y - uy * back * 0.8 };
  // A light edge inside a dark one stands out on every board.
  return svg('g', { class: `mark-arrow ${tone}` },
    svg('line', { ...line, class: 'casing' }), svg('path', { d: head, class: 'casing' }),
    svg('line', line), svg('path', { d: head }));
}

const GLYPHS = { win: '+', draw: '=', loss: '−' } as const;

function badge({ key, x, y }: Place, value: PlaceValue): Element {
  const isPoint = key.startsWith('point ') || key.startsWith('piece ');
  const [cx, cy, r] = isPoint ? [x, y, 0.23] : [x + 0.28, y - 0.28, 0.2];
  const isProven = value.kind !== 'estimate';
  const tone = isProven ? value.kind : value.score > 0.55 ? 'good' : value.score < 0.45 ? 'poor' : 'even';
  const text = value.kind === 'estimate' ? String(Math.round(value.score * 100)) : GLYPHS[value.kind];
  return svg('g', { class: `badge ${isProven ? 'proven' : 'estimate'} ${tone}` },
    isProven ? svg('rect', { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, rx: r * 0.45 }) : svg('circle', { cx, cy, r }),
    label(text, cx, cy, isProven ? r * 1.6 : r * 0.95, 'currentColor'));
}
