// The tree of the game: the main line in turns, variations below the move that they
// replace.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { MoveLabel } from '../api/types';
import { moveNumber } from '../model/numbering';
import type { Node } from '../model/tree';
import { useApp } from './app';
import { useNodeText } from './move-texts';
import { useObservable } from './observable';
import { Lazy } from './part';
import { notesPart } from './parts';
import { words } from './settings';

export const LABEL_GLYPHS: Record<MoveLabel, string> = {
  best: '★', good: '✓', inaccuracy: '?!', mistake: '?', blunder: '??', only_move: '□', forced: '→', missed_win: '✕', slower_win: '↷', lost_anyway: '·',
};

export function MovesPanel() {
  const { session } = useApp();
  const table = useObservable(session.table);
  const view = useObservable(session.view);
  useObservable(session.revision);
  const w = words();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = list.current;
    if (!current || !box) return;
    const [top, bottom] = [current.offsetTop - box.offsetTop, current.offsetTop - box.offsetTop + current.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }, [view?.node]);
  if (!table || !view) return null;
  const isSide = !view.node.isMainLine;
  return (
    <div class="moves">
      <div class="movelist" ref={list} data-testid="moves" tabIndex={0} role="group" aria-label={w.moves}>
        {table.tree.root.next ? <Line from={table.tree.root} nSeats={table.variant.seats.length} /> : <p class="muted">{w.noMoves}</p>}
      </div>
      <div class="row">
        <button type="button" class="quiet" disabled={!isSide} onClick={() => session.promote(view.node)}>{w.promote}</button>
        <button type="button" class="quiet" data-testid="remove" disabled={!view.node.parent} onClick={() => void session.remove(view.node)}>{w.removeLine}</button>
      </div>
      <Lazy part={notesPart} draw={({ Notes }) => <Notes />} />
    </div>
  );
}

function Line({ from, nSeats }: { from: Node; nSeats: number }) {
  const parts: ComponentChildren[] = [];
  let showNumber = true;
  for (let node = from; node.next; node = node.next) {
    parts.push(<MoveButton key={parts.length} node={node.next} nSeats={nSeats} always={showNumber} />);
    showNumber = false;
    for (const other of node.children.slice(1)) {
      parts.push(
        <span class="variation" key={parts.length}>
          <MoveButton node={other} nSeats={nSeats} always={true} />
          {other.next && <Line from={other} nSeats={nSeats} />}
        </span>,
      );
      showNumber = true;
    }
  }
  return <>{parts}</>;
}

function MoveButton({ node, nSeats, always }: { node: Node; nSeats: number; always: boolean }) {
  const { session, reviewer } = useApp();
  const view = useObservable(session.view);
  useObservable(reviewer.review);
  const w = words();
  const number = moveNumber(node, nSeats, always);
  const label = reviewer.labelOf(node);
  const text = useNodeText(node);
  return (
    <span class="played">
      {number && <span class="number">{number}</span>}
      <button type="button" class="move" aria-current={view?.node === node ? 'step' : undefined} onClick={() => void session.go(node)}>
        {node.move}
        {label && <span class={`label ${label}`} title={w.labels[label]} aria-label={w.labels[label]} role="img">{LABEL_GLYPHS[label]}</span>}
      </button>
      <NoteMark node={node} />
      {text && <span class="words">{text}</span>}
    </span>
  );
}

/** The comment after a move, and a sign for marks on the board. */
function NoteMark({ node: { note } }: { node: Node }) {
  if (note.comment === '' && note.marks.length === 0) return null;
  return <span class="comment">{note.comment || '✎'}</span>;
}
