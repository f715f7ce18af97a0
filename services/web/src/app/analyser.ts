// Live analysis of the position shown: a stream of lines and, if switched on, the
// value of every move.

import { ApiError, isAbort } from '../api/client';
import type { AnalysisUpdate, Hint, HintsQuestion } from '../api/types';
import { Observable } from './observable';
import { afterFrame } from './frame';
import type { MoveTexts } from './move-texts';
import type { Session } from './session';
import type { View } from './views';
import { settings } from './settings';

export interface Analysis {
  view: View;
  hints: AnalysisUpdate | null;
  isRunning: boolean;
  /** Moves with their values, as far as known. */
  values: Hint[];
}

/** Requests for values; each returns as many moves as the server allows. */
const VALUE_ROUNDS = 8;
const VALUE_TIME_MS = 1500;

export class Analyser {
  readonly analysis = new Observable<Analysis | null>(null);
  /** Whether a puzzle or a game against a level hides the analysis. */
  readonly isHeld = new Observable(false);
  private running: AbortController | null = null;
  private key = '';

  constructor(
    private readonly session: Session,
    private readonly moveTexts: MoveTexts,
  ) {
    session.view.watch(() => this.update());
    settings.watch(() => this.update());
    this.isHeld.watch(() => this.update());
  }

  get isOn(): boolean {
    return settings.value.analysis && !this.isHeld.value;
  }

  private update(): void {
    const view = this.session.view.value;
    const { lines, values, seconds, language } = settings.value;
    const key = `${language} ${this.isOn} ${lines} ${values} ${seconds} ${this.session.table.value?.details.id} ${JSON.stringify(view?.question)}`;
    if (key === this.key) {
      const known = this.analysis.value;
      if (known && view && known.view !== view) this.analysis.value = { ...known, view };
      return;
    }
    this.key = key;
    this.running?.abort();
    this.running = null;
    if (!view || !this.isOn || view.position.outcome) {
      this.analysis.value = null;
      return;
    }
    this.running = new AbortController();
    this.analysis.value = { view, hints: null, isRunning: true, values: [] };
    void this.start(view, this.running.signal);
  }

  /** Waits until the board is drawn, because a search may use the same processor. */
  private async start(view: View, signal: AbortSignal): Promise<void> {
    await afterFrame();
    if (signal.aborted) return;
    void this.run(view, signal);
    if (settings.value.values) void this.runValues(view, signal);
  }

  private async run(view: View, signal: AbortSignal): Promise<void> {
    const { lines, seconds } = settings.value;
    const { id } = this.session.table.value!.details;
    let latest: AnalysisUpdate | null = null;
    let frame = 0;
    // Updates may come faster than frames; the page is drawn at most once per frame.
    const publish = () => {
      frame = 0;
      if (signal.aborted || !latest) return;
      this.moveTexts.keep(view.question, latest.hints);
      this.change(signal, { hints: latest, isRunning: !latest.final });
    };
    const question: HintsQuestion = { ...view.question, count: lines, limits: { timeMs: seconds * 1000 } };
    try {
      await this.session.connection.untilReached(async (s) => {
        for await (const hints of this.session.connection.client.analysis(id, question, s)) {
          latest = hints;
          frame ||= requestAnimationFrame(publish);
        }
      }, signal);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.session.connection.report(error);
    }
    if (!signal.aborted && frame === 0) this.change(signal, { isRunning: false });
  }

  private async runValues(view: View, signal: AbortSignal): Promise<void> {
    const { connection: { client }, table } = this.session;
    const { id } = table.value!.details;
    const total = view.position.legalMoveCount;
    try {
      const count = await client.hintsMax();
      const known: Hint[] = [];
      for (let round = 0; round < VALUE_ROUNDS && !signal.aborted; round += 1) {
        const avoidMoves = known.flatMap((hint) => [hint.move, ...hint.equivalents]);
        if (avoidMoves.length >= total) return;
        const question: HintsQuestion = { ...view.question, count, limits: { timeMs: VALUE_TIME_MS }, avoidMoves };
        const { hints } = await this.session.connection.untilReached((s) => client.hints(id, question, s), signal);
        if (hints.length === 0) return;
        this.moveTexts.keep(view.question, hints);
        known.push(...hints);
        this.change(signal, { values: [...known] });
      }
    } catch (error) {
      // All moves have a value when none is left to avoid.
      if (signal.aborted || isAbort(error) || error instanceof ApiError) return;
      this.session.connection.report(error);
    }
  }

  private change(signal: AbortSignal, changes: Partial<Analysis>): void {
    if (!signal.aborted && this.analysis.value) this.analysis.value = { ...this.analysis.value, ...changes };
  }
}
