// The position being set up: pieces on a board, the seat to move, its text, and what the
// server says about it.

import { ApiError, isAbort } from '../../api/client';
import type { Pieces, Position } from '../../api/types';
import type { App } from '../../app/app';
import { Observable } from '../../app/observable';
import type { Table, View } from '../../app/views';
import { setupText, type SetupText } from '../../model/setup-text';

const CHECK_MS = 120;

export interface Setup {
  board: Pieces;
  toMove: string;
  text: string;
  /** Whether fields that the board does not show were reset to those of the start. */
  isReset: boolean;
}

/** What the server says about the text; null while it is asked. */
export type Verdict = { position: Position } | { problem: string | null } | null;

export class PositionSetup {
  readonly setup: Observable<Setup>;
  readonly verdict: Observable<Verdict>;
  /** How boards become texts; null if this game's positions cannot be written from the board
   * alone, undefined while that is not known. */
  readonly notation = new Observable<SetupText | null | undefined>(undefined);
  private start: Position | null = null;
  private checking = new AbortController();

  constructor(
    private readonly app: App,
    readonly table: Table,
    private readonly view: View,
  ) {
    const { board, toMove, position } = view.position;
    this.setup = new Observable<Setup>({ board, toMove, text: position, isReset: false });
    this.verdict = new Observable<Verdict>({ position: view.position });
  }

  get seats(): string[] {
    return this.table.variant.seats;
  }

  /** Finds out how positions of this game are written. */
  async learn(): Promise<void> {
    const { session, connection } = this.app;
    try {
      this.start = await connection.untilReached((s) => session.ask({ variant: this.table.variant.id }, s), new AbortController().signal);
      const samples = [this.start, this.view.position];
      this.notation.value = setupText(this.view.reading.layout, this.seats, samples);
    } catch (error) {
      connection.report(error);
      this.notation.value = null;
    }
  }

  put(point: string, piece: string | null): void {
    const notation = this.notation.value;
    if (!notation) return;
    const board = { ...this.setup.value.board };
    const here = board[point] ?? [];
    if (piece === null || here.includes(piece)) {
      board[point] = piece === null ? here.slice(0, -1) : here.filter((it) => it !== piece);
    } else {
      if (notation.single.has(piece)) for (const [id, standing] of Object.entries(board)) board[id] = standing.filter((it) => it !== piece);
      const isShared = notation.single.has(piece) && here.every((it) => notation.single.has(it));
      board[point] = isShared ? [...(board[point] ?? []), piece] : [piece];
    }
    this.change(board, this.setup.value.toMove);
  }

  move(piece: string, from: string, to: string | null): void {
    const board = { ...this.setup.value.board };
    board[from] = (board[from] ?? []).filter((it) => it !== piece);
    const notation = this.notation.value;
    if (to !== null) {
      const isShared = notation?.single.has(piece) && (board[to] ?? []).every((it) => notation.single.has(it));
      board[to] = isShared ? [...(board[to] ?? []), piece] : [piece];
    }
    this.change(board, this.setup.value.toMove);
  }

  setToMove(toMove: string): void {
    this.change(this.setup.value.board, toMove);
  }

  clear(): void {
    this.change({}, this.setup.value.toMove);
  }

  reset(): void {
    if (this.start) this.show(this.start);
  }

  /** Shows the position of a text as it is typed. */
  type(text: string): void {
    this.setup.value = { ...this.setup.value, text, isReset: false };
    void this.check(text, true);
  }

  private show(position: Position): void {
    const { board, toMove, position: text } = position;
    this.setup.value = { board, toMove, text, isReset: false };
    this.verdict.value = { position };
  }

  private change(pieces: Pieces, toMove: string): void {
    const board = Object.fromEntries(Object.entries(pieces).filter(([, standing]) => standing.length > 0));
    const text = this.notation.value?.write(board, toMove) ?? null;
    const hidden = (position: string) => position.split(' ').slice(-1)[0];
    const isReset = text !== null && this.view.position.position.split(' ').length > 2 && hidden(text) !== hidden(this.view.position.position)
      && !this.seats.includes(hidden(text) ?? '');
    this.setup.value = { board, toMove, text: text ?? '', isReset };
    if (text === null) {
      this.checking.abort();
      this.verdict.value = { problem: null };
    } else {
      void this.check(text, false);
    }
  }

  /** Asks the server about a text; shows its board if the text was typed. */
  private async check(text: string, isTyped: boolean): Promise<void> {
    this.checking.abort();
    this.checking = new AbortController();
    const { signal } = this.checking;
    this.verdict.value = null;
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    if (signal.aborted) return;
    const { session, connection } = this.app;
    try {
      const position = await connection.untilReached((s) => session.ask({ variant: this.table.variant.id, position: text.trim() }, s), signal);
      if (signal.aborted) return;
      this.verdict.value = { position };
      if (isTyped) this.setup.value = { ...this.setup.value, board: position.board, toMove: position.toMove };
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.verdict.value = { problem: error instanceof ApiError ? error.message : String(error) };
    }
  }
}
