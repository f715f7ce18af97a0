// The place of the stored puzzles: which there are for the game shown, which is next, and
// what the reader has solved.

import type { App } from '../../app/app';
import { Observable } from '../../app/observable';
import type { Puzzle } from '../../app/puzzler';
import { viewOf, type View } from '../../app/views';
import { finishedSeats } from '../../model/finished';
import { PuzzleFiles } from '../../model/puzzle-files';
import { dailyPuzzle, dayOf, nextPuzzle, type PuzzleSet, type StoredPuzzle } from '../../model/puzzle-set';
import { storedProgress, storeProgress, watchProgress, withDay, withResult, type Progress } from './progress';

const DAY_MS = 86_400_000;
const WHY_MS = 1500;

/** Why the solution wins: reasons in the reader's language, and the best other moves. */
export interface Explanation {
  puzzle: string;
  root: View;
  line: string[];
  reasons: string[];
}

export class PuzzlePlace {
  /** The set of the game shown; null if it has none, undefined while it is loading. */
  readonly set = new Observable<PuzzleSet | null | undefined>(undefined);
  readonly progress = new Observable<Progress>(storedProgress());
  /** Theme of the puzzles offered; empty for all. */
  readonly theme = new Observable('');
  readonly explanation = new Observable<Explanation | null>(null);
  private readonly files = new PuzzleFiles('');
  /** Id of the puzzle that is being explained. */
  private explained: string | null = null;

  constructor(private readonly app: App) {
    const { session, puzzler } = app;
    watchProgress(() => (this.progress.value = storedProgress()));
    session.table.watch(() => void this.choose());
    puzzler.onResult = (puzzle, isSolved) => this.record(puzzle, isSolved);
    puzzler.current.watch(() => {
      const current = puzzler.current.value;
      if (current?.state === 'solved' && current.puzzle.id) void this.explain(current.puzzle.id);
      else if (current?.puzzle.id !== this.explained || current?.state === 'open') this.explanation.value = this.explained = null;
    });
    void this.choose();
  }

  /** The stored puzzle being solved. */
  get current(): StoredPuzzle | null {
    const id = this.app.puzzler.current.value?.puzzle.id;
    return this.set.value?.puzzles.find((puzzle) => puzzle.id === id) ?? null;
  }

  /** The puzzles with the chosen theme. */
  offered(): StoredPuzzle[] {
    const theme = this.theme.value;
    return this.set.value?.puzzles.filter((puzzle) => theme === '' || puzzle.theme === theme) ?? [];
  }

  /** Returns the number of seats that still play in a puzzle. */
  nSeats({ position }: StoredPuzzle): number {
    const seats = this.app.session.table.value?.variant.seats ?? [];
    return seats.length - finishedSeats(position, seats).size;
  }

  daily(): StoredPuzzle | null {
    return this.set.value ? dailyPuzzle(this.set.value, new Date()) : null;
  }

  /** Returns how many days in a row the daily puzzle has been solved, up to today or yesterday. */
  daysInRow(): number {
    const known = this.progress.value.days[this.key()];
    const now = Date.now();
    return known && [now, now - DAY_MS].some((it) => dayOf(new Date(it)) === known.last) ? known.row : 0;
  }

  isSolved(id: string): boolean {
    const result = this.progress.value.results[id];
    return result === 'first' || result === 'later';
  }

  /** The next puzzle that is not solved; null if all are. */
  next(): StoredPuzzle | null {
    return nextPuzzle(this.offered(), this.current?.id ?? null, (id) => this.isSolved(id));
  }

  async open(puzzle: StoredPuzzle): Promise<void> {
    await this.app.puzzler.open(asPuzzle(puzzle), this.numberOf(puzzle));
  }

  /** Goes on with the puzzle of a link, whose position is shown already. */
  async resume(id: string): Promise<void> {
    await this.choose();
    const puzzle = this.set.value?.puzzles.find((it) => it.id === id);
    const { session, puzzler } = this.app;
    if (session.table.value?.puzzle !== id) return;
    if (puzzle && session.table.value.position === puzzle.position) {
      await puzzler.resume(asPuzzle(puzzle), this.numberOf(puzzle));
    } else {
      session.forgetPuzzle();
    }
  }

  private numberOf(puzzle: StoredPuzzle): number {
    return 1 + (this.set.value?.puzzles.indexOf(puzzle) ?? 0);
  }

  private key(): string {
    const table = this.app.session.table.value;
    return `${table?.details.id} ${table?.variant.id}`;
  }

  /** Loads the set of the game shown. */
  private async choose(): Promise<void> {
    const { connection, session: { table } } = this.app;
    if (!table.value) return;
    const { details, variant } = table.value;
    const known = this.set.value;
    if (known && known.game === details.id && known.variant === variant.id) return;
    if (known) this.theme.value = '';
    try {
      const set = await connection.untilReached(() => this.files.set(details.id, variant.id), new AbortController().signal);
      if (table.value?.variant.id === variant.id && table.value.details.id === details.id) this.set.value = set;
    } catch (error) {
      this.set.value = null;
      connection.report(error);
    }
  }

  private record({ id }: Puzzle, isSolved: boolean): void {
    if (!id) return;
    let progress = withResult(storedProgress(), id, isSolved);
    const now = Date.now();
    if (isSolved && this.daily()?.id === id) progress = withDay(progress, this.key(), dayOf(new Date(now)), dayOf(new Date(now - DAY_MS)));
    this.progress.value = progress;
    storeProgress(progress);
  }

  /** Asks the server why the solution wins. */
  private async explain(id: string): Promise<void> {
    const { session, connection } = this.app;
    const [puzzle, table] = [this.current, session.table.value];
    const position = table && session.positionAt(table.tree.root);
    if (!puzzle || !table || !position || puzzle.id !== id || this.explained === id) return;
    this.explained = id;
    const root = viewOf(table, table.tree.root, position, undefined, false);
    const question = { ...root.question, allowMoves: [puzzle.line[0]!], count: 1, limits: { timeMs: WHY_MS } };
    const tell = (reasons: string[]) => (this.explanation.value = { puzzle: id, root, line: puzzle.line, reasons });
    try {
      const { hints } = await connection.client.hints(table.details.id, question);
      if (this.explained === id) tell(hints[0]?.reasons.map((reason) => reason.text) ?? []);
    } catch (error) {
      tell([]);
      connection.report(error);
    }
  }
}

const asPuzzle = ({ line, ...puzzle }: StoredPuzzle): Puzzle => ({ ...puzzle, solutions: [line] });

const places = new WeakMap<App, PuzzlePlace>();

export function placeOf(app: App): PuzzlePlace {
  let place = places.get(app);
  if (!place) places.set(app, (place = new PuzzlePlace(app)));
  return place;
}
