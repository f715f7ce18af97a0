// The entry points of the page: play, analyse, puzzles, learn.

import { useApp } from './app';
import { useObservable } from './observable';
import { change, settings, words } from './settings';

export function ModeNav() {
  const app = useApp();
  const { session, puzzler, activity, tab, entry, helper } = app;
  const table = useObservable(session.table);
  const puzzle = useObservable(puzzler.current);
  const running = useObservable(activity);
  const shownTab = useObservable(tab);
  const calls = useObservable(helper.calls);
  useObservable(settings);
  const w = words();
  const isMatch = table?.seats.some((seat) => seat !== 'analysis') ?? false;
  const mode = running ? 'learn' : puzzle || shownTab === 'puzzles' ? 'puzzles' : isMatch ? 'play' : 'analyse';
  const hasPuzzles = calls === null || calls.has('puzzles');
  const button = (id: typeof mode, name: string, open: () => void) => (
    <button type="button" data-testid={`mode-${id}`} aria-current={mode === id ? 'true' : undefined} onClick={open}>{name}</button>
  );
  return (
    <nav class="modes" aria-label={w.modes}>
      {button('play', w.playGame, () => (entry.value = 'play'))}
      {button('analyse', w.analyse, analyse)}
      {hasPuzzles && button('puzzles', w.puzzles, () => app.openTab('puzzles'))}
      {button('learn', w.learn, () => (entry.value = 'learn'))}
    </nav>
  );
  /** Leaves what is under way and analyses the game shown. */
  async function analyse() {
    if (puzzler.current.value) await puzzler.leave();
    activity.value = null;
    session.setSeats(session.table.value?.seats.map(() => 'analysis' as const) ?? []);
    change({ analysis: true });
    tab.value = 'moves';
  }
}
