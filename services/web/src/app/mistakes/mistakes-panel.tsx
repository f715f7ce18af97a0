// The panel of the mistakes: the task, what a try came to, why another move is better, and
// the result.

import { useEffect, useRef } from 'preact/hooks';

import { learnWords } from '../../text/learn';
import type { Node } from '../../model/tree';
import { adopt } from '../adopt';
import { useApp } from '../app';
import { shortValue } from '../evaluation';
import { inWords, useMoveText, useNodeText } from '../move-texts';
import { LABEL_GLYPHS } from '../moves-panel';
import { useObservable } from '../observable';
import { settings, words } from '../settings';
import { SeatDot } from '../setup';
import { MoveLine } from '../tools';
import type { View } from '../views';
import { current, loop, type Item } from './loop';
import guideCss from '../guide.css';
import css from './mistakes.css';
import { attemptText } from './sentences';

adopt(guideCss);
adopt(css);

export function MistakesPanel() {
  const { session } = useApp();
  const { phase, items, index } = useObservable(loop);
  useObservable(settings);
  useObservable(session.revision);
  const m = learnWords().mistakes;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that started the loop is gone; go on from here.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section class="card guide mistakes" aria-labelledby="guide-title" data-testid="mistakes" data-phase={phase}>
      <header>
        <h2 id="guide-title" tabIndex={-1} ref={heading}>{words().learnMistakes}</h2>
        {phase === 'trying' && <span class="count" data-testid="mistake-count">{m.of(index + 1, items.length)}</span>}
      </header>
      {phase === 'trying' && <Steps />}
      <Seats />
      {phase === 'reviewing' && <Waiting />}
      {phase === 'trying' && <Trying item={items[index]!} />}
      {phase === 'result' && <Result />}
    </section>
  );
}

/** A mark per mistake: found, shown, or still open. */
function Steps() {
  const { items, index } = useObservable(loop);
  return (
    <ol class="steps" aria-hidden="true">
      {items.map(({ verdict }, i) => <li key={i} data-verdict={verdict} class={i === index ? 'now' : ''} />)}
    </ol>
  );
}

/** Whose mistakes: each seat that has some, or all. */
function Seats() {
  const { session } = useApp();
  const { seats, phase } = useObservable(loop);
  const all = session.table.value!.variant.seats;
  const m = learnWords().mistakes;
  if (phase === 'reviewing') return null;
  const shown = seats.length === 1 ? seats[0] : '';
  return (
    <label class="inline whose"><span>{m.whose}</span>
      <select data-testid="whose" value={shown} onChange={(e) => void current().choose(e.currentTarget.value ? [e.currentTarget.value] : all)}>
        <option value="">{m.all}</option>
        {all.map((seat) => <option key={seat} value={seat}>{session.seatName(seat)}</option>)}
      </select>
    </label>
  );
}

function Waiting() {
  const { reviewer } = useApp();
  const review = useObservable(reviewer.review);
  const m = learnWords().mistakes;
  return (
    <>
      <p role="status">{m.waiting(review?.done ?? 0, review?.total ?? 0)}</p>
      <progress value={review?.done ?? 0} max={review?.total || 1} aria-label={words().review} />
      <div class="row"><Leave /></div>
    </>
  );
}

function Trying({ item }: { item: Item }) {
  const { session } = useApp();
  const { attempt } = useObservable(loop);
  const view = useObservable(session.view);
  const w = words();
  const m = learnWords().mistakes;
  const { reviewed, verdict, node } = item;
  const text = useNodeText(node);
  const attemptWords = useNodeText(attempt?.node ?? node);
  const isThere = view?.node === node.parent;
  const isOpen = verdict === 'open';
  const label = reviewed.label ? `${LABEL_GLYPHS[reviewed.label]} ${w.labels[reviewed.label]}` : '';
  return (
    <>
      <p class="task"><SeatDot seat={reviewed.seat} /> {m.task(session.seatName(reviewed.seat), inWords(node.move, text))}{' '}
        {label && <span class={`label ${reviewed.label}`}>{label}</span>}{' '}
        {isOpen && !attempt && <strong>{m.find}</strong>}
      </p>
      {attempt && <p class="verdict" data-testid="attempt-verdict" data-state={attempt.state}>
        <strong>{MARKS[attempt.state]} {attemptText(attempt, attempt.node ? attemptWords : '')}</strong></p>}
      {attempt && attempt.state !== 'right' && attempt.refutation.length > 0 && view?.node === attempt.node && view && (
        <p>{w.refutedBy} <MoveLine from={view} moves={attempt.refutation} max={5} /></p>
      )}
      {!isOpen && <Why item={item} />}
      <div class="row">
        {isOpen && attempt && attempt.state !== 'checking' && <button type="button" class="primary" data-testid="mistake-again" onClick={() => void current().toMistake()}>{w.tryAgain}</button>}
        {isOpen && !attempt && !isThere && <button type="button" class="primary" data-testid="mistake-back" onClick={() => void current().toMistake()}>{m.back}</button>}
        {isOpen && <button type="button" data-testid="mistake-show" onClick={() => void current().show()}>{w.showSolution}</button>}
        {!isOpen && <Next />}
        {isOpen && <button type="button" data-testid="mistake-skip" onClick={() => void current().next()}>{m.skip}</button>}
        <Leave />
      </div>
    </>
  );
}

const MARKS = { checking: '…', right: '✓', better: '↗', same: '↺', wrong: '✕' };

function Next() {
  const { items, index } = useObservable(loop);
  const m = learnWords().mistakes;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), [index]);
  return <button type="button" class="primary" data-testid="mistake-next" ref={button} onClick={() => void current().next()}>{index + 1 < items.length ? m.next : m.toResult}</button>;
}

function Leave() {
  return <button type="button" class="quiet" data-testid="mistake-leave" onClick={() => current().leave()}>{learnWords().mistakes.leave}</button>;
}

function BestWords({ node, move }: { node: Node; move: string }) {
  const { session } = useApp();
  const text = useMoveText(session.viewAt(node.parent!)?.question ?? null, [move]);
  return text ? <span class="words">{text}</span> : null;
}

/** The better move and the game's, each with reasons and a line to play through. */
function Why({ item }: { item: Item }) {
  const { session } = useApp();
  const { why } = useObservable(loop);
  const m = learnWords().mistakes;
  const { reviewed, node } = item;
  const before = session.viewAt(node.parent!);
  if (!before) return null;
  const best = why?.comparisons.find((it) => it.move === reviewed.bestMove);
  const played = why?.comparisons.find((it) => it.move === node.move);
  return (
    <div class="why-better">
      <div data-testid="why-better">
        <h3>{m.whyGood(reviewed.bestMove)} <Value evaluation={best?.evaluation ?? reviewed.before} seat={reviewed.seat} /></h3>
        {best?.reasons.map((reason, i) => <p key={i}>{reason.text}</p>)}
        <Line from={before} moves={longest(best?.line, reviewed.bestLine, [reviewed.bestMove])} />
      </div>
      <div data-testid="why-worse">
        <h3>{m.whyBad(node.move)} <Value evaluation={played?.evaluation ?? reviewed.after} seat={reviewed.seat} /></h3>
        {(played?.reasons ?? reviewed.reasons).map((reason, i) => <p key={i}>{reason.text}</p>)}
        <Line from={before} moves={longest(played?.line, reviewed.reply ? [node.move, reviewed.reply] : [node.move])} />
      </div>
      <p class="muted">{m.lineHelp}</p>
    </div>
  );
}

const Value = ({ evaluation, seat }: { evaluation: Parameters<typeof shortValue>[0]; seat: string }) => (
  <span class={`value ${evaluation.certainty}`}>{shortValue(evaluation, seat)}</span>
);

const Line = ({ from, moves }: { from: View; moves: string[] }) => <p><MoveLine from={from} moves={moves} max={8} /></p>;

function longest(...lines: (string[] | undefined)[]): string[] {
  return lines.reduce<string[]>((a, b) => ((b?.length ?? 0) > a.length ? b! : a), []);
}

function Result() {
  const { session } = useApp();
  const { items } = useObservable(loop);
  const m = learnWords().mistakes;
  const w = words();
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const found = items.filter((item) => item.verdict === 'right').length;
  const go = (node: Node) => void session.go(node);
  return (
    <>
      <p tabIndex={-1} ref={heading} role="status"><strong data-testid="mistakes-result">{items.length > 0 ? m.result(found, items.length) : m.none}</strong></p>
      <ul class="results">
        {items.map(({ node, reviewed, verdict }, i) => (
          <li key={i}>
            <span data-verdict={verdict} role="img" aria-label={m.verdicts[verdict]}>{verdict === 'right' ? '✓' : verdict === 'shown' ? '○' : '–'}</span>
            <button type="button" class="move" onClick={() => go(node)}>{node.move}</button>
            <span class="muted">{w.better}:</span> <code>{reviewed.bestMove}</code> <BestWords node={node} move={reviewed.bestMove} />
          </li>
        ))}
      </ul>
      <div class="row">
        {items.length > 0 && <button type="button" data-testid="mistakes-again" onClick={() => void current().begin()}>{m.again}</button>}
        <Leave />
      </div>
    </>
  );
}
