// Decides what is marked on the board: the last move, what was asked for, and what
// the analysis shows.

import { markMove, NO_MARKS, valuesAfter, type Marks } from '../board/marks';
import { pieceOfSeat } from '../board/geometry';
import type { App } from './app';
import { settings } from './settings';
import type { View } from './views';

export function markBoard(app: App): void {
  const { session, analyser, helper, preview, board, puzzler, reviewer } = app;
  let shown: View | null = null;
  const show = (view: View) => {
    board.setLayout(view.reading.layout);
    if (view !== shown) {
      shown = view;
      board.setPieces(view.position.board, view.motion);
    }
    const { choices, chosen } = session.entered.value;
    const isOurs = typeof session.seatAt(view.node) !== 'number' || app.opponent.isHeld.value;
    board.setChoices(isOurs ? choices : [], chosen, ghostOf(view, chosen));
    board.setMarks(marksOf(app, view));
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
  for (const cell of [session.view, session.entered, session.table]) cell.watch(update);
  for (const cell of [analyser.analysis, helper.hint, helper.threats, helper.tried, preview, puzzler.current, reviewer.review, settings]) cell.watch(later);
}

/** The piece that a move being entered has put somewhere already. */
function ghostOf(view: View, chosen: { kind: string; point?: string; piece?: string }[]): { point: string; piece: string } | null {
  const [first, second] = chosen;
  if (first?.kind === 'piece' && second?.kind === 'point') return { point: second.point!, piece: first.piece! };
  if (first?.kind !== 'point' || view.position.board[first.point!]) return null;
  const piece = pieceOfSeat(view.reading.layout, view.position.toMove);
  return piece ? { point: first.point!, piece: piece.id } : null;
}

function marksOf(app: App, view: View): Marks {
  const { reading } = view;
  const marks: Marks = { ...NO_MARKS, last: view.last, rings: [], arrows: [], turns: [], values: new Map() };
  const add = (more: Pick<Marks, 'rings' | 'arrows' | 'turns'>) => {
    marks.rings.push(...more.rings);
    marks.arrows.push(...more.arrows);
    marks.turns.push(...more.turns);
  };
  const preview = app.preview.value;
  if (preview) {
    marks.preview = preview.board;
    marks.last = preview.last;
    return marks;
  }
  const { chosen } = app.session.entered.value;
  const analysis = app.analyser.analysis.value;
  if (analysis && settings.value.values) {
    marks.values = valuesAfter([...(analysis.hints?.hints ?? []), ...analysis.values], chosen, reading);
  }
  if (chosen.length > 0) return marks;
  const best = analysis?.hints?.hints[0];
  if (best?.move && settings.value.arrows && !settings.value.values) add(markMove(best.move, reading, 'hint'));
  const given = app.helper.hint.value?.hints.hints[0];
  if (given) {
    marks.rings.push(...given.area.map((point) => ({ point, tone: 'area' as const })));
    if (given.move) add(markMove(given.move, reading, 'hint'));
    marks.rings.push(...given.reasons.flatMap((reason) => reason.cells.map((point) => ({ point, tone: 'reason' as const }))));
  }
  for (const threat of app.helper.threats.value?.threats ?? []) {
    marks.rings.push(...threat.cells.map((point) => ({ point, tone: 'threat' as const })));
  }
  const wrong = app.puzzler.current.value;
  if (wrong?.state === 'wrong' && wrong.refutation[0]) add(markMove(wrong.refutation[0], reading, 'bad'));
  return marks;
}
