// Live analysis: a bar per seat, lines, progress of the search.

import type { Evaluation, Hint } from '../api/types';
import { useApp } from './app';
import { useObservable } from './observable';
import { count, evaluationText, percent, provenText, shortValue } from './evaluation';
import { change, settings, words } from './settings';
import { Place, SeatDot } from './setup';
import { Card, MoveLine, Toggle } from './tools';

const SECONDS = [1, 2, 5, 10, 30];
const LINES_MIN = 1;
const LINES_MAX = 6;

export function AnalysisPanel() {
  const { analyser, helper, moveTexts } = useApp();
  const isHeld = useObservable(analyser.isHeld);
  const calls = useObservable(helper.calls);
  const options = useObservable(settings);
  const w = words();
  const isOn = options.analysis && !isHeld;
  const rows = moveTexts.isOn ? 'two-rows' : '';
  return (
    <Card title={w.analysis} class="analysis" aside={
      <Toggle label={w.switchOn} on={isOn} testid="analysis" change={(on) => { analyser.isHeld.value = false; change({ analysis: on }); }} />
    }>
      <Bars />
      {isOn ? <Lines rows={rows} /> : <p class="lines off" style={{ '--lines': options.lines }}>{w.analysisOff}</p>}
      <div class="toggles">
        <Toggle label={w.values} on={options.values} testid="values" change={(values) => change({ values, analysis: values || options.analysis })} />
        <Toggle label={w.arrows} on={options.arrows} testid="arrows" change={(arrows) => change({ arrows })} />
        <span class="count">
          <button type="button" aria-label={w.fewerLines} aria-disabled={options.lines <= LINES_MIN} onClick={() => setLines(options.lines - 1)}>−</button>
          <span>{options.lines} {w.lines}</span>
          <button type="button" aria-label={w.moreLines} aria-disabled={options.lines >= LINES_MAX} onClick={() => setLines(options.lines + 1)}>+</button>
        </span>
        <label class="inline"><span>{w.think}</span>
          <select value={options.seconds} onChange={(e) => change({ seconds: Number(e.currentTarget.value) })}>
            {SECONDS.map((n) => <option key={n} value={n}>{w.seconds(n)}</option>)}
          </select>
        </label>
        <span class={calls?.has('threats') ? '' : 'absent'}>
          <Toggle label={w.threats} on={options.threats} testid="threats" change={(threats) => change({ threats })} />
        </span>
        <Toggle label={w.moveWords} on={options.moveWords} testid="move-words" change={(moveWords) => change({ moveWords })} />
        <Toggle label={w.details} on={options.details} testid="details" change={(details) => change({ details })} />
      </div>
    </Card>
  );
}

/** The buttons stay enabled at the ends, because a disabled button loses the focus. */
const setLines = (n: number): void => change({ lines: Math.min(Math.max(n, LINES_MIN), LINES_MAX) });

/** Returns the evaluation to show: that of the result, the analysis or a hint. */
function useEvaluation(): Evaluation | null {
  const { session, analyser, helper } = useApp();
  const view = useObservable(session.view);
  const analysis = useObservable(analyser.analysis);
  const hint = useObservable(helper.hint);
  const outcome = view?.position.outcome;
  if (outcome) return { certainty: 'proven', outcome: null, pliesToEnd: 0, scores: outcome.scores, source: 'terminal', depth: 0 };
  return analysis?.hints?.evaluation ?? hint?.hints.evaluation ?? null;
}

function Bars() {
  const { session } = useApp();
  const table = useObservable(session.table);
  const evaluation = useEvaluation();
  useObservable(session.view);
  const w = words();
  if (!table) return null;
  const isProven = evaluation?.certainty === 'proven';
  return (
    <div class="bars" data-testid="bars">
      {table.variant.seats.map((seat) => {
        const score = evaluation?.scores[seat] ?? 0;
        return (
          <div class="bar" key={seat}>
            <span class="who"><SeatDot seat={seat} /> {session.seatName(seat)}<Place seat={seat} /></span>
            <span class={`track ${isProven ? 'proven' : 'estimate'}`} role="img"
              aria-label={evaluation ? `${session.seatName(seat)} ${percent(score)}, ${isProven ? w.proven : w.estimate}` : session.seatName(seat)}>
              <span class="fill" style={{ transform: `scaleX(${score})` }} />
            </span>
            <span class="score">{evaluation ? percent(score) : '–'}</span>
          </div>
        );
      })}
      <p class="certainty" data-testid="certainty">
        {evaluation && <span class={isProven ? 'tag proven' : 'tag estimate'}>{isProven ? `✓ ${w.proven}` : `≈ ${w.estimate}`}</span>}
        {evaluation && isProven && <span>{provenText(evaluation, session)}</span>}
        {evaluation && <span class="source">{w.source[evaluation.source] ?? evaluation.source}</span>}
      </p>
    </div>
  );
}

function Lines({ rows: rowClass }: { rows: string }) {
  const { session, analyser } = useApp();
  const analysis = useObservable(analyser.analysis);
  const options = useObservable(settings);
  const view = useObservable(session.view);
  const w = words();
  const hints = analysis?.hints;
  const seat = view?.position.toMove ?? '';
  const [best] = hints?.hints ?? [];
  const isMoveUnknown = hints?.evaluation.certainty === 'proven' && best?.evaluation.certainty === 'estimate';
  const why = isMoveUnknown ? w.valueNotMove : best?.reasons[0]?.text ?? '';
  const rows: (Hint | null)[] = Array.from({ length: options.lines }, (_, i) => hints?.hints[i] ?? null);
  return (
    <div class={`lines ${rowClass}`} data-testid="lines">
      <ol>
        {rows.map((hint, i) => (
          <li key={i}>
            {hint && analysis && hint.move !== '' && <>
              <span class={`value ${hint.evaluation.certainty}`} title={evaluationText(hint.evaluation, session)}>
                <span aria-hidden="true">{hint.evaluation.certainty === 'proven' ? '✓' : '≈'}</span>{shortValue(hint.evaluation, seat, session.finished().size)}
              </span>
              {hint.evaluation.certainty === 'estimate' && hint.evaluation.source === 'book' && <span class="source">{w.source.book}</span>}
              <MoveLine from={analysis.view} moves={hint.line.length > 0 ? hint.line : [hint.move]} />
            </>}
          </li>
        ))}
      </ol>
      <p class="why" title={why}>{why}</p>
      <div class="progress">
        <span class={`spinner ${analysis?.isRunning ? 'on' : ''}`} aria-hidden="true" />
        <span>{analysis?.isRunning ? w.searching : hints ? w.finished : ''}</span>
        {options.details && hints && <>
          <span data-testid="depth">{hints.depth > 0 ? `${w.depth} ${hints.depth}` : ''}</span>
          <span>{count(hints.nodes)} {w.nodes}</span>
          <span>{hints.elapsedMs > 0 && !hints.cached ? `${count((hints.nodes / hints.elapsedMs) * 1000)}${w.speed}` : ''}</span>
        </>}
      </div>
    </div>
  );
}
