// Problems in a player's words.

import { ApiError } from '../api/client';
import type { Layout } from '../api/types';
import type { Words } from '../text';
import type { Problem } from './connection';
import { BadLink } from './session';

export function problemText({ error, move }: Problem, layout: Layout | null, w: Words): string {
  if (error instanceof BadLink) return w.badLink;
  // A file of the page could not be loaded.
  if (error instanceof TypeError && /import|module/i.test(error.message)) return w.partMissing;
  if (!(error instanceof ApiError)) return error.message;
  if (move !== null && move !== '' && error.isAboutMoves) return moveText(error, move, layout, w);
  return w.problems[error.reason] ?? error.message;
}

/** "h is not a column; columns are a to f", if the board has columns and rows. */
function moveText(error: ApiError, move: string, layout: Layout | null, w: Words): string {
  if (error.reason === 'game_over') return w.problems.game_over!;
  const cells = layout?.points.map((point) => /^([a-z])(\d+)$/.exec(point.id)).filter((cell) => cell !== null) ?? [];
  const [, column = '', row = ''] = /^([A-Za-z])(\d*)/.exec(move) ?? [];
  if (cells.length > 0 && cells.length === layout!.points.length && column !== '') {
    const columns = [...new Set(cells.map((cell) => cell[1]!))].sort();
    const rows = [...new Set(cells.map((cell) => Number(cell[2])))].sort((a, b) => a - b);
    if (!columns.includes(column)) return w.notColumn(column, columns[0]!, columns.at(-1)!);
    if (row !== '' && !rows.includes(Number(row))) return w.notRow(row, rows[0]!, rows.at(-1)!);
  }
  return error.reason === 'illegal_move' ? w.illegalMove(move) : w.notMove(move);
}
