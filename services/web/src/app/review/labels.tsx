// How accurately each seat played, and how often each label was given, with a legend.

import type { MoveLabel } from '../../api/types';
import { learnWords } from '../../text/learn';
import { useApp } from '../app';
import { percent } from '../evaluation';
import { LABEL_GLYPHS } from '../moves-panel';
import { useObservable } from '../observable';
import type { Review } from '../reviewer';
import { words } from '../settings';
import { SeatDot } from '../setup';

/** In the order of the table: good ones first. */
export const LABELS: MoveLabel[] = ['best', 'only_move', 'good', 'inaccuracy', 'mistake', 'blunder', 'missed_win', 'slower_win', 'lost_anyway', 'forced'];

export function Labels({ review }: { review: Review }) {
  const { session } = useApp();
  const w = words();
  const r = learnWords().review;
  const seats = Object.entries(review.summary!.seats);
  const used = LABELS.filter((label) => seats.some(([, { labels }]) => labels[label]));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label={w.accuracy}>
        <table class="accuracy" data-testid="accuracy">
          <thead>
            <tr><td />{seats.map(([seat]) => <th key={seat} scope="col"><SeatDot seat={seat} /> {session.seatName(seat)}</th>)}</tr>
          </thead>
          <tbody>
            <tr class="total"><th scope="row">{w.accuracy}</th>{seats.map(([seat, { accuracy }]) => <td key={seat}><strong>{accuracy === null ? '–' : percent(accuracy / 100)}</strong></td>)}</tr>
            {used.map((label) => (
              <tr key={label}>
                <th scope="row"><span class={`label ${label}`} aria-hidden="true">{LABEL_GLYPHS[label]}</span> {w.labels[label]}</th>
                {seats.map(([seat, { labels }]) => <td key={seat}><Count review={review} seat={seat} label={label} n={labels[label] ?? 0} /></td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details class="legend" data-testid="legend">
        <summary>{r.legend}</summary>
        <dl>{LABELS.map((label) => <div key={label}><dt><span class={`label ${label}`} aria-hidden="true">{LABEL_GLYPHS[label]}</span> {w.labels[label]}</dt><dd>{r.meanings[label]}</dd></div>)}</dl>
        <p>{r.accuracyMeaning}</p>
      </details>
    </>
  );
}

/** A count that leads to the next such move. */
function Count({ review, seat, label, n }: { review: Review; seat: string; label: MoveLabel; n: number }) {
  const { session } = useApp();
  const view = useObservable(session.view);
  if (n === 0) return <span class="muted">0</span>;
  const nodes = review.path.filter((node) => review.moves.get(node)?.label === label && review.moves.get(node)?.seat === seat);
  const at = view ? review.path.indexOf(view.node) : -1;
  const next = nodes.find((node) => review.path.indexOf(node) > at) ?? nodes[0];
  const name = `${words().labels[label]}, ${session.seatName(seat)}: ${n}`;
  return <button type="button" class="move" aria-label={name} onClick={() => next && void session.go(next)}>{n}</button>;
}
