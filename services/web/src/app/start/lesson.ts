// A lesson: one small task after the other, solved by a move on the board.

import { annotateMove } from '../../board/annotations';
import { parseLink } from '../../model/link';
import { Tree } from '../../model/tree';
import { lessonOf, type Lesson, type Step } from '../../lessons';
import { learnWords } from '../../text/learn';
import type { Marks } from '../activity';
import type { App } from '../app';
import { Observable } from '../observable';
import { change, settings } from '../settings';
import { storeActivity, type StoredActivity } from '../stored';
import type { View } from '../views';
import { LessonPanel } from './lesson-panel';

const NODES = 3000;

export interface Progress {
  game: string;
  name: string;
  steps: Step[];
  index: number;
  state: 'open' | 'checking' | 'wrong' | 'done' | 'over';
  /** What a wrong move is answered by. */
  refutation: string | null;
}

export const progress = new Observable<Progress | null>(null);
let running: RunningLesson | null = null;
export const current = (): RunningLesson => running!;

export async function startLesson(app: App, game: string): Promise<void> {
  const lesson = await lessonOf(game);
  if (!lesson) return;
  // A lesson that follows another one returns to the same game.
  const home = running?.home ?? app.session.link() ?? '';
  running?.end();
  running = new RunningLesson(app, game, lesson, home);
  await running.show(0, 'push');
}

export async function resumeLesson(app: App, kept: StoredActivity & { kind: 'lesson' }): Promise<void> {
  const lesson = await lessonOf(kept.game);
  const table = app.session.table.value;
  const step = lesson?.steps[kept.step];
  // The address may have been changed since.
  if (!lesson || !step || table?.details.id !== kept.game || table.position !== step.position) return storeActivity(null);
  running = new RunningLesson(app, kept.game, lesson, kept.home);
  await running.show(kept.step, 'replace');
}

class RunningLesson {
  private readonly unwatch: () => void;

  constructor(private readonly app: App, private readonly game: string, private readonly lesson: Lesson, readonly home: string) {
    this.unwatch = app.session.table.watch(() => {
      const table = app.session.table.value;
      if (table?.details.id !== this.game || table.position !== this.step.position) this.end();
    });
  }

  private get step(): Step {
    return this.lesson.steps[progress.value?.index ?? 0]!;
  }

  /** Shows a step from its beginning. */
  async show(index: number, save: 'push' | 'replace'): Promise<void> {
    const { session } = this.app;
    const { steps } = this.lesson;
    const name = session.games.value.find((it) => it.id === this.game)?.name ?? this.game;
    this.set({ game: this.game, name, steps, index, state: 'open', refutation: null });
    session.intercept = (move, view) => this.take(move, view);
    const { variant, position } = steps[index]!;
    const tree = new Tree();
    const variants = session.games.value.find((it) => it.id === this.game)?.variants ?? [];
    const seats = variants.find((it) => it.id === variant)?.seats.map(() => 'person' as const) ?? [];
    storeActivity({ kind: 'lesson', game: this.game, step: index, home: this.home });
    await session.showGame({ game: this.game, variant, position, tree, node: tree.root, seats }, save);
  }

  again(): Promise<void> {
    return this.show(progress.value!.index, 'replace');
  }

  async next(): Promise<void> {
    const { index, steps } = progress.value!;
    if (index + 1 < steps.length) return this.show(index + 1, 'replace');
    this.set({ ...progress.value!, state: 'over' });
    change({ lessons: [...new Set([...settings.value.lessons, this.game])] });
  }

  /** Plays a move that solves the step. */
  async showMe(): Promise<void> {
    await this.again();
    const view = this.app.session.view.value;
    if (view) await this.attempt(this.step.solution, view);
  }

  /** Returns to the game from which the lesson was started. */
  async leave(): Promise<void> {
    const linked = parseLink(this.home);
    this.end();
    if (linked) await this.app.session.follow(linked, 'push');
  }

  end(): void {
    if (running !== this) return;
    running = null;
    this.unwatch();
    this.app.session.intercept = null;
    storeActivity(null);
    if (this.app.activity.value?.Panel === LessonPanel) this.app.activity.value = null;
  }

  /** Takes over the moves made at the beginning of a step. */
  private take(move: string, view: View): boolean {
    if (view.node.parent !== null || progress.value?.state !== 'open') return false;
    void this.attempt(move, view);
    return true;
  }

  private async attempt(move: string, view: View): Promise<void> {
    const { session, announcement } = this.app;
    const { index } = progress.value!;
    this.set({ ...progress.value!, state: 'checking' });
    await session.advance(move, 'replace');
    const after = session.view.value;
    if (running !== this || progress.value!.index !== index) return;
    if (!after || after.node.move !== move) return this.set({ ...progress.value!, state: 'open' });
    const { isDone, refutation } = await this.judge(move, view.position.toMove, after);
    if (running !== this || progress.value!.index !== index || session.view.value !== after) return;
    this.set({ ...progress.value!, state: isDone ? 'done' : 'wrong', refutation });
    announcement.value = isDone ? this.step.text[settings.value.language].done : learnWords().lessons.notYet;
  }

  private async judge(move: string, mover: string, after: View): Promise<{ isDone: boolean; refutation: string | null }> {
    const { goal } = this.step;
    const { outcome } = after.position;
    if (goal.kind === 'matches') return { isDone: goal.moves.test(move), refutation: null };
    if (goal.kind === 'wins' || outcome) return { isDone: (outcome?.scores[mover] ?? 0) > 0.99, refutation: null };
    const { connection: { client } } = this.app.session;
    const { hints, evaluation } = await client.hints(this.game, { ...after.question, count: 1, limits: { nodes: NODES } });
    const isLost = evaluation.certainty === 'proven' && (evaluation.scores[mover] ?? 0) < 0.01 && evaluation.pliesToEnd === 1;
    return { isDone: !isLost, refutation: isLost ? hints[0]?.move ?? null : null };
  }

  private set(value: Progress): void {
    progress.value = value;
    this.app.activity.value = { Panel: LessonPanel, hidesAnalysis: true, annotate: (view) => this.annotate(view), end: () => this.end() };
  }

  private annotate(view: View): Marks | null {
    const { state, refutation } = progress.value!;
    if (state === 'wrong' && refutation) return annotateMove(refutation, view.reading, 'bad');
    if (view.node.parent !== null) return null;
    return { rings: this.step.look.map((point) => ({ point, tone: 'area' as const })), arrows: [], turns: [] };
  }
}
