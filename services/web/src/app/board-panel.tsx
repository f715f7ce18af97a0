// The board, the seat to move, choices without a place on the board, and navigation.

import { useLayoutEffect, useRef } from 'preact/hooks';

import { handleSpot } from '../board/geometry';
import type { Choice } from '../model/choice';
import { nameOf } from '../model/opponents';
import type { Node } from '../model/tree';
import { useApp } from './app';
import { EndBar, PractiseButton } from './end-bar';
import { BoardTools } from './board-tools';
import { EvaluationBar } from './evaluation-bar';
import { useNodeText } from './move-texts';
import { useObservable } from './observable';
import { settings, words } from './settings';
import { SeatDot } from './setup';
import { MoveBox } from './move-box';
import { endText, stepText } from './step-words';

const CELL_REM_MAX = 8;

export function BoardPanel() {
  const app = useApp();
  const { session, opponent, board } = app;
  const view = useObservable(session.view);
  useObservable(session.revision);
  useObservable(settings);
  const thinking = useObservable(opponent.isThinking);
  const holder = useRef<HTMLDivElement>(null);
  const w = words();
  // Runs before the frame is drawn, so that the first frame has the board.
  useLayoutEffect(() => {
    holder.current?.append(board.element);
  }, [board]);
  const layout = view?.reading.layout;
  const isWide = layout && layout.width > layout.height * 1.4;
  const [width, height] = layout && layout.width > 0 ? [layout.width, layout.height] : [1, 1];
  // Limits the size of boards with few cells on large screens.
  const size = { aspectRatio: `${width} / ${height}`, '--ratio': width / height, '--width-max': `${Math.max(18, width * CELL_REM_MAX)}rem` };
  const name = view ? session.seatName(view.position.toMove) : '';
  const outcome = view?.position.outcome;
  const status = !view ? w.loading : outcome ? outcome.text : thinking ? thinkingText(name) : w.toMove(name);
  return (
    <section class={`boardpanel ${isWide ? 'wide' : ''}`} aria-label={w.board}>
      <div class="status" data-testid="status">
        {view && !outcome && <SeatDot seat={view.position.toMove} />}
        <strong>{status}</strong>
        <FinishedSeats />
        <span class="step"><StepText /></span>
      </div>
      <div class="beside">
        <EvaluationBar />
        <div class="holder" ref={holder} style={size} data-testid="board" />
      </div>
      {layout && layout.points.length === 0 && <p>{w.noLayout}</p>}
      <Extras />
      <EndBar />
      <div class="controls">
        <nav aria-label={w.moves}>
          <button type="button" title={w.first} aria-label={w.first} data-testid="first" disabled={!view?.node.parent} onClick={() => void session.toStart()}><Icon d="M6 5v14M19 5l-9 7 9 7z" /></button>
          <button type="button" title={w.previous} aria-label={w.previous} data-testid="undo" disabled={!view?.node.parent} onClick={() => void session.undo()}><Icon d="M16 5l-9 7 9 7z" /></button>
          <button type="button" title={w.next} aria-label={w.next} data-testid="redo" disabled={!view?.node.next} onClick={() => void session.redo()}><Icon d="M8 5l9 7-9 7z" /></button>
          <button type="button" title={w.last} aria-label={w.last} data-testid="last" disabled={!view?.node.next} onClick={() => void session.toEnd()}><Icon d="M18 5v14M5 5l9 7-9 7z" /></button>
        </nav>
        <MoveBox />
        <PractiseButton />
        <BoardTools />
      </div>
    </section>
  );
  function thinkingText(seatName: string): string {
    const level = view && session.seatAt(view.node);
    return typeof level === 'number' ? w.opponentThinking(nameOf(level), seatName) : w.thinking(seatName);
  }
}

/** The seats that have finished, with their places, best first. */
function FinishedSeats() {
  const { session } = useApp();
  useObservable(session.view);
  const finished = [...session.finished()].sort(([, a], [, b]) => a - b);
  return <>{finished.map(([seat, place]) => (
    <span key={seat} class="tag place" data-testid="finished"><SeatDot seat={seat} /> {session.seatName(seat)}: {words().place(place)}</span>
  ))}</>;
}

function StepText() {
  const { session, opponent } = useApp();
  const view = useObservable(session.view);
  const { chosen } = useObservable(session.entered);
  const thinking = useObservable(opponent.isThinking);
  const w = words();
  if (!view || view.position.outcome || thinking) return null;
  if (chosen.length === 0) return <>{view.mover !== null && <span class="last-move"><SeatDot seat={view.mover} /> {w.played(session.seatName(view.mover), view.node.move)} </span>}{stepText(session)}</>;
  return <><code>{chosen.map((choice) => choice.text).join('')}</code> {stepText(session)}</>;
}

/** Choices without a place on the board: words, the end of a move, one step back. */
function Extras() {
  const { session } = useApp();
  const view = useObservable(session.view);
  const { chosen, choices } = useObservable(session.entered);
  const w = words();
  const hasPlace = (choice: Choice) => choice.point !== undefined || (view && handleSpot(choice, view.reading.layout) !== null);
  const isBots = view && typeof session.seatAt(view.node) === 'number';
  const extras = isBots ? [] : choices.filter((choice) => !hasPlace(choice)).slice(0, 60);
  return (
    <div class="extras">
      {chosen.length > 0 && <button type="button" class="quiet" data-testid="cancel" onClick={() => void session.cancel()}>{w.cancelStep}</button>}
      {view && <Caption node={view.node} />}
      {extras.map((choice) => (
        <button key={choice.text} type="button" class="chip" data-testid={`extra-${choice.text}`} onClick={() => void session.choose(choice)}>
          {choice.kind === 'end' ? endText(session) : choice.word}
        </button>
      ))}
    </div>
  );
}

/** The words for the move of a line that is shown on the board, else for the last move. */
function Caption({ node }: { node: Node }) {
  const { session, preview } = useApp();
  const shown = useObservable(preview);
  const { chosen } = useObservable(session.entered);
  const last = useNodeText(node);
  const text = shown ? shown.text : chosen.length === 0 ? last : '';
  return text ? <span class="words" data-testid="caption">{text}</span> : null;
}

export function Icon({ d, isLine = false }: { d: string; isLine?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={d} fill={isLine ? 'none' : 'currentColor'} stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  );
}
