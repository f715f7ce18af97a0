// A reviewed game as text: labels and values in comments, better lines as variations, so
// that it can be pasted again.

import type { App } from '../app/app';
import { percent, shortValue } from '../app/evaluation';
import { LABEL_GLYPHS } from '../app/moves-panel';
import { words } from '../app/settings';
import { writeGame, type Remark } from '../model/game-text';
import type { Node } from '../model/tree';

const LINE_MAX = 6;

export function labelledText(app: App): string {
  const { session, reviewer } = app;
  const { details, variant, position, tree } = session.table.value!;
  const review = reviewer.current()!;
  const w = words();
  const outcome = session.positionAt(review.path.at(-1)!)?.outcome;
  const accuracy = Object.entries(review.summary?.seats ?? {})
    .map(([seat, it]) => `${session.seatName(seat)} ${it.accuracy === null ? '–' : percent(it.accuracy / 100)}`).join(', ');
  const tags = { game: details.id, variant: variant.id, position, result: outcome?.text ?? null, accuracy };
  const remarkOn = (node: Node): Remark | null => {
    const reviewed = review.moves.get(node);
    if (!reviewed?.label) return null;
    const worse = reviewer.worse(node);
    const values = `${shortValue(reviewed.before, reviewed.seat)} → ${shortValue(reviewed.after, reviewed.seat)}`;
    const comment = `${LABEL_GLYPHS[reviewed.label]} ${w.labels[reviewed.label]}${worse ? `, ${values}` : ''}`;
    return { comment, better: worse ? (worse.bestLine.length > 0 ? worse.bestLine : [worse.bestMove]).slice(0, LINE_MAX) : [] };
  };
  return writeGame(tags, tree, variant.seats.length, remarkOn);
}
