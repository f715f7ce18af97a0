// Puzzles: finding them, solving them, and why a wrong try fails.

import { movesOf } from '../model/numbering';
import type { Node } from '../model/tree';
import { useApp } from './app';
import { inWords, useNodeText } from './move-texts';
import { useObservable } from './observable';
import { Lazy } from './part';
import { puzzlesPart } from './parts';
import type { Puzzle } from './puzzler';
import { settings, words } from './settings';
import { MoveLine } from './tools';

export function PuzzlePanel() {
  const { puzzler, session, helper } = useApp();
  const puzzles = useObservable(puzzler.puzzles);
  const isLooking = useObservable(puzzler.isLooking);
  const hasLooked = useObservable(puzzler.hasLooked);
  const current = useObservable(puzzler.current);
  const calls = useObservable(helper.calls);
  useObservable(settings);
  useObservable(session.revision);
  const w = words();
  return (
    <div class="puzzles">
      <Lazy part={puzzlesPart} draw={({ Place }) => <Place />} />
      {calls?.has('puzzles') && <div class="row">
        <button type="button" data-testid="find-puzzles" disabled={isLooking} onClick={() => void puzzler.find(false)}>{w.findPuzzles}</button>
        <button type="button" disabled={isLooking || !session.table.value?.tree.root.next} onClick={() => void puzzler.find(true)}>{w.findInGame}</button>
        {isLooking && <span class="muted" role="status">{w.looking}</span>}
      </div>}
      {hasLooked && puzzles.length === 0 && <p>{w.noPuzzles}</p>}
      <ol class="puzzlelist">
        {puzzles.map((puzzle, i) => (
          <li key={i}>
            <button type="button" data-testid="puzzle" aria-current={current?.puzzle === puzzle ? 'true' : undefined} onClick={() => void puzzler.open(puzzle, i + 1)}>
              {w.puzzle(i + 1)} <span class="muted">{describe(puzzle, session.nPlaying())}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** "double threat · Win in 2."; an untranslated theme is left out. */
function describe({ theme, pliesToEnd }: Puzzle, nSeats: number): string {
  const w = words();
  return [w.themes[theme], pliesToEnd > 0 ? w.winIn(movesOf(pliesToEnd, nSeats)) : ''].filter(Boolean).join(' · ');
}

function Wrong({ move, node }: { move: string; node: Node }) {
  const text = useNodeText(node);
  return <>{words().wrong(node.move === move ? inWords(move, text) : move)}</>;
}

/** The puzzle being solved, beside the board. */
export function Attempt() {
  const { puzzler, session } = useApp();
  const current = useObservable(puzzler.current);
  const view = useObservable(session.view);
  const w = words();
  if (!current || !view) return null;
  return (
    <section class={`card guide attempt ${current.state}`} aria-label={w.puzzles} data-testid="attempt" data-state={current.state}>
      {current.state === 'open' && <p><strong>{w.findBest(session.seatName(current.puzzle.toMove))}</strong></p>}
      {current.state === 'right' && <p><strong>✓ {w.right}</strong></p>}
      {current.state === 'solved' && <p><strong>✓ {w.solved}</strong></p>}
      {current.state === 'wrong' && <p><strong>✕ <Wrong move={current.move} node={view.node} /></strong>
        {current.isSlower && <> {w.slowerWin}</>}
        {current.refutation.length > 0 && <> {w.refutedBy} <MoveLine from={view} moves={current.refutation} max={5} /></>}</p>}
      {current.puzzle.id && <Lazy part={puzzlesPart} draw={({ Solved }) => <Solved />} />}
      <div class="row">
        {current.state !== 'open' && <button type="button" data-testid="again" onClick={() => void puzzler.again()}>{w.tryAgain}</button>}
        {current.state !== 'solved' && <button type="button" data-testid="solution" onClick={() => void puzzler.showSolution()}>{w.showSolution}</button>}
        <button type="button" data-testid="leave-puzzle" onClick={() => void puzzler.leave()}>{w.leavePuzzle}</button>
      </div>
    </section>
  );
}
