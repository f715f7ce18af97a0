// The explorer: a table of the moves of the position shown, with recorded games, their
// results and values. Its size is fixed, so that the layout does not jump when the
// position changes.

import { useEffect } from 'preact/hooks';

import type { ExploredMove, Hint, Scores } from '../api/types';
import { useApp } from './app';
import { useObservable } from './observable';
import { count, evaluationText, percent, shortValue } from './evaluation';
import type { Exploration } from './explorer';
import { settings, words } from './settings';
import { mergedValue } from '../model/move-values';
import { SeatDot, seatFill } from './setup';
import { usePreview } from './tools';

export function ExplorerPanel() {
  const { explorer, session } = useApp();
  const exploration = useObservable(explorer.exploration);
  const isAsking = useObservable(explorer.isAsking);
  useObservable(session.view);
  useObservable(settings);
  const w = words();
  useEffect(() => {
    explorer.open();
    return () => explorer.close();
  }, [explorer]);
  const isOver = exploration?.view.position.outcome;
  const nLeft = exploration ? exploration.total - exploration.moves.length : 0;
  return (
    <div class="explorer" data-testid="explorer" tabIndex={0} role="group" aria-label={w.explorer} aria-busy={isAsking}>
      {!exploration && <p class="muted">{isAsking && w.loading}</p>}
      {exploration && <p class="muted" data-testid="explorer-games">
        {isOver ? w.gameOver : exploration.games > 0 ? w.gamesHere(exploration.games) : w.noGamesHere}
      </p>}
      {exploration && exploration.moves.length > 0 && <ExploredTable exploration={exploration} />}
      {exploration && exploration.nextPageToken !== '' && (
        <button type="button" data-testid="explorer-more" disabled={isAsking} onClick={() => void explorer.more()}>{w.moreMoves(nLeft)}</button>
      )}
    </div>
  );
}

function ExploredTable({ exploration }: { exploration: Exploration }) {
  const { session, analyser } = useApp();
  const { view } = exploration;
  const analysis = useObservable(analyser.analysis);
  const lines = analysis?.view.position.position === view.position.position ? analysis.hints?.hints ?? [] : [];
  const moves = withLineValues(exploration, lines);
  const shown = useObservable(session.view);
  const preview = usePreview(view);
  const w = words();
  // Moves of the previous position cannot be played.
  const isCurrent = () => session.view.value === view;
  const show = (move: string) => {
    if (isCurrent()) void preview.show([move]);
  };
  const play = (move: string) => {
    preview.leave();
    if (isCurrent()) void session.play(move);
  };
  return (
    <table class={`explored ${shown === view ? '' : 'left-behind'}`} data-testid="explored">
      <caption>{w.exploredOrder(session.seatName(view.position.toMove))}</caption>
      <thead>
        <tr>
          <th scope="col">{w.move}</th>
          <th scope="col" aria-sort="descending" class="figure">{w.gameCount}</th>
          <th scope="col">{w.results}</th>
          <th scope="col">{w.value}</th>
          <th scope="col" class="figure" title={w.provenShareWhy}>{w.provenShare}</th>
        </tr>
      </thead>
      <tbody>
        {/* Keyed by row, so that the focus stays in its row when a move is played. */}
        {moves.map((it, i) => (
          <tr key={i}>
            <th scope="row">
              <button type="button" class="move" onPointerEnter={(e) => e.pointerType !== 'touch' && show(it.move)} onPointerLeave={preview.leave}
                onFocus={() => show(it.move)} onBlur={preview.leave} onClick={() => play(it.move)}>{it.move}</button>
              {it.equivalents.length > 0 && <small title={it.equivalents.slice(0, 12).join(' ')}>{w.alike(it.equivalents.length)}</small>}
            </th>
            <td class="figure">{count(it.games)}</td>
            <td>{it.games > 0 ? <Results scores={it.scores} /> : '–'}</td>
            <Value explored={it} seat={view.position.toMove} />
            <td class="figure">{percent(it.provenShare)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Gives moves the values of their lines in the analysis, and sorts them: most played first,
 * then best. */
function withLineValues({ moves, view }: Exploration, lines: Hint[]): ExploredMove[] {
  const seat = view.position.toMove;
  const score = ({ evaluation }: ExploredMove) => evaluation.scores[seat] ?? 0;
  const valued = moves.map((it) => ({ ...it, evaluation: mergedValue(lines, it.move, it.evaluation, seat) }));
  return valued.sort((a, b) => b.games - a.games || score(b) - score(a));
}

/** The mean result of each seat: a bar of their shares, and numbers. */
function Results({ scores }: { scores: Scores }) {
  const { session } = useApp();
  const seats = session.table.value?.variant.seats ?? [];
  const score = (seat: string) => scores[seat] ?? 0;
  return <>
    <span class="shares" aria-hidden="true">
      {seats.map((seat, i) => (
        <span key={seat} class={`share-${i}`} style={{ flexGrow: score(seat), background: seatFill(session.view.value, seat) }} />
      ))}
    </span>
    <span class="numbers" aria-hidden="true">
      {seats.map((seat) => <span key={seat}><SeatDot seat={seat} /> {Math.round(score(seat) * 100)}</span>)}
    </span>
    <span class="sr">{seats.map((seat) => `${session.seatName(seat)} ${percent(score(seat))}`).join(', ')}</span>
  </>;
}

function Value({ explored, seat }: { explored: ExploredMove; seat: string }) {
  const { session } = useApp();
  const w = words();
  const { evaluation } = explored;
  const isProven = evaluation.certainty === 'proven';
  return (
    <td class={`value ${evaluation.certainty}`} title={`${evaluationText(evaluation, session)} (${w.source[evaluation.source] ?? evaluation.source})`}>
      <span aria-hidden="true">{isProven ? '✓' : '≈'}</span> {shortValue(evaluation, seat, session.finished().size)} <small>{isProven ? w.proven : w.estimate}</small>
    </td>
  );
}
