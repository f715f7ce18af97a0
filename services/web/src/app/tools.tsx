// Small components that several panels use.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { useApp } from './app';
import { useMoveText } from './move-texts';
import { useObservable } from './observable';
import { lastPoints, type View } from './views';

export function Toggle(props: { label: string; on: boolean; change: (on: boolean) => void; testid?: string }) {
  return (
    <label class="toggle">
      <input type="checkbox" role="switch" checked={props.on} data-testid={props.testid} onChange={(e) => props.change(e.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}

export function Card(props: { title: string; class?: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class={`card ${props.class ?? ''}`} aria-label={props.title}>
      <header><h2>{props.title}</h2>{props.aside}</header>
      {props.children}
    </section>
  );
}

/** Previews a line on the board while it has the pointer or the focus. */
export function usePreview(from: View): { show: (moves: string[]) => Promise<void>; leave: () => void } {
  const { session, preview, moveTexts } = useApp();
  const asked = useRef(0);
  const leave = () => {
    asked.current += 1;
    preview.value = null;
  };
  useEffect(() => leave, []);
  const positionAfter = async (moves: string[]) =>
    moves.length === 0 ? from.position : session.ask({ ...from.question, moves });
  const show = async (moves: string[]) => {
    const turn = (asked.current += 1);
    const text = () => moveTexts.known(from.question, moves) ?? '';
    try {
      const [before, after] = await Promise.all([positionAfter(moves.slice(0, -1)), positionAfter(moves)]);
      const reading = { layout: from.reading.layout, board: before.board, toMove: before.toMove };
      if (turn !== asked.current) return;
      preview.value = { board: after.board, last: lastPoints(moves.at(-1)!, reading, after), text: text() };
      await moveTexts.ask(from.question, moves);
      if (turn === asked.current && preview.value) preview.value = { ...preview.value, text: text() };
    } catch {
      // A preview that fails is not shown.
    }
  };
  return { show, leave };
}

/** A line of moves below the words for its first move. Each is previewed on the board while
 * it has the pointer or the focus; a click goes to it. */
export function MoveLine(props: { from: View; moves: string[]; max?: number; wordless?: boolean }) {
  const { session } = useApp();
  const text = useMoveText(props.wordless ? null : props.from.question, props.moves.slice(0, 1));
  const { show, leave } = usePreview(props.from);
  useObservable(session.view);
  const moves = props.moves.slice(0, props.max ?? 12);
  const go = async (n: number) => {
    leave();
    const end = session.addLine(props.from.node, moves.slice(0, n));
    await session.go(end);
  };
  const line = (
    <span class="line" onPointerLeave={leave}>
      {moves.map((move, i) => (
        <button key={i} type="button" class="move" onPointerEnter={(e) => e.pointerType !== 'touch' && void show(moves.slice(0, i + 1))}
          onFocus={() => void show(moves.slice(0, i + 1))} onBlur={leave} onClick={() => void go(i + 1)}>{move}</button>
      ))}
    </span>
  );
  return text === '' ? line : <span class="worded"><span class="words" title={text}>{text}</span>{line}</span>;
}
