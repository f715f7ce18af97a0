// The bot in boardgame.io itself.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

import { pentadBot, type PentadBotOptions } from '../src/boardgame.js';
import { ApiError, Pentad } from '../src/index.js';
import type { LocalPentad } from '../src/local.js';
import { Pentago, type PentagoState } from './pentago.js';
import { eventually, peer, start } from './support.js';

// Its folders have no form that Node.js could import.
const require = createRequire(import.meta.url);
const { Bot, RandomBot, Simulate, Step } = require('boardgame.io/ai');
const { Client } = require('boardgame.io/client');
const { InitializeGame } = require('boardgame.io/internal');
const { Local } = require('boardgame.io/multiplayer');

let pentad: LocalPentad;
before(async () => {
  pentad = await start();
});
after(() => pentad.close());

const setup = (): PentadBotOptions<PentagoState> => ({
  Bot,
  pentad,
  game: 'pentago',
  question: ({ G }) => ({ moves: G.history }),
  move: (text) => ({ move: 'play', args: [text] }),
  hint: { limits: { nodes: 3_000 } },
});

test('two bots finish a game under the rules of boardgame.io, and Pentad agrees with its end', async () => {
  const PentadBot = pentadBot({ ...setup(), level: 4 });
  const { enumerate } = Pentago.ai!;
  const bots = Object.fromEntries(['0', '1'].map((id) => [id, new PentadBot({ enumerate, seed: id })]));
  const { state } = await Simulate({ game: Pentago, bots, state: InitializeGame({ game: Pentago }), depth: 100 });
  const { outcome } = await pentad.position('pentago', { moves: state.G.history });
  assert(outcome, `not over after ${state.G.history.join(' ')}`);
  const { winner } = state.ctx.gameover;
  const seats: Record<string, string> = { 0: 'w', 1: 'b' };
  assert.deepEqual(outcome.scores, winner === undefined ? { w: 0.5, b: 0.5 } : { w: 0, b: 0, [seats[winner]!]: 1 });
});

test('it beats a random player, step by step', async () => {
  const client = Client({ game: Pentago, numPlayers: 2 });
  client.start();
  const { enumerate } = Pentago.ai!;
  const players = [new (pentadBot({ ...setup(), level: 8 }))({ enumerate }), new RandomBot({ enumerate, seed: 'a' })];
  while (!client.getState().ctx.gameover) await Step(client, players[Number(client.getState().ctx.currentPlayer)]);
  assert.equal(client.getState().ctx.gameover.winner, '0');
  client.stop();
});

test('it answers a player through the local master', async () => {
  const multiplayer = Local({ bots: { 1: pentadBot(setup()) } });
  const client = Client({ game: Pentago, multiplayer, playerID: '0', numPlayers: 2 });
  client.start();
  client.moves.play('c3-2r');
  await eventually('the bot has moved', async () => client.getState()?.G.history.length === 2);
  assert.deepEqual([client.getState().ctx.currentPlayer, client.getState().G.history[0]], ['0', 'c3-2r']);
  client.stop();
});

test('the debug panel can change its level', () => {
  const bot = new (pentadBot({ ...setup(), level: 3 }))({ enumerate: Pentago.ai!.enumerate });
  assert.deepEqual(bot.opts().level, { range: { min: 1, max: 10 }, value: 3 });
  bot.setOpt('level', 7);
  assert.equal(bot.getOpt('level'), 7);
});

test('without a hint it fails, or plays at random if that is wanted', async () => {
  const state = InitializeGame({ game: Pentago });
  const away = await peer();
  const pentad = new Pentad(away.url, { retries: 0, timeoutMs: 500 });
  const { enumerate } = Pentago.ai!;
  await assert.rejects(new (pentadBot({ ...setup(), pentad }))({ enumerate }).play(state, '0'));
  const errors: unknown[] = [];
  const careful = new (pentadBot({ ...setup(), pentad, onError: (error) => errors.push(error) }))({ enumerate, seed: 1 });
  const { action } = await careful.play(state, '0');
  assert.equal(action.payload.type, 'play');
  assert(errors.length === 1 && !(errors[0] instanceof ApiError));
  away.close();
});
