// The whole page.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import { ApiError } from '../api/client';
import { Markdown } from '../text/markdown';
import { LANGUAGES, type Language } from '../text';
import { AnalysisPanel } from './analysis-panel';
import { AppContext, TABS, useApp, type App, type Tab } from './app';
import { BoardPanel, Icon } from './board-panel';
import { Dialogs } from './board-tools';
import { useObservable } from './observable';
import { ExplorerPanel } from './explorer-panel';
import { ModeNav } from './mode-nav';
import { afterFrame } from './frame';
import { HelpPanel } from './help-panel';
import { MovesPanel } from './moves-panel';
import { Lazy } from './part';
import { learnPart } from './parts';
import { problemText } from './problem-words';
import { Attempt, PuzzlePanel } from './puzzle-panel';
import { change, settings, words, type Settings } from './settings';
import { isWide, Setup } from './setup';
import { SharePanel } from './share-panel';
import { TokenButton, TokenDialog } from './token-dialog';

export function Page({ app }: { app: App }) {
  return (
    <AppContext.Provider value={app}>
      <Header />
      <Problem />
      <Main />
      <Announcement />
      <Start />
      <TokenDialog />
      <Dialogs />
    </AppContext.Provider>
  );
}

/** Drawn once there is a position: the first frame has the board and what is above it,
 * the next frame everything else, without moving the board. */
function Main() {
  const { session } = useApp();
  const view = useObservable(session.view);
  const [isWhole, setWhole] = useState(false);
  useObservable(settings);
  useLayoutEffect(() => {
    if (view) void afterFrame().then(() => setWhole(true));
  }, [view !== null]);
  const failure = useObservable(session.failure);
  if (!view && failure) return <Games failure={failure} />;
  if (!view) return <main class="loading"><p>{words().loading}</p></main>;
  return (
    <main>
      {(isWhole || !isWide()) && <div class="left"><Setup />{isWhole && <RulesCard />}</div>}
      <BoardPanel />
      {isWhole && <div class="right"><Guide /><AnalysisPanel /><HelpPanel /><Tabs /></div>}
    </main>
  );
}

/** The list of games, where a link leads to none. */
function Games({ failure }: { failure: Error }) {
  const { session } = useApp();
  const games = useObservable(session.games);
  const w = words();
  return (
    <main class="loading" data-testid="games">
      <p>{problemText({ error: failure, move: null }, null, w)} {w.chooseGame}</p>
      <div class="row">
        {games.map((game) => <button key={game.id} type="button" class="primary" onClick={() => void session.start(game.id, '', [])}>{game.name}</button>)}
      </div>
    </main>
  );
}

function Start() {
  const open = useObservable(useApp().entry);
  return open && <Lazy part={learnPart} draw={({ StartDialog }) => <StartDialog />} />;
}

/** The panel of the puzzle, the lesson or the mistakes under way. */
function Guide() {
  const { activity, puzzler } = useApp();
  const active = useObservable(activity);
  const attempt = useObservable(puzzler.current);
  const Panel = active ? active.Panel : attempt && Attempt;
  return Panel && <Panel />;
}

function Header() {
  const options = useObservable(settings);
  const w = words();
  return (
    <header class="top">
      <h1><Logo /> <span>{w.title}</span> <small>{w.tagline}</small></h1>
      <ModeNav />
      <div class="options">
        <TokenButton />
        <a href="/docs/">{w.documentation}</a>
        <label><span class="sr">{w.language}</span>
          <select data-testid="language" value={options.language} onChange={(e) => change({ language: e.currentTarget.value as Language })}>
            {Object.entries(LANGUAGES).map(([id, it]) => <option key={id} value={id} lang={id}>{it.name}</option>)}
          </select>
        </label>
        <label><span class="sr">{w.theme}</span>
          <select data-testid="theme" value={options.theme} onChange={(e) => change({ theme: e.currentTarget.value as Settings['theme'] })}>
            <option value="auto">{w.themeAuto}</option>
            <option value="light">{w.themeLight}</option>
            <option value="dark">{w.themeDark}</option>
          </select>
        </label>
      </div>
    </header>
  );
}

function Logo() {
  const corners = Array.from({ length: 5 }, (_, i) => {
    const angle = (2 * Math.PI * ((i * 2) % 5)) / 5 - Math.PI / 2;
    return `${(16 + 13 * Math.cos(angle)).toFixed(1)},${(16.8 + 13 * Math.sin(angle)).toFixed(1)}`;
  });
  return (
    <svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <polygon points={corners.join(' ')} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
      {corners.map((corner) => <circle key={corner} cx={corner.split(',')[0]} cy={corner.split(',')[1]} r="2.6" fill="currentColor" />)}
    </svg>
  );
}

function Tabs() {
  const { helper, puzzler, tab: current } = useApp();
  const calls = useObservable(helper.calls);
  const attempt = useObservable(puzzler.current);
  useObservable(settings);
  const tab = useObservable(current);
  const setTab = (it: Tab) => (current.value = it);
  const w = words();
  useEffect(() => {
    if (attempt) setTab('puzzles');
  }, [attempt !== null]);
  const has = (it: Tab) => it === 'moves' || it === 'share' || calls?.has(it) || (it === 'puzzles' && attempt !== null);
  // All tabs keep their places until the optional calls are known.
  const places = calls ? TABS.filter(has) : TABS;
  const tabs = places.filter(has);
  const shown = tabs.includes(tab) ? tab : 'moves';
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    const next = tabs[(tabs.indexOf(shown) + by + tabs.length) % tabs.length]!;
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="card tabs" data-tab={shown}>
      <div role="tablist" aria-label={w.game} onKeyDown={step}>
        {places.map((it) => (
          <button key={it} type="button" role="tab" class={has(it) ? '' : 'absent'} id={`tab-${it}`} data-testid={`tab-${it}`} aria-selected={it === shown} aria-controls="tabpanel"
            tabIndex={it === shown ? 0 : -1} onClick={() => setTab(it)}>{w[it]}</button>
        ))}
      </div>
      <div role="tabpanel" id="tabpanel" aria-labelledby={`tab-${shown}`} tabIndex={-1}>
        {shown === 'moves' && <MovesPanel />}
        {shown === 'explorer' && <ExplorerPanel />}
        {shown === 'review' && <Lazy part={learnPart} draw={({ ReviewPanel }) => <ReviewPanel />} meanwhile={<p class="muted">{w.loading}</p>} />}
        {shown === 'puzzles' && <PuzzlePanel />}
        {shown === 'share' && <SharePanel />}
      </div>
    </section>
  );
}

function RulesCard() {
  const { session } = useApp();
  const table = useObservable(session.table);
  useObservable(settings);
  const w = words();
  return (
    <details class="card rules">
      <summary>{w.rules}</summary>
      <div class="prose" tabIndex={0} role="group" aria-label={w.rules}>
        <Markdown text={table?.details.rules} />
        <h3>{w.notation}</h3>
        <Markdown text={table?.details.notation} />
        <p class="muted">{w.keys}</p>
      </div>
    </details>
  );
}

/** How long a message stays, unless it has the pointer or the focus. */
const MESSAGE_MS = 8000;

function Problem() {
  const { connection, notice, session, token } = useApp();
  const note = useObservable(notice);
  const [isHeld, setHeld] = useState(false);
  const problem = useObservable(connection.problem);
  const isUnreachable = useObservable(connection.isUnreachable);
  useObservable(settings);
  const w = words();
  const text = isUnreachable ? w.unreachable : problem ? problemText(problem, session.layout, w) : note;
  const isAboutToken = !isUnreachable && problem?.error instanceof ApiError && problem.error.isAboutToken;
  const close = () => {
    connection.problem.value = null;
    notice.value = null;
  };
  useEffect(() => {
    if (!text || isUnreachable || isAboutToken || isHeld) return;
    const timer = setTimeout(close, MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [text, problem, isUnreachable, isAboutToken, isHeld]);
  if (!text) return null;
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false), onFocusIn: () => setHeld(true), onFocusOut: () => setHeld(false) };
  return (
    <div class={`problem ${isUnreachable ? 'waiting' : ''}`} role="alert" data-testid="problem" {...hold}>
      <span>{text}</span>
      {isAboutToken && <button type="button" data-testid="problem-token" onClick={() => token.ask()}>{w.token}</button>}
      {!isUnreachable && <button type="button" aria-label={w.dismiss} data-testid="dismiss" onClick={close}><Icon d="M6 6l12 12M18 6L6 18" /></button>}
    </div>
  );
}

function Announcement() {
  const { announcement } = useApp();
  const text = useObservable(announcement);
  return <div class="sr" role="status" aria-live="polite" data-testid="announcement">{text}</div>;
}
