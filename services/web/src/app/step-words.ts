// The next step of the move being entered, in words.

import { stepOf, type Step } from '../model/step';
import { stepTexts } from '../text/step-texts';
import type { Session } from './session';
import { settings, words } from './settings';

function stepNow(session: Session): Step | null {
  const { view, table } = { view: session.view.value, table: session.table.value };
  const { chosen, choices } = session.entered.value;
  return view && table ? stepOf(table.details.id, chosen, choices, view.position.board) : null;
}

/** "Put the black block on a free stop"; general words where the game has none. */
export function stepText(session: Session): string {
  const w = words();
  const { chosen, choices } = session.entered.value;
  const step = stepNow(session);
  if (step) return stepTexts[settings.value.language][step];
  if (chosen.length === 0) return w.chooseFirst;
  // The move is complete, and is being played.
  if (choices.length === 0) return '';
  return choices.some((choice) => choice.kind === 'turn') ? w.chooseTurn : w.chooseNext;
}

/** The name of the choice that ends a move which could go on. */
export function endText(session: Session): string {
  return stepNow(session) === 'turnOrLeave' ? stepTexts[settings.value.language].leave : words().endMove;
}
