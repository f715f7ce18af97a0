// The graph of a review: expected results over the moves. Two seats share one panel, more
// seats have one each.

import type { Scores } from '../../api/types';
import { learnWords } from '../../text/learn';
import { useApp } from '../app';
import { percent } from '../evaluation';
import { useObservable } from '../observable';
import type { Review } from '../reviewer';
import { words } from '../settings';
import { SeatDot } from '../setup';
import { scoresOf, turningNodes } from './sentences';

const WIDTH = 300;
const HEIGHT = 100;

export function Graph({ review }: { review: Review }) {
  const { session } = useApp();
  const { seats } = session.table.value!.variant;
  const w = words();
  const r = learnWords().review;
  const isShared = seats.length === 2;
  const [first = '', second = ''] = seats;
  return (
    <figure class={`graphs ${isShared ? '' : 'many'}`} aria-label={w.graph} data-testid="graphs">
      {isShared ? <Panel review={review} seat={first} top={r.wins(session.seatName(first))} bottom={r.wins(session.seatName(second))} />
        : seats.map((seat) => <Panel key={seat} review={review} seat={seat} top={percent(1)} bottom={percent(0)} title={session.seatName(seat)} />)}
      <figcaption>{isShared ? r.graphCaption(session.seatName(first)) : r.graphCaptionEach}</figcaption>
    </figure>
  );
}

function Panel({ review, seat, top, bottom, title }: { review: Review; seat: string; top: string; bottom: string; title?: string }) {
  const { session } = useApp();
  const view = useObservable(session.view);
  const { seats } = session.table.value!.variant;
  const r = learnWords().review;
  const scores = scoresOf(review);
  const n = Math.max(1, review.path.length - 1);
  const at = view ? review.path.indexOf(view.node) : -1;
  const rounds = Math.ceil(n / seats.length);
  const shown = scores[Math.max(0, at)]?.[seat];
  return (
    <div class={`graph seat-${seats.indexOf(seat)}`} data-testid="graph">
      {title && <p class="graph-title"><SeatDot seat={seat} /> {title}{shown === undefined ? '' : <span class="muted"> {percent(shown)}</span>}</p>}
      <div class="plot">
        <div class="axis y" aria-hidden="true">
          <span>{top}</span><i style={{ flexGrow: 1 - 1 / seats.length }} /><span>{r.axisEven}</span><i style={{ flexGrow: 1 / seats.length }} /><span>{bottom}</span>
        </div>
        <div class="area">
          <Curve review={review} seat={seat} scores={scores} at={at} />
          <div class="columns">
            {review.path.map((node, i) => <button key={i} type="button" tabIndex={-1} aria-hidden="true" title={node.move} onClick={() => void session.go(node)} />)}
          </div>
        </div>
        <div class="axis x" aria-hidden="true"><span>{r.axisStart}</span><span>{r.axisMove(rounds)}</span></div>
      </div>
    </div>
  );
}

function Curve({ review, seat, scores, at }: { review: Review; seat: string; scores: (Scores | null)[]; at: number }) {
  const { session } = useApp();
  const n = Math.max(1, review.path.length - 1);
  const x = (i: number) => (i / n) * WIDTH;
  const y = (score: number) => HEIGHT - 4 - score * (HEIGHT - 8);
  const points = scores.flatMap((it, i) => (it?.[seat] === undefined ? [] : [`${x(i).toFixed(1)},${y(it[seat]).toFixed(1)}`]));
  const middle = 1 / session.table.value!.variant.seats.length;
  // In a panel of its own a seat has its own turning points only.
  const turns = turningNodes(review).filter((node) => scores.length > 0 && (middle === 0.5 || review.moves.get(node)?.seat === seat));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line class="half" x1="0" x2={WIDTH} y1={y(middle)} y2={y(middle)} />
      {points.length > 1 && <polygon points={`${points[0]!.split(',')[0]},${HEIGHT} ${points.join(' ')} ${points.at(-1)!.split(',')[0]},${HEIGHT}`} />}
      <polyline points={points.join(' ')} />
      {turns.map((node) => <line key={node.ply} class="turning" x1={x(node.ply - review.path[0]!.ply)} x2={x(node.ply - review.path[0]!.ply)} y1="2" y2={HEIGHT - 2} />)}
      {at >= 0 && <line class="current" x1={x(at)} x2={x(at)} y1="0" y2={HEIGHT} />}
    </svg>
  );
}
