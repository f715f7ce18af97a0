// Choosing a game, an opponent and a seat.

import { useState } from 'preact/hooks';

import { learnWords } from '../../text/learn';
import type { Seat } from '../../model/link';
import { LEVELS, nameOf, strengthsOf } from '../../model/opponents';
import { useApp } from '../app';
import { useObservable } from '../observable';
import { change, settings, words } from '../settings';

export function PlayForm({ isPractice }: { isPractice: boolean }) {
  const { session, entry } = useApp();
  const table = session.table.value!;
  const games = useObservable(session.games);
  const [gameId, setGame] = useState(table.details.id);
  const [variantId, setVariant] = useState(table.variant.id);
  const [opponent, setOpponent] = useState<Seat>(settings.value.opponent);
  const game = games.find((it) => it.id === gameId);
  const variant = game?.variants.find((it) => it.id === variantId) ?? game?.variants[0] ?? table.variant;
  const position = session.view.value?.position;
  const [seat, setSeat] = useState(isPractice ? position!.toMove : variant.seats[0]!);
  const own = variant.seats.includes(seat) ? seat : variant.seats[0]!;
  const w = words();
  const p = learnWords().play;
  const start = (event: Event) => {
    event.preventDefault();
    if (typeof opponent === 'number') change({ opponent });
    const seats: Seat[] = variant.seats.map((it) => (it === own || opponent === 'person' ? 'person' : opponent));
    entry.value = null;
    void session.start(gameId, variant.id, seats, isPractice ? position!.position : null);
  };
  return (
    <form class="play" onSubmit={start} data-testid="play-form">
      {!isPractice && <div class="fields">
        <label><span>{w.game}</span>
          <select data-testid="play-game" value={gameId} onChange={(e) => setGame(e.currentTarget.value)}>
            {games.map((it) => <option key={it.id} value={it.id}>{it.name}</option>)}
          </select>
        </label>
        <label><span>{w.variant}</span>
          <select data-testid="play-variant" value={variant.id} onChange={(e) => setVariant(e.currentTarget.value)}>
            {game?.variants.map((it) => <option key={it.id} value={it.id}>{it.name}</option>)}
          </select>
        </label>
      </div>}
      <Opponents game={gameId} nSeats={variant.seats.length} chosen={opponent} choose={setOpponent} />
      {opponent !== 'person' && <label class="you"><span>{p.you}</span>
        <select data-testid="play-seat" value={own} onChange={(e) => setSeat(e.currentTarget.value)}>
          {variant.seats.map((it) => <option key={it} value={it}>{variant.seatNames[it] || it}</option>)}
        </select>
      </label>}
      <button type="submit" class="primary" data-testid="play-start">{p.start}</button>
    </form>
  );
}

function Opponents({ game, nSeats, chosen, choose }: { game: string; nSeats: number; chosen: Seat; choose: (seat: Seat) => void }) {
  const p = learnWords().play;
  const strengths = strengthsOf(game, nSeats);
  const strongest = Math.max(...(strengths ?? [1]));
  return (
    <fieldset>
      <legend>{p.opponent}</legend>
      <div class="opponents">
        {LEVELS.map((level) => (
          <label key={level} class="opponent">
            <input type="radio" name="opponent" value={level} checked={chosen === level} data-testid={`opponent-${level}`} onChange={() => choose(level)} />
            <span>
              <strong>{nameOf(level)}</strong>
              {strengths && <span class="strength" data-testid="strength">{p.strength(strengths[level - 1]!)}
                <meter min={0} max={strongest} value={strengths[level - 1]} aria-hidden="true" /></span>}
              <small>{p.about[level - 1]}</small>
            </span>
          </label>
        ))}
        <label class="opponent">
          <input type="radio" name="opponent" value="person" checked={chosen === 'person'} data-testid="opponent-person" onChange={() => choose('person')} />
          <span><strong>{p.friend}</strong><small>{p.friendAbout}</small></span>
        </label>
      </div>
      {strengths && <p class="muted small">{p.strengthWhy}</p>}
    </fieldset>
  );
}
