// The positions of a game as boards, for files: pictures of each move, with its label and
// the better move of a mistake.

import { boardWords, type App } from '../app/app';
import { hasSigns, words } from '../app/settings';
import type { View } from '../app/views';
import { LABEL_GLYPHS } from '../app/moves-panel';
import { annotateMove, NO_ANNOTATIONS } from '../board/annotations';
import { BoardView } from '../board/view';
import type { ReviewedMove } from '../api/types';
import { moveNumber } from '../model/numbering';
import type { Node } from '../model/tree';

export interface Still {
  node: Node;
  view: View;
  reviewed: ReviewedMove | null;
  /** "4. f6-4r"; empty at the start. */
  move: string;
  /** "?? blunder"; empty without a review. */
  label: string;
  isMistake: boolean;
}

/** Returns the moves of the line shown, from the review if there is one. */
export async function stillsOf(app: App): Promise<Still[]> {
  const { session, reviewer, moveTexts } = app;
  const table = session.table.value!;
  const review = reviewer.current();
  const path = review?.summary ? review.path : table.tree.tip(session.view.value!.node).path;
  await session.load(path.at(-1)!);
  await Promise.all(path.slice(1).map((node) => moveTexts.askNode(node)));
  return path.flatMap((node) => {
    const view = session.viewAt(node);
    if (!view) return [];
    const reviewed = review?.moves.get(node) ?? null;
    const label = reviewed?.label ? `${LABEL_GLYPHS[reviewed.label]} ${words().labels[reviewed.label]}` : '';
    const move = node.parent ? `${moveNumber(node, table.variant.seats.length, true)} ${node.move}` : '';
    return [{ node, view, reviewed, move, label, isMistake: reviewer.worse(node) !== null && label !== '' }];
  });
}

/** A board that is not on the page, for drawing one position after the other. */
export class Painter {
  private readonly board = new BoardView(boardWords(words()));

  constructor(private readonly app: App) {}

  /** Draws a position with its last move and, on demand, the move that was better. */
  draw({ view, node }: Still, withBetter: boolean): SVGSVGElement {
    const { session, reviewer } = this.app;
    const worse = withBetter ? reviewer.worse(node) : null;
    const before = node.parent && session.viewAt(node.parent);
    const better = worse && before ? annotateMove(worse.bestMove, before.reading, 'better') : { rings: [], arrows: [], turns: [] };
    this.board.setLayout(view.reading.layout);
    this.board.setMarks(hasSigns(session.table.value!.variant.seats.length));
    this.board.setPieces(view.position.board);
    this.board.setAnnotations({ ...NO_ANNOTATIONS, last: view.last, lastBlocks: view.lastBlocks, ...better });
    return this.board.element;
  }
}
