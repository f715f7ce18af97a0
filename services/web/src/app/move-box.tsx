// A text field for moves, with completion from the legal moves.

import { useEffect, useRef, useState } from 'preact/hooks';

import { useApp } from './app';
import { useObservable } from './observable';
import { words } from './settings';

const SHOWN = 12;

export function MoveBox() {
  const { session, moveTexts } = useApp();
  useObservable(moveTexts.revision);
  const view = useObservable(session.view);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ moves: string[]; total: number }>({ moves: [], total: 0 });
  const [at, setAt] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const turn = useRef(0);
  const w = words();
  const isBlocked = !view || view.position.outcome !== null || typeof session.seatAt(view.node) === 'number';
  useEffect(() => {
    setText('');
    setOpen(false);
  }, [view?.node]);
  const look = async (prefix: string) => {
    const mine = (turn.current += 1);
    setText(prefix);
    setAt(-1);
    const answer = prefix === '' ? { moves: [], total: 0 } : await session.complete(prefix, SHOWN).catch(() => ({ moves: [], total: 0 }));
    if (mine !== turn.current) return;
    setFound(answer);
    setOpen(answer.moves.length > 0);
    if (view && answer.moves.length > 0) await moveTexts.askPrefix(view.question, prefix, SHOWN);
  };
  const textOf = (move: string) => (view && moveTexts.known(view.question, [move])) ?? '';
  const play = (move: string) => {
    if (move.trim() === '') return;
    turn.current += 1;
    setOpen(false);
    void session.play(move.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && found.moves.length > 0) {
      setOpen(true);
      setAt((at + step + found.moves.length) % found.moves.length);
      event.preventDefault();
    } else if (event.key === 'Escape') {
      setOpen(false);
    } else if (event.key === 'Tab' && isOpen && found.moves.length > 0 && at >= 0) {
      void look(found.moves[at]!);
      event.preventDefault();
    }
  };
  return (
    <form class="movebox" onSubmit={(e) => { e.preventDefault(); play(at >= 0 ? found.moves[at]! : text); }}>
      <input type="text" data-testid="move-box" role="combobox" aria-label={w.typeMove} placeholder={w.typeMove} value={text}
        autocomplete="off" autocapitalize="off" spellcheck={false} disabled={isBlocked} maxLength={200}
        aria-expanded={isOpen} aria-controls="move-list" aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `move-${at}` : undefined}
        onInput={(e) => void look(e.currentTarget.value)} onKeyDown={onKeyDown} onBlur={() => setTimeout(() => setOpen(false), 150)} />
      <ul id="move-list" role="listbox" aria-label={w.moves} hidden={!isOpen}>
        {found.moves.map((move, i) => (
          <li key={move} id={`move-${i}`} role="option" aria-selected={i === at} onPointerDown={(e) => { e.preventDefault(); play(move); }}>
            {move}{textOf(move) && <> <span class="words">{textOf(move)}</span></>}
          </li>
        ))}
        {found.total > found.moves.length && <li class="more" role="option" aria-disabled="true" aria-selected={false}>{w.matching(found.total)}</li>}
      </ul>
      <button type="submit" disabled={isBlocked || text === ''}>{w.play}</button>
    </form>
  );
}
