// The panel of a lesson: the task, and what it showed.

import { useEffect, useRef } from 'preact/hooks';

import { learnWords } from '../../text/learn';
import { nameOf } from '../../model/opponents';
import { adopt } from '../adopt';
import { useApp } from '../app';
import { useObservable } from '../observable';
import { change, settings, words } from '../settings';
import { current, progress } from './lesson';
import css from '../guide.css';

adopt(css);

export function LessonPanel() {
  const { entry } = useApp();
  const at = useObservable(progress);
  const { language } = useObservable(settings);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const l = learnWords().lessons;
  const w = words();
  if (!at) return null;
  const { task, done } = at.steps[at.index]!.text[language];
  const isDone = at.state === 'done';
  return (
    <section class="card guide lesson" aria-labelledby="guide-title" data-testid="lesson" data-state={at.state} data-step={at.index}>
      <header>
        <h2 id="guide-title" tabIndex={-1} ref={heading}>{l.inAMinute(at.name)}</h2>
        {at.state !== 'over' && <span class="count">{l.step(at.index + 1, at.steps.length)}</span>}
      </header>
      <ol class="steps" aria-hidden="true">
        {at.steps.map((_, i) => <li key={i} data-verdict={i < at.index || (i === at.index && (isDone || at.state === 'over')) ? 'right' : 'open'} class={i === at.index ? 'now' : ''} />)}
      </ol>
      {at.state === 'over' ? <p role="status"><strong>{l.finished(at.name)}</strong></p> : <p class="task">{task}</p>}
      {isDone && <p class="verdict" data-state="right"><strong>✓</strong> {done}</p>}
      {at.state === 'wrong' && <p class="verdict" data-state="wrong"><strong>✕ {at.refutation ? `${w.refutedBy} ${at.refutation}. ` : ''}{l.notYet}</strong></p>}
      <div class="row">
        {isDone && <NextButton />}
        {at.state === 'wrong' && <button type="button" class="primary" data-testid="lesson-again" onClick={() => void current().again()}>{w.tryAgain}</button>}
        {(at.state === 'open' || at.state === 'wrong') && <button type="button" data-testid="lesson-show" onClick={() => void current().showMe()}>{l.showMe}</button>}
        {at.state === 'over' && <button type="button" class="primary" data-testid="lesson-play" onClick={play}>{l.playNow(nameOf(1))}</button>}
        <button type="button" class="quiet" data-testid="lesson-leave" onClick={() => void current().leave()}>{l.leave}</button>
      </div>
    </section>
  );
  /** Suggests the weakest opponent. */
  function play() {
    change({ opponent: 1 });
    entry.value = 'play';
  }
}

function NextButton() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return <button type="button" class="primary" data-testid="lesson-next" ref={button} onClick={() => void current().next()}>{learnWords().lessons.next}</button>;
}
