// Decides which annotations the board shows: the last move, requested help, and the
// analysis.

import { annotateMove, NO_ANNOTATIONS, valuesAfter, type Annotations } from '../board/annotations';
import { pieceOfSeat } from '../board/geometry';
import type { App } from './app';
import { mergedValues } from '../model/move-values';
import type { Entered } from './session';
import { hasSigns, settings } from './settings';
import type { View } from './views';

export function annotateBoard(app: App): void {
  const { session, analyser, helper, preview, board, puzzler, reviewer, activity, tab } = app;
  let shown: View | null = null;
  const show = (view: View) => {
    board.setLook(settings.value.look);
    board.setLayout(view.reading.layout);
    board.setMarks(hasSigns(session.table.value?.variant.seats.length ?? 0));
    if (view !== shown) {
      shown = view;
      board.setPieces(view.position.board, view.motion);
    }
    const { choices, chosen } = enteredAt(app, view);
    const isOurs = typeof session.seatAt(view.node) !== 'number' || app.opponent.isHeld.value;
    board.setChoices(isOurs ? choices : [], chosen, ghostOf(view, chosen));
    board.setAnnotations(annotationsOf(app, view));
  };
  const update = () => {
    const view = session.view.value;
    if (view) board.change(() => show(view));
  };
  let frame = 0;
  const later = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      update();
    });
  };
  for (const observable of [session.view, session.entered, session.table]) observable.watch(update);
  for (const observable of [session.revision, analyser.analysis, helper.hint, helper.threats, helper.winning, helper.tried, preview, puzzler.current, reviewer.review, activity, tab, settings]) observable.watch(later);
}

/** Returns the move being entered, if it starts from this position. */
function enteredAt(app: App, view: View): Pick<Entered, 'chosen' | 'choices'> {
  const entered = app.session.entered.value;
  return entered.view === view ? entered : { chosen: [], choices: [] };
}

/** The piece that the move being entered has already placed. */
function ghostOf(view: View, chosen: { kind: string; point?: string; piece?: string }[]): { point: string; piece: string } | null {
  const [first, second] = chosen;
  if (first?.kind === 'piece' && second?.kind === 'point') return { point: second.point!, piece: first.piece! };
  if (first?.kind !== 'point' || view.position.board[first.point!]) return null;
  const piece = pieceOfSeat(view.reading.layout, view.position.toMove);
  return piece ? { point: first.point!, piece: piece.id } : null;
}

/** While the review is shown: the move that was better than the one that led here. */
function betterMove({ reviewer, session, tab }: App, view: View): Pick<Annotations, 'rings' | 'arrows' | 'turns'> | null {
  const worse = tab.value === 'review' ? reviewer.worse(view.node) : null;
  const before = view.node.parent && session.viewAt(view.node.parent);
  return worse && before ? annotateMove(worse.bestMove, before.reading, 'better') : null;
}

function annotationsOf(app: App, view: View): Annotations {
  const { reading } = view;
  const annotations: Annotations = { ...NO_ANNOTATIONS, last: view.last, lastBlocks: view.lastBlocks, winning: app.helper.winning.value, drawn: view.node.note.marks, rings: [], arrows: [], turns: [], values: new Map() };
  const add = (more: Pick<Annotations, 'rings' | 'arrows' | 'turns'>) => {
    annotations.rings.push(...more.rings);
    annotations.arrows.push(...more.arrows);
    annotations.turns.push(...more.turns);
  };
  const preview = app.preview.value;
  if (preview) {
    annotations.preview = preview.board;
    annotations.last = preview.last;
    annotations.lastBlocks = [];
    annotations.winning = [];
    annotations.drawn = [];
    return annotations;
  }
  const { chosen } = enteredAt(app, view);
  const analysis = app.analyser.analysis.value;
  if (analysis && settings.value.values) {
    annotations.values = valuesAfter(mergedValues(analysis.hints?.hints ?? [], analysis.values, reading.toMove), chosen, reading);
  }
  if (chosen.length > 0) return annotations;
  const guided = app.activity.value;
  if (guided) {
    add(guided.annotate(view) ?? { rings: [], arrows: [], turns: [] });
    return annotations;
  }
  const better = betterMove(app, view);
  if (better) add(better);
  const best = analysis?.hints?.hints[0];
  const wrong = app.puzzler.current.value?.state === 'wrong' ? app.puzzler.current.value : null;
  if (best?.move && !wrong && !better && settings.value.arrows && !settings.value.values) add(annotateMove(best.move, reading, 'hint'));
  const given = app.helper.hint.value?.hints.hints[0];
  if (given) {
    annotations.rings.push(...given.area.map((point) => ({ point, tone: 'area' as const })));
    if (given.move) add(annotateMove(given.move, reading, 'hint'));
    annotations.rings.push(...given.reasons.flatMap((reason) => reason.cells.map((point) => ({ point, tone: 'reason' as const }))));
  }
  for (const { threat } of app.helper.threats.value ?? []) {
    annotations.rings.push(...threat.cells.map((point) => ({ point, tone: 'threat' as const })));
  }
  if (wrong?.refutation[0]) add(annotateMove(wrong.refutation[0], reading, 'bad'));
  return annotations;
}
