// Two bots of different levels play a game: node bot.mjs [GAME] [LEVEL LEVEL...]

import { Pentad } from 'pentad-client';

const [game = 'pentago', ...levels] = process.argv.slice(2);
const pentad = new Pentad('http://127.0.0.1:8080');

const { seats } = await pentad.game(game);
const moves = [];
for (;;) {
  const { toMove, outcome } = await pentad.position(game, { moves });
  if (outcome) {
    console.log(outcome.text, outcome.scores);
    break;
  }
  const level = Number(levels[seats.indexOf(toMove) % levels.length] ?? 5);
  const { hints, evaluation } = await pentad.hint(game, { moves, level, limits: { timeMs: 500 } });
  moves.push(hints[0].move);
  console.log(toMove, hints[0].move, evaluation.scores);
}
