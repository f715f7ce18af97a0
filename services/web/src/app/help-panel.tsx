// Help beside the analysis: hints of each detail, threats, and why the move just tried
// is not best. Its size is fixed, so that the layout does not jump when an answer comes.

import { Fragment } from 'preact';

import type { Detail, Evaluation, Hint } from '../api/types';
import { useApp } from './app';
import { inWords } from './move-texts';
import { useObservable } from './observable';
import { evaluationText, shortValue } from './evaluation';
import { movesOf } from '../model/numbering';
import { settings, words } from './settings';
import { MoveLine } from './tools';
import type { View } from './views';

const HOLDS_SHOWN = 4;
const DETAILS: Detail[] = ['nudge', 'area', 'move', 'line'];

/** Hints, each revealing no more than its detail. */
export function HelpPanel() {
  const { helper, session, activity } = useApp();
  const guided = useObservable(activity);
  const given = useObservable(helper.hint);
  const asking = useObservable(helper.isAsking);
  const tried = useObservable(helper.tried);
  const offered = useObservable(helper.offered);
  const calls = useObservable(helper.calls);
  const view = useObservable(session.view);
  const w = words();
  const hint = given?.hints.hints[0];
  const options = useObservable(settings);
  const isOver = !view || view.position.outcome !== null;
  // A hint would give the answer away, and there is none after the end.
  if (guided || (view && isOver && !given && !tried && !offered)) return null;
  return (
    <section class="card help" aria-label={w.hint}>
      <div class="row" role="group" aria-label={w.hint}>
        <strong>{w.hint}</strong>
        {DETAILS.map((detail) => (
          <button key={detail} type="button" data-testid={`hint-${detail}`} aria-pressed={given?.detail === detail} disabled={asking || isOver}
            onClick={() => void helper.askHint(detail)}>{w[detail]}</button>
        ))}
      </div>
      <div class="answers" tabIndex={0} role="group" aria-label={w.hint}>
        {given && hint && view && (
          <div class="given" data-testid="hint">
            {hint.area.length > 0 && !hint.move && <p>{w.lookHere}</p>}
            {hint.move && <p><MoveLine from={view} moves={given.detail === 'line' && hint.line.length > 0 ? hint.line : [hint.move]} /></p>}
            {hint.reasons.map((reason, i) => <p key={i}>{reason.text}</p>)}
            {hint.reasons.length === 0 && !hint.move && <p>{evaluationText(hint.evaluation, session)}</p>}
          </div>
        )}
        <Tried />
        {options.threats && calls?.has('threats') && <ThreatList />}
      </div>
    </section>
  );
}

function ThreatList() {
  const { helper, session } = useApp();
  const threats = useObservable(helper.threats);
  const view = useObservable(session.view);
  const w = words();
  return (
    <div class="threats" data-testid="threat-list">
      {threats?.length === 0 && <p>{w.noThreats}</p>}
      {threats?.slice(0, 4).map(({ threat, holds, nMore }, i) => (
        <p key={i}>
          <span class="tag bad">⚠ {w.threatBy(session.seatName(threat.seat))}</span> <code>{threat.move}</code>
          {threat.kind === 'forced' && ` ${w.byForce(movesOf(threat.plies, session.nPlaying()))}`}
          {holds && view && <Holds holds={holds} nMore={nMore} view={view} />}
        </p>
      ))}
    </div>
  );
}

/** The moves that hold against a threat, with their values. */
function Holds({ holds, nMore, view }: { holds: Hint[]; nMore: number; view: View }) {
  const w = words();
  if (holds.length === 0) return <> <strong>{w.nothingHolds}</strong></>;
  const rest = holds.length - HOLDS_SHOWN + nMore;
  return <> {w.stoppedBy} {holds.slice(0, HOLDS_SHOWN).map((hint) => <Fragment key={hint.move}>
    <span class="nowrap"><MoveLine from={view} moves={[hint.move]} wordless /> ({shortValue(hint.evaluation, view.position.toMove)})</span>{' '}
  </Fragment>)}{rest > 0 && w.andMore(rest)}</>;
}

function Tried() {
  const { helper, session } = useApp();
  const tried = useObservable(helper.tried);
  const offered = useObservable(helper.offered);
  const view = useObservable(session.view);
  const w = words();
  if (offered && !tried) return <p><button type="button" data-testid="how-good" onClick={() => void helper.explainOffered()}>{w.howGood(offered.view.node.move)}</button></p>;
  if (!tried || !view?.node.parent) return null;
  const { comparisons, bestMove } = tried.comparisons;
  const own = comparisons.find((it) => it.move === tried.move);
  const best = comparisons.find((it) => it.move === bestMove) ?? comparisons.find((it) => it !== own);
  if (!own || !best) return null;
  const score = (evaluation: Evaluation) => evaluation.scores[tried.seat] ?? 0;
  const isWorse = score(best.evaluation) - score(own.evaluation) > 0.02;
  return (
    <div class="tried" data-testid="why-not">
      <strong>{isWorse ? `${w.whyNot} ${tried.move}?` : w.whyGood(inWords(tried.move, own.moveText))}</strong>
      {isWorse && <p>
        {w.whyWorse(inWords(tried.move, own.moveText), inWords(best.move, best.moveText))} <span class="nowrap">({shortValue(own.evaluation, tried.seat)} / {shortValue(best.evaluation, tried.seat)})</span>
        {own.reply && <> {w.answeredBy} <MoveLine from={view} moves={own.line.slice(1).length > 0 ? own.line.slice(1) : [own.reply]} max={4} /></>}
      </p>}
      {isWorse && own.reasons.map((reason, i) => <p key={i}>{reason.text}</p>)}
    </div>
  );
}
