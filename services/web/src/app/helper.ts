// Help on request: hints of each detail, threats, and why the move just tried is not
// best. Calls that the server does not have stay hidden.

import { isAbort } from '../api/client';
import type { Comparisons, Detail, Hints, Threats } from '../api/types';
import { Observable } from './observable';
import type { Session } from './session';
import type { View } from './views';
import { settings } from './settings';

const HINT_MS = 2000;
const COMPARE_MS = 1500;
const THREAT_MS = 1500;

export interface GivenHint {
  detail: Detail;
  hints: Hints;
}

export interface Tried {
  move: string;
  seat: string;
  comparisons: Comparisons;
}

export class Helper {
  readonly hint = new Observable<GivenHint | null>(null);
  readonly isAsking = new Observable(false);
  readonly threats = new Observable<Threats | null>(null);
  readonly tried = new Observable<Tried | null>(null);
  /** Calls that this server has; null until known. */
  readonly calls = new Observable<ReadonlySet<string> | null>(null);
  private asking = new AbortController();
  /** Detail of the hint being loaded. */
  private asked: Detail | null = null;
  private shown: View | null = null;

  constructor(private readonly session: Session) {
    session.view.watch(() => this.update());
    settings.watch(() => this.updateThreats());
  }

  /** Loads which optional calls the server has. */
  async detect(): Promise<void> {
    const optional = ['compare', 'threats', 'explorer', 'review', 'puzzles'];
    try {
      const { signal } = new AbortController();
      const found = await this.session.connection.untilReached(() => Promise.all(optional.map((call) => this.session.connection.client.has(call))), signal);
      this.calls.value = new Set(optional.filter((_, i) => found[i]));
      this.updateThreats();
    } catch {
      // The page can play and analyse without them.
      this.calls.value = new Set();
    }
  }

  async askHint(detail: Detail): Promise<void> {
    const view = this.session.view.value;
    if (!view || view.position.outcome) return;
    const { signal } = this.asking;
    this.isAsking.value = true;
    this.asked = detail;
    try {
      const question = { ...view.question, detail, count: 1, limits: { timeMs: HINT_MS } };
      const { id } = this.session.table.value!.details;
      const hints = await this.session.connection.untilReached((s) => this.session.connection.client.hints(id, question, s), signal);
      if (!signal.aborted) this.hint.value = { detail, hints };
    } catch (error) {
      if (!signal.aborted) this.session.connection.report(error);
    } finally {
      if (!signal.aborted) {
        this.isAsking.value = false;
        this.asked = null;
      }
    }
  }

  /** Compares a move with the best one. */
  async compare(before: View, move: string): Promise<Comparisons | null> {
    const { connection: { client }, table } = this.session;
    if (!this.calls.value?.has('compare') || before.position.legalMoveCount < 2) return null;
    const { signal } = this.asking;
    const { id } = table.value!.details;
    const best = await client.hints(id, { ...before.question, count: 2, limits: { timeMs: COMPARE_MS } }, signal);
    const other = best.hints.find((hint) => hint.move !== move && !hint.equivalents.includes(move)) ?? best.hints.find((hint) => hint.move !== move);
    if (!other) return null;
    const question = { ...before.question, compareMoves: [move, other.move], limits: { timeMs: COMPARE_MS } };
    return client.compare(id, question, signal);
  }

  /** Explains each move that a person tries ("why not this move"). */
  async explain(view: View, before: View): Promise<void> {
    const move = view.node.move;
    const { signal } = this.asking;
    try {
      const comparisons = await this.compare(before, move);
      if (!signal.aborted && comparisons) this.tried.value = { move, seat: before.position.toMove, comparisons };
    } catch (error) {
      // The game goes on without an explanation.
      if (!isAbort(error)) this.tried.value = null;
    }
  }

  private update(): void {
    const view = this.session.view.value;
    if (view === this.shown) return;
    // The same position in another language or with another token needs its hint again.
    const again = view && view.node === this.shown?.node ? this.asked ?? this.hint.value?.detail : null;
    this.shown = view;
    this.asking.abort();
    this.asking = new AbortController();
    this.hint.value = null;
    this.tried.value = null;
    this.isAsking.value = false;
    this.asked = null;
    this.threats.value = null;
    this.updateThreats();
    if (again) void this.askHint(again);
  }

  private updateThreats(): void {
    const view = this.session.view.value;
    const wanted = settings.value.threats && this.calls.value?.has('threats') && view && !view.position.outcome;
    if (!wanted) this.threats.value = null;
    else if (!this.threats.value) void this.findThreats(view, this.asking.signal);
  }

  private async findThreats(view: View, signal: AbortSignal): Promise<void> {
    const { id } = this.session.table.value!.details;
    try {
      const threats = await this.session.connection.client.threats(id, { ...view.question, limits: { timeMs: THREAT_MS } }, signal);
      if (!signal.aborted) this.threats.value = threats;
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.session.connection.report(error);
    }
  }
}
