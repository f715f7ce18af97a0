// The whole state of a game in the fragment of the address, so that links, reloads and
// the back button lose nothing. The server never sees fragments.
//
//   #pentago/standard?m=c3-2r.d4-1l(e5-2r)&at=1&seats=person,5
//
// `at` is the number of the node shown, in preorder; the end of the main line by default.
// `n` has comments and marks of positions (`model/notes.ts`). `puzzle` is the id of a stored puzzle, whose position `p` is.

import type { PositionQuestion } from '../api/types';
import { formatNotes, parseNotes } from './notes';
import { formatTree, parseTree, type Node, type Tree } from './tree';

/** Who plays a seat: a person, a level of the server, or no one in particular. */
export type Seat = 'person' | 'analysis' | number;

export interface Linked {
  game: string;
  /** Empty for the game's first. */
  variant: string;
  /** Null for the start. */
  position: string | null;
  tree: Tree;
  node: Node;
  /** In playing order; empty for the default. */
  seats: Seat[];
  /** Id of the stored puzzle that is being solved. */
  puzzle?: string | null;
}

export function formatLink(state: Linked): string {
  const fields: string[] = [];
  if (state.position !== null) fields.push(`p=${encodeURIComponent(state.position).replace(/_/g, '%5F').replace(/%2F/g, '/').replace(/%20/g, '_')}`);
  const moves = formatTree(state.tree);
  if (moves) fields.push(`m=${moves}`);
  if (state.node !== state.tree.tip()) fields.push(`at=${state.tree.all().indexOf(state.node)}`);
  if (state.seats.some((seat) => seat !== 'analysis')) fields.push(`seats=${state.seats.join(',')}`);
  const notes = formatNotes(state.tree);
  if (notes) fields.push(`n=${notes}`);
  if (state.puzzle) fields.push(`puzzle=${encodeURIComponent(state.puzzle)}`);
  const path = [state.game, state.variant].map(encodeURIComponent).join('/');
  return `#${path}${fields.length > 0 ? `?${fields.join('&')}` : ''}`;
}

/** Longest fragment that is read. A long game has some thousand characters. */
const FRAGMENT_LEN_MAX = 50_000;

export const isTooLong = (fragment: string): boolean => fragment.length > FRAGMENT_LEN_MAX;

/** Parses a fragment; null if it names no game or is too long. */
export function parseLink(fragment: string): Linked | null {
  if (isTooLong(fragment)) return null;
  const [path = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const [game = '', variant = ''] = path.split('/').map(decode);
  if (game === '') return null;
  const fields = new Map(query.split('&').map((field) => {
    const [name = '', value = ''] = field.split(/=(.*)/s);
    return [name, value] as const;
  }));
  const tree = parseTree(fields.get('m') ?? '');
  parseNotes(fields.get('n') ?? '', tree);
  const position = fields.has('p') ? decode(fields.get('p')!.replace(/_/g, ' ')) : null;
  const node = fields.has('at') ? tree.all()[Number(fields.get('at'))] ?? tree.tip() : tree.tip();
  const seats = (fields.get('seats') ?? '').split(',').filter(Boolean).map(seat);
  return { game, variant, position, tree, node, seats, puzzle: fields.has('puzzle') ? decode(fields.get('puzzle')!) : null };
}

/** Returns the question for the position at the root of a link's tree. */
export function rootQuestion({ variant, position }: Linked): PositionQuestion {
  return { ...(variant === '' ? {} : { variant }), ...(position === null ? {} : { position }) };
}

/** Returns the game for an address that names none. */
export function firstGame<T extends { id: string }>(games: T[]): T | undefined {
  return games.find((game) => game.id === 'pentago') ?? games[0];
}

function seat(text: string): Seat {
  const level = Number(text);
  if (Number.isInteger(level) && level >= 1 && level <= 10) return level;
  return text === 'person' ? 'person' : 'analysis';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
