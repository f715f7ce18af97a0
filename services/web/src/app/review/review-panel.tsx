// The review of a game: its story, graph, labels, mistakes, and files to take away.

import { useEffect } from 'preact/hooks';

import { learnWords } from '../../text/learn';
import type { Node } from '../../model/tree';
import { learnFromMistakes } from '../activity';
import { adopt } from '../adopt';
import { useApp } from '../app';
import { shortValue } from '../evaluation';
import { useNodeText } from '../move-texts';
import { LABEL_GLYPHS } from '../moves-panel';
import { useObservable } from '../observable';
import type { Review } from '../reviewer';
import { settings, words } from '../settings';
import { MoveLine } from '../tools';
import { Graph } from './graph';
import { Labels } from './labels';
import css from './review.css';
import { ReviewFiles } from './files';
import { sentencesOf } from './sentences';

adopt(css);

export function ReviewPanel() {
  const app = useApp();
  const { session, reviewer, activity } = app;
  const view = useObservable(session.view);
  useObservable(reviewer.review);
  useObservable(session.table);
  useObservable(session.revision);
  const running = useObservable(activity);
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
        <button type="button" class={review?.summary ? '' : 'primary'} data-testid="review" disabled={!hasMoves || review?.isRunning} onClick={() => void reviewer.start()}>{w.reviewGame}</button>
        {hasMoves && !running && (mistakes.length > 0 || !review?.summary) && (
          <button type="button" class={review?.summary ? 'primary' : ''} data-testid="learn" onClick={() => void learnFromMistakes(app)}>{w.learnMistakes}</button>
        )}
        {review?.isRunning && <span class="muted" role="status">{w.reviewing(review.done, review.total)}</span>}
      </div>
      {review && <>
        {view && <Selected review={review} node={view.node} />}
        {review.summary && <Story review={review} />}
        <Graph review={review} />
        {review.summary && mistakes.length > 0 && <div class="row"><button type="button" data-testid="next-mistake" onClick={nextMistake}>{w.nextMistake}</button></div>}
        {review.summary && <Labels review={review} />}
        {review.summary && mistakes.length === 0 && <p>{w.noMistakes}</p>}
        {review.summary && <ReviewFiles review={review} />}
      </>}
    </div>
  );
}

/** The game in sentences; the moves that they name lead to their positions. */
function Story({ review }: { review: Review }) {
  const { session, moveTexts } = useApp();
  useObservable(moveTexts.revision);
  const sentences = sentencesOf(review, session);
  // The story ends with the result, which may not have been shown yet.
  useEffect(() => void session.load(review.path.at(-1)!).catch(() => undefined), [review.path]);
  return (
    <section class="story" aria-label={learnWords().review.story} data-testid="story">
      {sentences.map(({ text, node }, i) => (
        <p key={i}>{node && <button type="button" class="move" data-testid="turning" onClick={() => void session.go(node)}>{node.move}</button>} {node && <NodeWords node={node} />}{text}</p>
      ))}
    </section>
  );
}

function NodeWords({ node }: { node: Node }) {
  const text = useNodeText(node);
  return text ? <><span class="words">{text}</span> </> : null;
}

/** The review's verdict on the move shown, with a better line to play through. */
function Selected({ review, node }: { review: Review; node: Node }) {
  const { session, puzzler, reviewer } = useApp();
  const w = words();
  const reviewed = review.moves.get(node);
  const worse = reviewer.worse(node);
  const view = session.view.value!;
  if (!reviewed || !node.parent) return null;
  const before = session.viewAt(node.parent);
  const line = worse && (worse.bestLine.length > 0 ? worse.bestLine : [worse.bestMove]);
  return (
    <div class="selected" data-testid="reviewed">
      <p>
        <code>{node.move}</code> <NodeWords node={node} />
        {reviewed.label && <span class={`label ${reviewed.label}`}>{LABEL_GLYPHS[reviewed.label]} {w.labels[reviewed.label]}</span>}{' '}
        <span class="muted">{shortValue(reviewed.before, reviewed.seat)} → {shortValue(reviewed.after, reviewed.seat)}</span>
      </p>
      {line && before && <p class="better-line" data-testid="better-line"><span class="swatch" aria-hidden="true">●</span> {w.better}: <MoveLine from={before} moves={line} max={8} /></p>}
      {reviewed.reply && <p>{w.answeredBy} <MoveLine from={view} moves={[reviewed.reply]} /></p>}
      {reviewed.reasons.map((reason, i) => <p key={i}>{reason.text}</p>)}
      {worse && before && <button type="button" data-testid="retry" onClick={() => void puzzler.retry(before.position.position, before.position.toMove, worse.bestMove, worse.bestLine)}>{w.retry}</button>}
    </div>
  );
}
