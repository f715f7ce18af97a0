// What is known of every move of the position shown: recorded games, results, values.
// Asked for while its panel is open, page by page.

import { isAbort } from '../api/client';
import type { ExploredMove, ExplorerPage } from '../api/types';
import { Observable } from './observable';
import type { Session } from './session';
import type { View } from './views';

/** Moves that are listed at first, and those that each "more" adds. */
const FIRST_MOVES = 12;
const MORE_MOVES = 100;

export interface Exploration {
  /** The position that the moves are those of. */
  view: View;
  moves: ExploredMove[];
  /** All moves that differ, also those that are not listed yet. */
  total: number;
  /** Recorded games that came through the position. */
  games: number;
  nextPageToken: string;
}

const NOTHING = { moves: [], total: 0, games: 0, nextPageToken: '' };

export class Explorer {
  /** Stays until that of the next position is there, so that nothing jumps. */
  readonly exploration = new Observable<Exploration | null>(null);
  readonly isAsking = new Observable(false);
  private asking: AbortController | null = null;
  private isOpen = false;
  /** The question that is being asked or was asked last, and the one that is answered. */
  private asked = '';
  private answered = '';

  constructor(private readonly session: Session) {
    session.view.watch(() => this.update());
  }

  /** Follows the position shown, until it is closed. */
  open(): void {
    this.isOpen = true;
    this.update();
  }

  close(): void {
    this.isOpen = false;
    this.forget();
  }

  /** The next moves of the list. */
  async more(): Promise<void> {
    const known = this.exploration.value;
    if (!known || known.nextPageToken === '' || this.isAsking.value) return;
    const page = await this.ask(known.view, MORE_MOVES, known.nextPageToken);
    const shown = this.exploration.value;
    if (page && shown) this.exploration.value = { ...shown, moves: [...shown.moves, ...page.moves], nextPageToken: page.nextPageToken };
  }

  private update(): void {
    const view = this.session.view.value;
    if (!this.isOpen || !view) return;
    const key = `${this.session.table.value?.details.id} ${JSON.stringify(view.question)}`;
    if (key !== this.asked) {
      this.asked = key;
      void this.explore(view, key);
    } else if (key === this.answered && this.exploration.value) {
      // The same position, reached another way or read in another language.
      this.exploration.value = { ...this.exploration.value, view };
    }
  }

  private async explore(view: View, key: string): Promise<void> {
    this.stop();
    const page = view.position.outcome ? NOTHING : await this.ask(view, FIRST_MOVES);
    if (!page) return;
    const { moves, total, games, nextPageToken } = page;
    this.answered = key;
    this.exploration.value = { view: this.session.view.value ?? view, moves, total, games, nextPageToken };
  }

  /** Null if it failed, or is no longer wanted. */
  private async ask(view: View, pageSize: number, pageToken?: string): Promise<ExplorerPage | null> {
    const { connection, table } = this.session;
    const { id } = table.value!.details;
    const asking = new AbortController();
    this.asking = asking;
    this.isAsking.value = true;
    const question = { ...view.question, pageSize, ...(pageToken === undefined ? {} : { pageToken }) };
    try {
      const page = await connection.untilReached((s) => connection.client.explorer(id, question, s), asking.signal);
      if (asking.signal.aborted) return null;
      this.stop();
      return page;
    } catch (error) {
      if (asking.signal.aborted || isAbort(error)) return null;
      connection.report(error);
      this.forget();
      return null;
    }
  }

  private forget(): void {
    this.stop();
    this.asked = this.answered = '';
    this.exploration.value = null;
  }

  private stop(): void {
    this.asking?.abort();
    this.asking = null;
    this.isAsking.value = false;
  }
}
