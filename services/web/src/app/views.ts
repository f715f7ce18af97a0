// The position on the board: how it is drawn, and how the last move led to it.

import type { GameDetails, Layout, Position, PositionQuestion, Variant } from '../api/types';
import { changedPoints, landing, motionOf, type Motion } from '../board/motion';
import { withLook } from '../board/looks';
import { steps, type Reading } from '../model/choice';
import { gridLayout } from '../model/grid';
import type { Seat } from '../model/link';
import { stackedLayout } from '../model/stacked-layout';
import type { Node, Tree } from '../model/tree';
import { turnedLayout } from '../model/turned-layout';
import { settings } from './settings';

export interface Table {
  details: GameDetails;
  variant: Variant;
  /** Null for the start. */
  position: string | null;
  tree: Tree;
  seats: Seat[];
  /** Id of the stored puzzle that the game is. */
  puzzle?: string | null;
}

/** A position on the board. */
export interface View {
  node: Node;
  position: Position;
  reading: Reading;
  question: PositionQuestion;
  /** Points that the last move changed. */
  last: string[];
  /** Blocks that the last move turned or flipped. */
  lastBlocks: { block: string; suffix: string }[];
  /** Animation of the last move, if it was just played. */
  motion: Motion | null;
  /** The seat that made the last move; null at the root. */
  mover: string | null;
}

/** Screens on which the two parts of a wide board are stacked. */
export const NARROW = '(max-width: 699px)';

const NO_LAYOUT: Layout = { width: 0, height: 0, points: [], edges: [], blocks: [], labels: [], pieces: [] };
/** Layouts of games that describe none, by the ids of game and variant. */
const grids = new Map<string, Layout>();

export function viewOf(table: Table, node: Node, position: Position, parent: Position | undefined, moved: boolean): View {
  const layout = layoutOf(table, position.position);
  const reading: Reading = { layout, board: position.board, toMove: position.toMove };
  const question: PositionQuestion = { variant: table.variant.id, position: position.position };
  if (!parent) return { node, position, reading, question, last: [], lastBlocks: [], motion: null, mover: null };
  const before: Reading = { layout, board: parent.board, toMove: parent.toMove };
  const played = motionOf(layout, parent.board, position.board, steps(node.move, before), parent.toMove);
  return {
    node, position, reading, question, mover: parent.toMove, motion: moved ? played : null,
    last: lastPoints(node.move, before, position), lastBlocks: blocksOf(played),
  };
}

function blocksOf({ blocks }: Motion): { block: string; suffix: string }[] {
  return blocks.flatMap(({ blocks: ids, turn }) => ids.map((block) => ({ block, suffix: turn === undefined ? '' : turn > 0 ? 'r' : 'l' })));
}

/** Returns the points that a move changed: those that it names, or all if blocks flip. */
export function lastPoints(move: string, before: Reading, after: Position): string[] {
  const played = steps(move, before);
  if (played.some((step) => step.kind === 'block' || step.kind === 'side')) return changedPoints(before.board, after.board);
  return played.flatMap((step) => (step.point === undefined ? [] : [landing(before.layout, step.point, played)]));
}

function layoutOf({ details, variant }: Table, position: string): Layout {
  const described = details.variantLayouts[variant.id] ?? details.layout;
  if (described) return shownLayout(described, details.id);
  const key = `${details.id} ${variant.id}`;
  let layout = grids.get(key);
  if (!layout) grids.set(key, (layout = gridLayout(position, variant.seats) ?? NO_LAYOUT));
  return shownLayout(layout, details.id);
}

/** Returns a layout as the reader has chosen to see it. */
export function shownLayout(layout: Layout, game: string): Layout {
  const { look, turns } = settings.value;
  const turned = turnedLayout(withLook(layout, look), turns[game] ?? 0);
  return matchMedia(NARROW).matches ? stackedLayout(turned) : turned;
}
