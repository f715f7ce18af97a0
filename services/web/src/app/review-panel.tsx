// The review of a game: graph, accuracy, turning points, and mistakes to try again.

import type { Scores } from '../api/types';
import { moveNumber } from '../model/numbering';
import type { Node } from '../model/tree';
import { useApp } from './app';
import { useObservable } from './observable';
import { percent, shortValue } from './evaluation';
import { LABEL_GLYPHS } from './moves-panel';
import type { Review } from './reviewer';
import { settings, words } from './settings';
import { SeatDot } from './setup';
import { MoveLine } from './tools';

export function ReviewPanel() {
  const app = useApp();
  const { session, reviewer } = app;
  const view = useObservable(session.view);
  useObservable(reviewer.review);
  useObservable(session.table);
  useObservable(session.revision);
  const review = reviewer.current();
  useObservable(settings);
  const w = words();
  const hasMoves = view && session.table.value!.tree.root.next !== null;
  const mistakes = reviewer.mistakes();
  const nextMistake = () => {
    const at = review?.path.indexOf(view!.node) ?? -1;
    const next = mistakes.find((node) => review!.path.indexOf(node) > at) ?? mistakes[0];
    if (next) void session.go(next);
  };
  return (
    <div class="review">
      <div class="row">
        <button type="button" class="primary" data-testid="review" disabled={!hasMoves || review?.isRunning} onClick={() => void reviewer.start()}>{w.reviewGame}</button>
        {review && mistakes.length > 0 && <button type="button" data-testid="next-mistake" onClick={nextMistake}>{w.nextMistake}</button>}
        {review?.isRunning && <span class="muted" role="status">{w.reviewing(review.done, review.total)}</span>}
      </div>
      {review && <>
        <Graph review={review} />
        <Accuracy review={review} />
        {view && <Selected review={review} node={view.node} />}
        {review.summary && <TurningPoints review={review} />}
        {review.summary && mistakes.length === 0 && <p>{w.noMistakes}</p>}
      </>}
    </div>
  );
}

/** Expected scores after each move, as far as known. */
function scoresOf(review: Review): (Scores | null)[] {
  if (review.summary?.scores.length === review.path.length) return review.summary.scores;
  return review.path.map((node, i) => review.moves.get(node)?.after.scores ?? review.moves.get(review.path[i + 1]!)?.before.scores ?? null);
}

function Graph({ review }: { review: Review }) {
  const { session } = useApp();
  const view = useObservable(session.view);
  const w = words();
  const { seats } = session.table.value!.variant;
  const scores = scoresOf(review);
  const n = Math.max(1, review.path.length - 1);
  const x = (i: number) => (i / n) * 300;
  const y = (score: number) => 96 - score * 92;
  const shown = seats.length === 2 ? seats.slice(0, 1) : seats;
  const at = view ? review.path.indexOf(view.node) : -1;
  const turning = new Set(review.summary?.turningPoints ?? []);
  return (
    <div class="graph">
      <svg viewBox="0 0 300 100" preserveAspectRatio="none" role="img" aria-label={w.graph}>
        <line class="half" x1="0" x2="300" y1={y(0.5)} y2={y(0.5)} />
        {shown.map((seat) => {
          const points = scores.flatMap((it, i) => (it ? [`${x(i)},${y(it[seat] ?? 0)}`] : []));
          return <g key={seat} class={`seat-${seats.indexOf(seat)}`}>
            {seats.length === 2 && points.length > 1 && <polygon points={`${points[0]!.split(',')[0]},96 ${points.join(' ')} ${points[points.length - 1]!.split(',')[0]},96`} />}
            <polyline points={points.join(' ')} />
          </g>;
        })}
        {[...turning].map((i) => <line key={i} class="turning" x1={x(i + 1)} x2={x(i + 1)} y1="2" y2="98" />)}
        {at >= 0 && <line class="current" x1={x(at)} x2={x(at)} y1="0" y2="100" />}
      </svg>
      <div class="columns">
        {review.path.map((node, i) => (
          <button key={i} type="button" tabIndex={-1} aria-hidden="true" title={node.move} onClick={() => void session.go(node)} />
        ))}
      </div>
    </div>
  );
}

function Accuracy({ review }: { review: Review }) {
  const { session } = useApp();
  const w = words();
  if (!review.summary) return null;
  return (
    <table class="accuracy" data-testid="accuracy">
      <tbody>
        {Object.entries(review.summary.seats).map(([seat, { accuracy, labels }]) => (
          <tr key={seat}>
            <th scope="row"><SeatDot seat={seat} /> {session.seatName(seat)}</th>
            <td>{w.accuracy} <strong>{accuracy === null || accuracy === undefined ? '–' : percent(accuracy / 100)}</strong></td>
            <td>{Object.entries(labels).map(([label, n]) => (
              <span key={label} class={`label ${label}`} title={w.labels[label as keyof typeof w.labels] ?? label}>
                {LABEL_GLYPHS[label as keyof typeof LABEL_GLYPHS] ?? label} {n}
              </span>
            ))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The review's verdict on the move shown. */
function Selected({ review, node }: { review: Review; node: Node }) {
  const { session, puzzler } = useApp();
  const w = words();
  const reviewed = review.moves.get(node);
  const view = session.view.value!;
  if (!reviewed || !node.parent) return null;
  const isBad = reviewed.bestMove !== '' && reviewed.bestMove !== node.move && reviewed.loss > 0.02;
  const { parent } = node;
  return (
    <div class="selected" data-testid="reviewed">
      <p>
        <code>{node.move}</code>{' '}
        {reviewed.label && <span class={`label ${reviewed.label}`}>{LABEL_GLYPHS[reviewed.label]} {w.labels[reviewed.label]}</span>}{' '}
        <span class="muted">{shortValue(reviewed.before, reviewed.seat)} → {shortValue(reviewed.after, reviewed.seat)}</span>
      </p>
      {isBad && <p>{w.bestWas(reviewed.bestMove)}</p>}
      {reviewed.reply && <p>{w.answeredBy} <MoveLine from={view} moves={[reviewed.reply]} /></p>}
      {reviewed.reasons.map((reason, i) => <p key={i}>{reason.text}</p>)}
      {isBad && <button type="button" data-testid="retry" onClick={retry}>{w.retry}</button>}
    </div>
  );
  function retry() {
    const before = session.positionAt(parent!);
    if (before) void puzzler.retry(before.position, before.toMove, reviewed!.bestMove, reviewed!.bestLine);
  }
}

function TurningPoints({ review }: { review: Review }) {
  const { session } = useApp();
  const w = words();
  const nodes = review.summary!.turningPoints.map((i) => review.path[i + 1]).filter((node) => node !== undefined);
  if (nodes.length === 0) return null;
  return (
    <p class="row">{w.turningPoints}: {nodes.map((node) => (
      <button key={node.ply} type="button" class="move" onClick={() => void session.go(node)}>{moveNumber(node, session.table.value!.variant.seats.length, true)} {node.move}</button>
    ))}</p>
  );
}
