// Statistics of the moves of the position shown: recorded games, results, values.
// Loaded page by page while the panel is open.

import { isAbort } from '../api/client';
import type { ExploredMove, ExplorerPage } from '../api/types';
import { Observable } from './observable';
import type { Session } from './session';
import type { View } from './views';

/** Moves in the first list, and moves added by each "more". */
const FIRST_MOVES = 12;
const MORE_MOVES = 100;

export interface Exploration {
  /** The position that has these moves. */
  view: View;
  moves: ExploredMove[];
  /** Number of distinct moves, including those not listed yet. */
  total: number;
  /** Recorded games with this position. */
  games: number;
  nextPageToken: string;
}

const NOTHING = { moves: [], total: 0, games: 0, nextPageToken: '' };

export class Explorer {
  /** Kept until the next position's page has arrived, so that the layout does not jump. */
  readonly exploration = new Observable<Exploration | null>(null);
  readonly isAsking = new Observable(false);
  private asking: AbortController | null = null;
  private isOpen = false;
  /** The last question sent, and the question that `page` answers. */
  private asked = '';
  private answered = '';

  constructor(private readonly session: Session) {
    session.view.watch(() => this.update());
  }

  /** Follows the position shown until `close`. */
  open(): void {
    this.isOpen = true;
    this.update();
  }

  close(): void {
    this.isOpen = false;
    this.forget();
  }

  /** Loads the next moves of the list. */
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
      // The same position after other moves, or in another language.
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

  /** Returns null if the call failed or was superseded. */
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
