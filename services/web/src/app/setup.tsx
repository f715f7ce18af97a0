// Choice of game, variant and players.

import type { Layout } from '../api/types';
import type { Seat } from '../model/link';
import { LEVELS, nameOf, strengthsOf } from '../model/opponents';
import { useApp } from './app';
import { useObservable } from './observable';
import { isDark } from '../board/colour';
import { seatsOf, signPath } from '../board/geometry';
import { change, hasSigns, settings, words } from './settings';
import { Toggle } from './tools';
import type { View } from './views';

/** Whether the window is wide enough for this beside the board instead of above it. */
export const isWide = (): boolean => matchMedia('(min-width: 900px)').matches;

export function Setup() {
  const { session } = useApp();
  const games = useObservable(session.games);
  const table = useObservable(session.table);
  useObservable(settings);
  const w = words();
  const start = (game: string, variant: string, seats: Seat[]) => void session.start(game, variant, seats);
  const setSeat = (i: number, seat: Seat) => {
    if (table) session.setSeats(table.seats.map((it, k) => (k === i ? seat : it)));
  };
  const strengths = table && strengthsOf(table.details.id, table.variant.seats.length);
  const opponentName = (level: number) => (strengths ? w.opponent(nameOf(level), strengths[level - 1]!) : w.opponentLevel(nameOf(level), level));
  return (
    <details class="card setup" open={isWide()}>
      <summary><span class="kind">{w.setup}</span> <strong>{table ? `${table.details.name} · ${table.variant.name}` : ''}</strong></summary>
      <div class="fields">
        <label>
          <span>{w.game}</span>
          <select data-testid="game" value={table?.details.id ?? ''} onChange={(e) => start(e.currentTarget.value, '', [])}>
            {games.map((game) => <option key={game.id} value={game.id}>{game.name}</option>)}
          </select>
        </label>
        <label>
          <span>{w.variant}</span>
          <select data-testid="variant" value={table?.variant.id ?? ''} onChange={(e) => table && start(table.details.id, e.currentTarget.value, [])}>
            {table?.details.variants.map((variant) => <option key={variant.id} value={variant.id}>{variant.name}</option>)}
          </select>
        </label>
      </div>
      <p class="summary">{table?.variant.summary ?? ''}</p>
      <fieldset>
        <legend>{w.seats}</legend>
        <div class="fields">
          {table?.variant.seats.map((seat, i) => (
            <label key={seat}>
              <span><SeatDot seat={seat} /> {session.seatName(seat)}<Place seat={seat} /></span>
              <select data-testid={`seat-${seat}`} value={String(table.seats[i])} onChange={(e) => setSeat(i, readSeat(e.currentTarget.value))}>
                <option value="analysis">{w.analysisSeat}</option>
                <option value="person">{w.person}</option>
                {LEVELS.map((level) => <option key={level} value={level}>{opponentName(level)}</option>)}
              </select>
            </label>
          ))}
        </div>
      </fieldset>
      {table && canHaveSigns(session.layout) && <Toggle label={w.signs} on={hasSigns(table.variant.seats.length)} testid="signs" change={(signs) => change({ signs })} />}
      <button type="button" class="primary" data-testid="new-game"
        onClick={() => table && start(table.details.id, table.variant.id, table.seats)}>{w.newGame}</button>
    </details>
  );
}

/** Whether some pieces have no label of their own. */
function canHaveSigns(layout: Layout | null): boolean {
  return layout?.pieces.some((piece) => piece.seat !== '' && piece.label === '' && piece.shape !== 'spot') ?? false;
}

function readSeat(text: string): Seat {
  return text === 'person' || text === 'analysis' ? text : Number(text);
}

/** The colour of a seat's pieces; empty if they have several. */
export function seatFill(view: View | null, seat: string): string {
  const own = view?.reading.layout.pieces.filter((piece) => piece.seat === seat) ?? [];
  const fills = new Set(own.map((piece) => piece.fill));
  return fills.size === 1 ? own[0]!.fill : '';
}

/** A dot in the colour of a seat's pieces, or with its letters. */
export function SeatDot({ seat }: { seat: string }) {
  const { session } = useApp();
  const fill = seatFill(useObservable(session.view), seat);
  useObservable(settings);
  const style = fill ? { background: fill, color: isDark(fill) ? '#fff' : '#1d1d1d' } : {};
  const seats = session.table.value?.variant.seats ?? [];
  const number = seatsOf(session.layout).indexOf(seat);
  return (
    <span class={`dot ${fill ? '' : 'many'}`} style={style} aria-hidden="true">
      {!fill && seat.slice(0, 2)}
      {fill && number >= 0 && hasSigns(seats.length) && (
        <svg viewBox="0 0 10 10" width="10" height="10"><path d={signPath(number, { x: 5, y: 5, r: 3 })} fill="none" stroke="currentColor" stroke-width="1.5" /></svg>
      )}
    </span>
  );
}

/** The place of a seat that has finished. */
export function Place({ seat }: { seat: string }) {
  const { session } = useApp();
  useObservable(session.view);
  const place = session.finished().get(seat);
  return place === undefined ? null : <span class="tag place">{words().place(place)}</span>;
}
