// Help on request: hints of each detail, threats, and why the move just tried is not
// best. Calls that the server does not have stay hidden.

import { isAbort } from '../api/client';
import type { Comparisons, Detail, Hint, Hints, Threat } from '../api/types';
import { finishedSeats } from '../model/finished';
import { Observable } from './observable';
import type { MoveTexts } from './move-texts';
import type { Session } from './session';
import type { View } from './views';
import { settings } from './settings';

const HINT_MS = 2000;
const COMPARE_MS = 1500;
const THREAT_MS = 1500;
/** Plies within which forced wins are looked for. */
const THREAT_PLIES = 9;
/** Stopping moves that the server evaluates at most. */
const STOPS_MAX = 200;

export interface GivenHint {
  detail: Detail;
  hints: Hints;
}

export interface Tried {
  move: string;
  seat: string;
  comparisons: Comparisons;
}

/** A threat, and what holds against it. */
export interface KnownThreat {
  threat: Threat;
  /** Best first; null until known, and for threats of the side to move. */
  holds: Hint[] | null;
  /** Number of further moves that may hold. */
  nMore: number;
}

export class Helper {
  readonly hint = new Observable<GivenHint | null>(null);
  readonly isAsking = new Observable(false);
  readonly threats = new Observable<KnownThreat[] | null>(null);
  /** Points of the line that the last move completed. */
  readonly winning = new Observable<string[]>([]);
  readonly tried = new Observable<Tried | null>(null);
  /** The move just made, which can be explained. */
  readonly offered = new Observable<{ view: View; before: View } | null>(null);
  /** Calls that this server has; null until known. */
  readonly calls = new Observable<ReadonlySet<string> | null>(null);
  private asking = new AbortController();
  /** Detail of the hint being loaded. */
  private asked: Detail | null = null;
  private shown: View | null = null;

  constructor(
    private readonly session: Session,
    private readonly moveTexts: MoveTexts,
  ) {
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
      if (signal.aborted) return;
      this.moveTexts.keep(view.question, hints.hints);
      this.hint.value = { detail, hints };
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
    const compared = await client.compare(id, question, signal);
    this.moveTexts.keep(before.question, compared.comparisons);
    return compared;
  }

  /** Offers to explain the move that a person has made. */
  offer(view: View, before: View): void {
    if (this.calls.value?.has('compare') && before.position.legalMoveCount > 1) this.offered.value = { view, before };
  }

  async explainOffered(): Promise<void> {
    const offered = this.offered.value;
    if (offered) await this.explain(offered.view, offered.before);
  }

  /** Explains the move that a person has made ("why not this move"). */
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
    this.offered.value = null;
    this.isAsking.value = false;
    this.asked = null;
    this.threats.value = null;
    this.winning.value = [];
    this.updateThreats();
    if (view) void this.findWinningLine(view, this.asking.signal);
    if (again) void this.askHint(again);
  }

  private updateThreats(): void {
    const view = this.session.view.value;
    const wanted = settings.value.threats && this.calls.value?.has('threats') && view && !view.position.outcome;
    if (!wanted) this.threats.value = null;
    else if (!this.threats.value) void this.findThreats(view, this.asking.signal);
  }

  private async findThreats(view: View, signal: AbortSignal): Promise<void> {
    const { connection: { client }, table } = this.session;
    const { details: { id }, variant: { sides } } = table.value!;
    const { toMove } = view.position;
    try {
      const { threats } = await client.threats(id, { ...view.question, depth: THREAT_PLIES, limits: { timeMs: THREAT_MS } }, signal);
      if (signal.aborted) return;
      const known: KnownThreat[] = threats.map((threat) => ({ threat, holds: null, nMore: 0 }));
      this.threats.value = known;
      const isOthers = ({ threat }: KnownThreat) => threat.seat !== toMove && sides[threat.seat] !== sides[toMove];
      const defended = await Promise.all(known.map((it) => (isOthers(it) ? this.findDefence(view, it, signal) : it)));
      if (!signal.aborted) this.threats.value = defended;
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.session.connection.report(error);
    }
  }

  /** Finds the moves that stop a threat and do not lose. */
  private async findDefence(view: View, known: KnownThreat, signal: AbortSignal): Promise<KnownThreat> {
    const { connection: { client }, table } = this.session;
    const { stoppedBy, kind } = known.threat;
    if (stoppedBy.length === 0 && kind !== 'forced') return { ...known, holds: [] };
    const total = kind === 'forced' ? view.position.legalMoveCount : stoppedBy.length;
    const allowed = kind === 'forced' ? {} : { allowMoves: stoppedBy.slice(0, STOPS_MAX) };
    const count = Math.min(total, await client.hintsMax());
    const { hints } = await client.hints(table.value!.details.id, { ...view.question, ...allowed, count, limits: { timeMs: THREAT_MS } }, signal);
    this.moveTexts.keep(view.question, hints);
    const { toMove } = view.position;
    const loses = ({ evaluation }: Hint) => evaluation.certainty === 'proven' && (evaluation.scores[toMove] ?? 0) < 0.01;
    const holds = hints.filter((hint) => !loses(hint));
    // Moves behind a proven loss lose as well.
    const nMore = hints.some(loses) ? 0 : Math.max(0, total - hints.reduce((n, hint) => n + 1 + hint.equivalents.length, 0));
    return { ...known, holds, nMore };
  }

  /** Finds the line that ended the game, or finished a seat: the cells of a reason for the
   * last move. */
  private async findWinningLine(view: View, signal: AbortSignal): Promise<void> {
    const { table, connection: { client } } = this.session;
    const { details, variant } = table.value!;
    const before = view.node.parent && this.session.positionAt(view.node.parent);
    if (!before) return;
    const nFinished = (position: string) => finishedSeats(position, variant.seats).size;
    if (!view.position.outcome && nFinished(view.position.position) === nFinished(before.position)) return;
    const question = { variant: variant.id, position: before.position, allowMoves: [view.node.move], count: 1, limits: { nodes: 1 } };
    try {
      const { hints } = await client.hints(details.id, question, signal);
      const line = hints[0]?.reasons.find((reason) => reason.cells.length > 0);
      if (!signal.aborted && line) this.winning.value = line.cells;
    } catch {
      // The result is shown without its line.
    }
  }
}
