// The comment and the drawings of the position shown.

import { useEffect, useState } from 'preact/hooks';

import { useApp, type App } from '../../app/app';
import { useObservable } from '../../app/observable';
import { settings } from '../../app/settings';
import { adopt } from '../../app/adopt';
import { COLOURS, COMMENT_LEN_MAX, withMark, type Colour } from '../../model/notes';
import { DrawPointer } from './draw-pointer';
import css from './notes.css';
import { noteTexts } from './text';

adopt(css);

interface Pen {
  pointer: DrawPointer;
  colour: Colour;
}

const pens = new WeakMap<App, Pen>();

function penOf(app: App): Pen {
  let pen = pens.get(app);
  if (pen) return pen;
  const { session, board, notice } = app;
  const draw = (from: string, to: string | null, colour: Colour | null) => {
    const node = session.view.value?.node;
    if (!node) return;
    const marks = withMark(node.note.marks, { from, to, colour: colour ?? pen!.colour });
    if (!session.annotate(node, { ...node.note, marks })) notice.value = noteTexts[settings.value.language].full;
  };
  pens.set(app, (pen = { pointer: new DrawPointer(board, draw), colour: 'green' }));
  return pen;
}

export function Notes() {
  const app = useApp();
  const { session, notice } = app;
  const pen = penOf(app);
  const view = useObservable(session.view);
  useObservable(session.revision);
  const { language } = useObservable(settings);
  const [isOn, setOn] = useState(pen.pointer.isOn);
  const [colour, setColour] = useState(pen.colour);
  // Another tab of the page ends drawing, because its switch is not visible then.
  useEffect(() => () => void (pen.pointer.isOn = false), []);
  if (!view) return null;
  const t = noteTexts[language];
  const { node } = view;
  const comment = (text: string) => {
    if (!session.annotate(node, { ...node.note, comment: text })) notice.value = t.full;
  };
  const choose = (it: Colour) => {
    pen.colour = it;
    setColour(it);
  };
  return (
    <div class="notes">
      <label><span>{node.parent ? t.comment(node.move) : t.commentStart}</span>
        <textarea rows={2} data-testid="comment" maxLength={COMMENT_LEN_MAX} value={node.note.comment} onInput={(e) => comment(e.currentTarget.value)} />
      </label>
      <div class="row" role="group" aria-label={t.drawing}>
        <button type="button" data-testid="draw" aria-pressed={isOn} title={t.how} onClick={() => setOn((pen.pointer.isOn = !isOn))}>✎ {t.draw}</button>
        {COLOURS.map((it) => (
          <label key={it} class={`pen ${it}`} title={t.colours[it]}>
            <input type="radio" name="pen" value={it} checked={it === colour} aria-label={t.colours[it]} data-testid={`pen-${it}`} onChange={() => choose(it)} />
          </label>
        ))}
        {node.note.marks.length > 0 && <button type="button" class="quiet" data-testid="erase" onClick={() => session.annotate(node, { ...node.note, marks: [] })}>{t.erase}</button>}
      </div>
      {isOn && <p class="muted">{t.how}</p>}
    </div>
  );
}
