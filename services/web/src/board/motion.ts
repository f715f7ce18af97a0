// Derives the animation between two positions: blocks turn or flip, pieces slide, appear
// and vanish.

import type { Block, Layout, Pieces } from '../api/types';
import type { Choice } from '../model/choice';
import { shownSide } from '../model/turned-layout';
import { boundsOf, pieceOfSeat } from './geometry';

/** Joint movement of some blocks. */
export interface BlockMotion {
  blocks: string[];
  /** Centre of the movement. */
  x: number;
  y: number;
  /** Angle of a turn, or of the axis of a flip against the vertical; in degrees, clockwise. */
  turn?: number;
  axis?: number;
}

/** A piece that moves from one point to another. */
export interface Slide {
  piece: string;
  from: string;
  to: string;
}

export interface Motion {
  /** Pieces after the first part of the move, before blocks move. */
  between: Pieces;
  blocks: BlockMotion[];
  slides: Slide[];
}

/** Returns the animation of a move from one board to the next. */
export function motionOf(layout: Layout, before: Pieces, after: Pieces, steps: Choice[], mover: string): Motion {
  const between = { ...before };
  const first = steps[0];
  if (first?.kind === 'point' && !before[first.point!]) {
    const piece = pieceOfSeat(layout, mover);
    if (piece) between[first.point!] = [piece.id];
  }
  const last = steps[steps.length - 1];
  if (last?.kind === 'turn' && (last.suffix === 'r' || last.suffix === 'l')) {
    const block = layout.blocks.find((it) => it.id === last.block);
    if (block) return { between, blocks: [turnOf(block, last.suffix === 'r')], slides: [] };
  }
  if (last?.kind === 'block' || last?.kind === 'side') {
    return { between: before, blocks: flipsOf(layout, before, after, last), slides: [] };
  }
  return { between: after, blocks: [], slides: slidesOf(before, after) };
}

/** Returns the pieces that moved from one point to another. If several pieces of a kind
 * did, their paths are ambiguous, so they just appear. */
function slidesOf(before: Pieces, after: Pieces): Slide[] {
  const [left, reached] = [departures(before, after), departures(after, before)];
  return [...left].flatMap(([piece, [from, ...more]]) => {
    const [to, ...others] = reached.get(piece) ?? [];
    return from !== undefined && to !== undefined && more.length + others.length === 0 ? [{ piece, from, to }] : [];
  });
}

/** Returns the points where each piece is in one position and not in the other. */
function departures(here: Pieces, there: Pieces): Map<string, string[]> {
  const left = new Map<string, string[]>();
  for (const [point, pieces] of Object.entries(here)) {
    for (const piece of pieces) {
      if (!there[point]?.includes(piece)) left.set(piece, [...(left.get(piece) ?? []), point]);
    }
  }
  return left;
}

function turnOf(block: Block, clockwise: boolean): BlockMotion {
  const [x, y] = [block.x + block.width / 2, block.y + block.height / 2];
  return { blocks: [block.id], x, y, turn: clockwise ? 90 : -90 };
}

/** Returns one flip for a named block, or one for each group of adjacent blocks that
 * changed. The blocks underneath flip with them. A block flips about its diagonal through
 * the centre of the board, a half of the board about the axis across its longer side. */
function flipsOf(layout: Layout, before: Pieces, after: Pieces, choice: Choice): BlockMotion[] {
  const same = (point: string) => String(before[point] ?? '') === String(after[point] ?? '');
  const flipped = layout.blocks.filter((block) => choice.kind === 'block'
    ? block.id.startsWith(choice.block!)
    : !block.points.every(same) || isOnSide(layout, block, choice.word));
  const groups: Block[][] = [];
  for (const block of flipped) {
    const near = groups.find((group) => group.some((other) => touches(block, other)));
    if (near) near.push(block);
    else groups.push([block]);
  }
  return groups.map((group) => {
    const { x, y, width, height } = boundsOf(group);
    const isLone = group.length === 1;
    const centre = boundsOf(layout.blocks.filter((it) => it === group[0] || touches(it, group[0]!)));
    const isFalling = (x < centre.x + 0.1) === (y < centre.y + 0.1);
    return {
      blocks: group.map((block) => block.id),
      x: x + width / 2,
      y: y + height / 2,
      axis: isLone ? (isFalling ? -45 : 45) : width > height ? 0 : 90,
    };
  });
}

function isOnSide(layout: Layout, block: Block, side: string): boolean {
  const near = layout.blocks.filter((it) => it === block || touches(it, block));
  const bounds = boundsOf(near);
  switch (shownSide(layout, side)) {
    case 'L': return block.x < bounds.x + 0.1;
    case 'R': return block.x > bounds.x + 0.1;
    case 'T': return block.y < bounds.y + 0.1;
    case 'B': return block.y > bounds.y + 0.1;
    default: return false;
  }
}

function touches(a: Block, b: Block): boolean {
  const dx = Math.max(a.x - (b.x + b.width), b.x - (a.x + a.width));
  const dy = Math.max(a.y - (b.y + b.height), b.y - (a.y + a.height));
  return Math.max(dx, dy) < 0.5;
}

/** Returns where a point ends up after its block turns. */
export function landing(layout: Layout, id: string, steps: Choice[]): string {
  const point = layout.points.find((it) => it.id === id);
  const turn = steps.find((step) => step.kind === 'turn' && (step.suffix === 'r' || step.suffix === 'l'));
  const block = layout.blocks.find((it) => it.id === turn?.block);
  if (!point || !turn || !block || !block.points.includes(id)) return id;
  const { x, y } = turnOf(block, true);
  const sign = turn.suffix === 'r' ? 1 : -1;
  const [toX, toY] = [x - sign * (point.y - y), y + sign * (point.x - x)];
  const found = layout.points.find((it) => Math.hypot(it.x - toX, it.y - toY) < 0.1);
  return found?.id ?? id;
}

/** Returns the points whose pieces differ. */
export function changedPoints(before: Pieces, after: Pieces): string[] {
  const points = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...points].filter((point) => String(before[point] ?? '') !== String(after[point] ?? ''));
}
