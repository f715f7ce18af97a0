// The evaluation as a bar beside the board: the expected scores of the seats, the first at
// the bottom, in their colours.

import { useApp } from './app';
import { evaluationText, percent } from './evaluation';
import { useObservable } from './observable';
import { seatFill } from './setup';
import { settings, words } from './settings';

export function EvaluationBar() {
  const { session, analyser } = useApp();
  const view = useObservable(session.view);
  const analysis = useObservable(analyser.analysis);
  const isHeld = useObservable(analyser.isHeld);
  const { analysis: isOn, evaluationBar } = useObservable(settings);
  const table = session.table.value;
  if (!view || !table || !isOn || !evaluationBar || isHeld) return null;
  const outcome = view.position.outcome;
  const evaluation = analysis?.view === view ? analysis.hints?.evaluation : undefined;
  const scores = outcome?.scores ?? evaluation?.scores;
  const certainty = outcome || evaluation?.certainty === 'proven' ? 'proven' : 'estimate';
  const label = outcome ? outcome.text : evaluation ? evaluationText(evaluation, session) : words().searching;
  const { seats } = table.variant;
  const total = scores ? seats.reduce((sum, seat) => sum + (scores[seat] ?? 0), 0) || 1 : 1;
  const share = (seat: string) => (scores ? (scores[seat] ?? 0) / total : 1 / seats.length);
  const best = scores && seats.reduce((a, b) => ((scores[b] ?? 0) > (scores[a] ?? 0) ? b : a));
  return (
    <div class={`evalbar ${certainty}`} role="img" aria-label={`${words().analysis}: ${label}`} title={label} data-testid="evalbar">
      {seats.map((seat, i) => {
        // Clipped, since a part that changes its place would shift the layout.
        const below = seats.slice(0, i).reduce((sum, other) => sum + share(other), 0);
        // Rounded, or sums that are not quite 1 give figures such as 2.8e-14.
        const [top, bottom] = [1 - below - share(seat), below].map((it) => Math.max(0, 100 * it).toFixed(2));
        const clipPath = `inset(${top}% 0 ${bottom}%)`;
        const background = seatFill(view, seat);
        return <span key={seat} class={`share share-${i}`} data-seat={seat} style={{ clipPath, ...(background ? { background } : {}) }} />;
      })}
      {scores && best && <span class="figure">{certainty === 'proven' ? '✓' : percent(scores[best] ?? 0).replace(/\s*%/, '')}</span>}
    </div>
  );
}
