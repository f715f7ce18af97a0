// Writes positions from pieces on a board, for any game whose notation can be recognised in
// a position that the server has described: fields that give the cells of a grid row by row
// (`wwww2/6/…`), the places of each seat's pieces (`A,B,C/D,*,E`), the places of a kind of
// piece (`a,b,c` or `-`), and the seat to move. Other fields are kept as they are. Nothing
// here depends on a game.

import type { Layout, Pieces } from '../api/types';

/** A position as the server describes it. */
export interface Described {
  position: string;
  toMove: string;
  board: Pieces;
}

/** What a field of a position says, and how it is written from the pieces. */
interface Field {
  kind: 'grid' | 'seats' | 'kind' | 'seat' | 'other';
  /** Null if these pieces cannot be written. */
  write: (board: Pieces, toMove: string) => string | null;
  /** Pieces that it gives the places of. */
  pieces: Set<string>;
  /** Points whose pieces it gives. */
  points: Set<string>;
}

export interface SetupText {
  /** Pieces that can be put on the board. */
  pieces: string[];
  /** Points where they can be put. */
  points: Set<string>;
  /** Pieces of which there is only one. */
  single: Set<string>;
  /** Whether a point can have several pieces. */
  canShare: boolean;
  write: (board: Pieces, toMove: string) => string | null;
}

/** Recognises the notation of a position, starting from several positions with the same
 * layout; null if pieces and notation do not correspond. */
export function setupText(layout: Layout, seats: readonly string[], samples: readonly Described[]): SetupText | null {
  const [first] = samples;
  if (!first || layout.points.length === 0) return null;
  const fields: Field[] = [];
  const texts = first.position.split(' ');
  for (const [i, text] of texts.entries()) fields.push(fieldOf(layout, seats, samples.map((it) => ({ ...it, position: it.position.split(' ')[i] ?? '' })), text, fields));
  const write = (board: Pieces, toMove: string) => {
    const parts = fields.map((field) => field.write(board, toMove));
    return parts.every((part) => part !== null) ? parts.join(' ') : null;
  };
  const isKnown = samples.every((sample) => write(sample.board, sample.toMove) !== null && sameSetup(fields, write(sample.board, sample.toMove)!, sample.position));
  const pieces = layout.pieces.map((piece) => piece.id).filter((id) => fields.some((field) => field.pieces.has(id)));
  if (!isKnown || pieces.length === 0) return null;
  const single = new Set(fields.filter((field) => field.kind === 'seats').flatMap((field) => [...field.pieces]));
  return { pieces, points: new Set(fields.flatMap((field) => [...field.points])), single, canShare: single.size > 0, write };
}

/** Whether two texts agree in all fields that pieces and seats determine. */
function sameSetup(fields: Field[], a: string, b: string): boolean {
  const [left, right] = [a.split(' '), b.split(' ')];
  return left.length === right.length && fields.every((field, i) => field.kind === 'other' || left[i] === right[i]);
}

/** Recognises a field by its text in each sample; `before` are the fields to its left. */
function fieldOf(layout: Layout, seats: readonly string[], samples: Described[], text: string, before: Field[]): Field {
  const tried = [gridField(layout, text, before), seatsField(layout, seats, text), kindField(layout, before), seatField(seats)];
  const fits = (field: Field | null): field is Field => field !== null && samples.every((it) => field.write(it.board, it.toMove) === it.position);
  return tried.find(fits) ?? { kind: 'other', write: () => text, pieces: new Set(), points: new Set() };
}

/** Cells row by row. The first such field has the points `a1`, `b1` …; later ones have those
 * with the next ending, as in `a1'`. */
function gridField(layout: Layout, text: string, before: Field[]): Field | null {
  const rows = text.split('/').map(widthOf);
  const width = rows[0] ?? 0;
  if (rows.length < 2 || width < 2 || width > 26 || rows.some((it) => it !== width)) return null;
  const cell = /^([a-z])(\d+)(.*)$/;
  const endings = [...new Set(layout.points.flatMap((point) => cell.exec(point.id)?.[3] ?? []))];
  const ending = endings[before.filter((field) => field.kind === 'grid').length];
  if (ending === undefined) return null;
  const points = new Set(layout.points.filter((point) => cell.exec(point.id)?.[3] === ending).map((point) => point.id));
  const symbols = new Set(layout.pieces.map((piece) => piece.id).filter((id) => id.length === 1));
  const write = (board: Pieces) => {
    const lines: string[] = [];
    for (let y = 0; y < rows.length; y += 1) {
      const cells = Array.from({ length: width }, (_, x) => board[`${String.fromCharCode(97 + x)}${y + 1}${ending}`] ?? []);
      if (cells.some((it) => it.length > 1 || it.some((piece) => !symbols.has(piece)))) return null;
      lines.push(cells.map((it) => it[0] ?? '1').join('').replace(/1+/g, (run) => String(run.length)));
    }
    return lines.join('/');
  };
  return { kind: 'grid', write, pieces: symbols, points };
}

/** Number of cells of a row such as `wwww2`; 0 if it is not one. */
function widthOf(row: string): number {
  const parts = row.match(/\d+|[A-Za-z]/g) ?? [];
  if (parts.join('') !== row) return 0;
  return parts.reduce((sum, part) => sum + (/\d/.test(part) ? Number(part) : 1), 0);
}

/** For each seat the places of its pieces, in the layout's order; `*` for one that is not on
 * the board. */
function seatsField(layout: Layout, seats: readonly string[], text: string): Field | null {
  const groups = seats.map((seat) => layout.pieces.filter((piece) => piece.seat === seat).map((piece) => piece.id));
  if (text.split('/').length !== seats.length || groups.some((group) => group.length === 0)) return null;
  const write = (board: Pieces) => {
    const places = new Map<string, string[]>();
    for (const [point, pieces] of Object.entries(board)) for (const piece of pieces) places.set(piece, [...(places.get(piece) ?? []), point]);
    if (groups.flat().some((piece) => (places.get(piece)?.length ?? 0) > 1)) return null;
    return groups.map((group) => group.map((piece) => places.get(piece)?.[0] ?? '*').join(',')).join('/');
  };
  return { kind: 'seats', write, pieces: new Set(groups.flat()), points: new Set(layout.points.map((point) => point.id)) };
}

/** The places of one kind of piece that belongs to no seat: corners and other short names
 * first; `-` if there is none. */
function kindField(layout: Layout, before: Field[]): Field | null {
  if (!before.some((field) => field.kind === 'seats')) return null;
  const free = layout.pieces.filter((piece) => piece.seat === '' && !before.some((field) => field.kind === 'kind' && field.pieces.has(piece.id)));
  const [piece] = free;
  if (!piece) return null;
  const write = (board: Pieces) => {
    const points = Object.keys(board).filter((point) => board[point]!.includes(piece.id));
    return points.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).join(',') || '-';
  };
  return { kind: 'kind', write, pieces: new Set([piece.id]), points: new Set(layout.points.map((point) => point.id)) };
}

function seatField(seats: readonly string[]): Field {
  return { kind: 'seat', write: (_, toMove) => (seats.includes(toMove) ? toMove : null), pieces: new Set(), points: new Set() };
}
