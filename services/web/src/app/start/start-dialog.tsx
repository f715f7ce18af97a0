// The dialogs of the entry points: a new game, practice from a position, lessons.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { hasLesson } from '../../lessons';
import { learnWords } from '../../text/learn';
import { learnFromMistakes } from '../activity';
import { adopt } from '../adopt';
import { useApp } from '../app';
import { useObservable } from '../observable';
import { settings, words } from '../settings';
import { startLesson } from './lesson';
import { PlayForm } from './play-form';
import css from './dialog.css';

adopt(css);

export function StartDialog() {
  const { entry } = useApp();
  const open = useObservable(entry);
  useObservable(settings);
  const { play, lessons } = learnWords();
  if (!open) return null;
  if (open === 'learn') return <Dialog title={lessons.title}><Lessons /></Dialog>;
  return <Dialog title={open === 'practise' ? play.practise : play.title}><PlayForm isPractice={open === 'practise'} /></Dialog>;
}

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const { entry } = useApp();
  const element = useRef<HTMLDialogElement>(null);
  const close = () => (entry.value = null);
  useEffect(() => {
    const opened = element.current!;
    opened.showModal();
    // Closing restores the focus.
    return () => opened.close();
  }, []);
  return (
    <dialog ref={element} class="card start" aria-labelledby="start-title" data-testid="start-dialog" onCancel={(event) => { event.preventDefault(); close(); }}
      onClick={(event) => event.target === element.current && close()}>
      <header>
        <h2 id="start-title">{title}</h2>
        <button type="button" class="quiet" data-testid="start-close" onClick={close}>{learnWords().lessons.close}</button>
      </header>
      {children}
    </dialog>
  );
}

/** The lessons of the games that this server has. */
function Lessons() {
  const app = useApp();
  const { session, entry, helper } = app;
  const games = useObservable(session.games).filter((game) => hasLesson(game.id));
  const { lessons: finished } = useObservable(settings);
  const calls = useObservable(helper.calls);
  const w = words();
  const l = learnWords().lessons;
  const hasGame = session.table.value?.tree.root.next != null && !app.activity.value;
  const leave = (then: () => Promise<void>) => () => {
    entry.value = null;
    void app.connection.attempt(then);
  };
  return (
    <>
      {games.length > 0 && <p>{l.intro}</p>}
      <ul class="lessonlist">
        {games.map((game, i) => (
          <li key={game.id}>
            <button type="button" class="primary" autoFocus={i === 0} data-testid={`lesson-${game.id}`} onClick={leave(() => startLesson(app, game.id))}>
              {l.inAMinute(game.name)}{finished.includes(game.id) && <span> ✓ {l.done}</span>}
            </button>
          </li>
        ))}
      </ul>
      {hasGame && calls?.has('review') && <>
        <p>{l.mistakes}</p>
        <button type="button" data-testid="dialog-mistakes" onClick={leave(() => learnFromMistakes(app))}>{w.learnMistakes}</button>
      </>}
    </>
  );
}
