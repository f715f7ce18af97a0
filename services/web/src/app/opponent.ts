// Plays the seats that are given to a level.

import { isAbort } from '../api/client';
import { Observable } from './observable';
import type { MoveTexts } from './move-texts';
import type { Session } from './session';
import type { View } from './views';

const THINK_MS = 1000;
/** Delay that lets the previous move's animation finish. */
const PAUSE_MS = 500;

export class Opponent {
  readonly isThinking = new Observable(false);
  readonly isHeld = new Observable(false);
  private thinking: AbortController | null = null;
  private at: View | null = null;

  constructor(
    private readonly session: Session,
    private readonly moveTexts: MoveTexts,
  ) {
    session.view.watch(() => this.update());
    session.table.watch(() => this.update());
    this.isHeld.watch(() => this.update());
  }

  private update(): void {
    const view = this.session.view.value;
    const seat = view ? this.session.seatAt(view.node) : 'analysis';
    // While another game is loading, the view is still that of the former one.
    const isOfTable = view?.node.path[0] === this.session.table.value?.tree.root;
    const isDue = view !== null && isOfTable && typeof seat === 'number' && !view.position.outcome && !view.node.next && !this.isHeld.value;
    if (isDue && this.at?.node === view.node && this.thinking) return;
    this.thinking?.abort();
    this.thinking = null;
    this.at = view;
    this.isThinking.value = isDue;
    if (!isDue) return;
    this.thinking = new AbortController();
    void this.think(view, seat, this.thinking.signal);
  }

  private async think(view: View, level: number, signal: AbortSignal): Promise<void> {
    const { connection: { client }, table } = this.session;
    const { id } = table.value!.details;
    const pause = view.motion ? new Promise((resolve) => setTimeout(resolve, PAUSE_MS)) : null;
    const question = { ...view.question, level, count: 1, limits: { timeMs: THINK_MS } };
    try {
      const { hints } = await this.session.connection.untilReached((s) => client.hints(id, question, s), signal);
      await pause;
      if (signal.aborted || !hints[0]) return;
      this.moveTexts.keep(view.question, hints);
      this.isThinking.value = false;
      this.thinking = null;
      await this.session.advance(hints[0].move);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.isThinking.value = false;
      this.session.connection.report(error);
    }
  }
}
