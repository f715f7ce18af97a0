// What to do next: at the end of a game, and in any position.

import { learnFromMistakes } from './activity';
import { useApp } from './app';
import { useObservable } from './observable';
import { settings, words } from './settings';

/** Offers the review, the mistakes, a rematch and a new game when a game is over. */
export function EndBar() {
  const app = useApp();
  const { session, helper, activity, puzzler } = app;
  const view = useObservable(session.view);
  const table = useObservable(session.table);
  const calls = useObservable(helper.calls);
  const running = useObservable(activity);
  const puzzle = useObservable(puzzler.current);
  useObservable(settings);
  const w = words();
  if (!view?.position.outcome || !table || running || puzzle) return null;
  const isPlayed = table.seats.some((seat) => seat !== 'analysis');
  const canReview = calls?.has('review') && view.node.parent !== null;
  return (
    <div class="endbar" role="group" aria-label={w.gameOver} data-testid="end">
      {canReview && <button type="button" class="primary" data-testid="learn-mistakes" onClick={() => void learnFromMistakes(app)}>{w.learnMistakes}</button>}
      {canReview && <button type="button" data-testid="end-review" onClick={review}>{w.reviewGame}</button>}
      {isPlayed && <button type="button" data-testid="rematch" onClick={rematch}>{w.rematch}</button>}
      <button type="button" data-testid="end-new" onClick={() => (app.entry.value = 'play')}>{w.newGame}</button>
    </div>
  );
  function review() {
    app.openTab('review');
    if (!app.reviewer.current()) void app.reviewer.start();
  }
  /** Plays the same opponents again; from the start, the seats change. */
  function rematch() {
    const { details, variant, seats, position } = table!;
    const next = position === null ? [...seats.slice(1), seats[0]!] : seats;
    void session.start(details.id, variant.id, next, position);
  }
}

/** Offers a game against a level from the position shown. */
export function PractiseButton() {
  const app = useApp();
  const view = useObservable(app.session.view);
  const running = useObservable(app.activity);
  const puzzle = useObservable(app.puzzler.current);
  useObservable(settings);
  if (!view || view.position.outcome || view.node.parent === null || running || puzzle) return null;
  return <button type="button" data-testid="practise" onClick={() => (app.entry.value = 'practise')}>{words().practise}</button>;
}
