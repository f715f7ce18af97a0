// Announces events to screen readers: moves, results, final evaluations, and the next
// step of a move being entered.

import type { App } from './app';
import { evaluationText } from './evaluation';
import { inWords, spoken } from './move-texts';
import { words } from './settings';
import { stepText } from './step-words';

export function announceChanges(app: App): void {
  const { session, analyser, announcement, puzzler, helper, moveTexts } = app;
  session.view.watch(() => {
    const view = session.view.value;
    if (!view) return;
    const w = words();
    const parts: string[] = [];
    if (view.mover !== null && view.motion) parts.push(playedText(session.seatName(view.mover), view.node.move, moveTexts.ofNode(view.node)));
    parts.push(view.position.outcome ? `${w.gameOver}. ${view.position.outcome.text}` : `${w.toMove(session.seatName(view.position.toMove))}.`);
    for (const [seat, place] of session.finished()) parts.push(`${session.seatName(seat)}: ${w.place(place)}.`);
    announcement.value = parts.join(' ');
  });
  session.entered.watch(() => {
    const { chosen, choices } = session.entered.value;
    // While a move is being played there is no next step.
    if (chosen.length === 0 || choices.length === 0) return;
    announcement.value = `${chosen.map((choice) => choice.word).join(' ')}. ${stepText(session)}.`;
  });
  analyser.analysis.watch(() => {
    const analysis = analyser.analysis.value;
    if (!analysis?.hints?.final) return;
    const [best] = analysis.hints.hints;
    announcement.value = `${words().analysis}: ${evaluationText(analysis.hints.evaluation, session)}${best?.move ? `, ${spoken(best.move, best.moveText)}` : ''}.`;
  });
  puzzler.current.watch(() => {
    const current = puzzler.current.value;
    const w = words();
    if (current?.state === 'solved') announcement.value = w.solved;
    if (current?.state === 'right') announcement.value = w.right;
    const node = session.view.value?.node;
    if (current?.state === 'wrong') announcement.value = w.wrong(inWords(current.move, node?.move === current.move ? moveTexts.ofNode(node) : ''));
  });
  helper.hint.watch(() => {
    const hint = helper.hint.value?.hints.hints[0];
    if (hint) announcement.value = [spoken(hint.move, hint.moveText), ...hint.reasons.map((reason) => reason.text)].filter(Boolean).join('. ');
  });
}

/** "White: b2, then block 1 turned left.", or "White played b2-1l.". */
const playedText = (seat: string, move: string, text: string): string => (text ? `${seat}: ${text}.` : words().played(seat, move));
