// Step-by-step entry of a move, for any notation: the texts of the legal moves are
// matched with the ids of the layout, so that the next step of a move is a point, a
// piece, a block or a word. Nothing here depends on a game.
//
//   c3-2r      point c3, then the block 2 with the suffix r
//   a-c@A2B    the mover's piece a, then the points c and A2B
//   ~1  ~L     the block 1; the word L, which names a side of the board

import type { Layout, Pieces } from '../api/types';

export type ChoiceKind = 'point' | 'piece' | 'turn' | 'block' | 'side' | 'word' | 'end';

/** One possible next step of a move. */
export interface Choice {
  kind: ChoiceKind;
  /** Text that it adds to the move, including the punctuation before it. */
  text: string;
  /** Punctuation before it. */
  lead: string;
  /** Id of the point, or of the piece's point. */
  point?: string;
  piece?: string;
  block?: string;
  /** Direction, written after the id of the block. */
  suffix?: string;
  /** Text shown to people. */
  word: string;
  /** Whether its letters and digits end here: the point `d` cannot be followed by `1e`,
   * which would be the point `d1e`. */
  isWhole: boolean;
}

/** Context in which the texts of moves are read. */
export interface Reading {
  layout: Layout;
  board: Pieces;
  toMove: string;
}

const SIDES = new Set(['L', 'R', 'T', 'B']);

/** Returns the step of `move` that begins after `at` characters. */
export function nextChoice(move: string, at: number, reading: Reading): Choice {
  const rest = move.slice(at);
  if (rest === '') return { kind: 'end', text: '', lead: '', word: '', isWhole: true };
  const lead = /^[^A-Za-z0-9]*/.exec(rest)![0];
  const run = /^[A-Za-z0-9]*/.exec(rest.slice(lead.length))![0];
  const choice = (kind: ChoiceKind, token: string, more: Partial<Choice> = {}): Choice => ({
    kind, text: lead + token, lead, word: token, isWhole: token === run, ...more,
  });
  if (run === '') return choice('word', '', { word: lead });
  const index = indexOf(reading.layout);
  const isFirst = at === 0 && lead === '';
  const own = reading.toMove + run;
  const piece = isFirst && index.pieces.has(own) ? own : lead.endsWith('=') && index.pieces.has(run) ? run : null;
  if (piece !== null) {
    const point = pointOf(piece, reading.board);
    if (point !== undefined) return choice('piece', run, { piece, point });
  }
  if (index.points.has(run)) return choice('point', run, { point: run });
  if (index.blocks.has(run)) return choice('block', run, { block: run });
  const id = longestId(run, index);
  if (id === null) return choice(SIDES.has(run) && index.blocks.size > 1 ? 'side' : 'word', run);
  if (index.points.has(id)) return choice('point', id, { point: id });
  const suffix = run.slice(id.length);
  return choice('turn', run, { block: id, suffix });
}

/** Returns whether a move begins with these steps. */
export function follows(move: string, chosen: readonly Choice[]): boolean {
  const prefix = textOf(chosen);
  const isBroken = chosen.at(-1)?.isWhole === true && /^[A-Za-z0-9]/.test(move.slice(prefix.length));
  return move.startsWith(prefix) && !isBroken;
}

export const textOf = (chosen: readonly Choice[]): string => chosen.map((choice) => choice.text).join('');

/** Returns the distinct next steps after these, in the order of the moves. */
export function choices(moves: Iterable<string>, chosen: readonly Choice[], reading: Reading): Choice[] {
  const found = new Map<string, Choice>();
  const prefix = textOf(chosen);
  for (const move of moves) {
    if (!follows(move, chosen)) continue;
    const choice = nextChoice(move, prefix.length, reading);
    if (!found.has(choice.text)) found.set(choice.text, choice);
  }
  return [...found.values()];
}

/** Splits a whole move into its steps. */
export function steps(move: string, reading: Reading): Choice[] {
  const found: Choice[] = [];
  for (let at = 0; at < move.length; ) {
    const choice = nextChoice(move, at, reading);
    if (choice.text === '') break;
    found.push(choice);
    at += choice.text.length;
  }
  return found;
}

/** Returns the choices of blocks by the ids of their points: in a step that chooses neither
 * points nor pieces, a block is chosen by any of its points, as in a move `d` of a game
 * whose files are blocks. */
export function blockChoices(found: readonly Choice[], layout: Layout): Map<string, Choice> {
  const byPoint = new Map<string, Choice>();
  if (found.some((choice) => choice.point !== undefined)) return byPoint;
  for (const choice of found) {
    if (choice.kind !== 'block') continue;
    const block = layout.blocks.find((it) => it.id === choice.block);
    for (const point of block?.points ?? []) byPoint.set(point, choice);
  }
  return byPoint;
}

/** Returns the key of the place on the board where a choice is made. */
export function placeOf(choice: Choice): string {
  switch (choice.kind) {
    case 'point': return `point ${choice.point}`;
    case 'piece': return `piece ${choice.piece}`;
    case 'turn': return `turn ${choice.block} ${choice.suffix}`;
    case 'block': return `block ${choice.block}`;
    default: return `${choice.kind} ${choice.word}`;
  }
}

export function pointOf(piece: string, board: Pieces): string | undefined {
  return Object.keys(board).find((point) => board[point]!.includes(piece));
}

interface Index {
  points: Set<string>;
  blocks: Set<string>;
  pieces: Set<string>;
}

const indexes = new WeakMap<Layout, Index>();

function indexOf(layout: Layout): Index {
  let index = indexes.get(layout);
  if (!index) {
    const ids = (items: { id: string }[]) => new Set(items.map((item) => item.id).filter((id) => id !== ''));
    index = { points: ids(layout.points), blocks: ids(layout.blocks), pieces: ids(layout.pieces) };
    indexes.set(layout, index);
  }
  return index;
}

/** Returns the longest id of a point or block at the start of a text. */
function longestId(run: string, index: Index): string | null {
  for (let len = run.length - 1; len > 0; len -= 1) {
    const id = run.slice(0, len);
    if (index.points.has(id) || index.blocks.has(id)) return id;
  }
  return null;
}
