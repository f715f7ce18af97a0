// Makes the stored puzzles of games and variants from games that the engine plays against
// itself at several levels.
//
//   PENTAD=target/release/pentad node puzzles/make.mjs [game/variant …]
//
//   SEED     seed of the games (default 1)
//   COUNT    puzzles of each set (default 60)
//   MINUTES  time for each set (default 20)
//   PLIES    most plies to the end: 1, 3 or 5, which takes long in some games (default 3)
//
// Puzzles that a set has already are kept among the candidates, so that another seed adds to
// them.
//
// With two sides, puzzles are wins in one, three or five plies that exactly one distinct
// move forces; with more, wins at once, or the first place where the others play on. Where the end of a move does not matter, as for a
// block that may be put anywhere, all moves with the same beginning count as one.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startServer } from '../tests/support/server.mjs';
import { firstFinish, firstPlaces } from './places.mjs';
import { ways } from './ways.mjs';

const SEED = Number(process.env.SEED ?? 1);
const COUNT = Number(process.env.COUNT ?? 60);
/** Smaller sets are not worth having. */
const COUNT_MIN = 5;
const MINUTES = Number(process.env.MINUTES ?? 20);
const PLIES = Number(process.env.PLIES ?? 3);
const LEVELS = [2, 4, 1, 6, 3, 5, 8];
const GAMES_AT_ONCE = 4;
/** Plies before the end of a game that are looked through. */
const PLIES_LOOKED_AT = 12;
/** Limits of a position's search; a win at once needs little. */
const NODES = 20_000;
const NODES_AT_ONCE = 500;
const SELFPLAY_NODES = 500;
const GAME_MS = 40_000;
/** Largest share of a set for puzzles of one theme and length. */
const SHARE_MAX = 0.4;

const pentad = process.env.PENTAD ?? 'pentad';
const run = promisify(execFile);

/** Returns finished games as lists of moves. */
async function play(game, variant, level, seed) {
  const file = join(mkdtempSync(join(tmpdir(), 'pentad-games-')), 'games');
  const args = ['selfplay', game, '--variant', variant, '--games', GAMES_AT_ONCE, '--level', level, '--opening-plies', 3, '--nodes', SELFPLAY_NODES, '--seed', seed, '--output', file];
  await run(pentad, args.map(String));
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line).moves);
}

const idOf = (variant, position) => createHash('sha256').update(`${variant} ${position}`).digest('hex').slice(0, 8);

/** Looks through the end of a game. */
async function puzzlesOf(ask, variant, moves, hasWays) {
  const from = Math.max(0, moves.length - PLIES_LOOKED_AT);
  const { position } = await ask('position', { variant: variant.id, moves: moves.slice(0, from) });
  const nSides = new Set(variant.seats.map((seat) => variant.sides[seat])).size;
  const finish = nSides > 2 ? await firstFinish(ask, variant, moves) : null;
  if (finish !== null) return firstPlaces(ask, variant, moves.slice(0, finish));
  const rest = { position, moves: moves.slice(from) };
  if (hasWays) return ways(ask, variant, rest);
  const question = { variant: variant.id, ...rest, count: 1000, minPlies: 1, maxPlies: nSides === 2 ? PLIES : 1, limits: { nodes: nSides === 2 ? NODES : NODES_AT_ONCE }, totalTimeMs: GAME_MS };
  const messages = await ask.stream('puzzles', question);
  return messages.flatMap(({ puzzle }) => puzzle ?? []).map((puzzle) => ({
    ...puzzle, line: puzzle.solutions.reduce((best, line) => (line.length > best.length ? line : best)),
  }));
}

function stored(variant, { position, toMove, theme, difficulty, pliesToEnd, firstMoves, line, prefix }) {
  return {
    id: idOf(variant.id, position), position, toMove, theme, difficulty: Math.round(difficulty * 100) / 100, pliesToEnd, firstMoves, line,
    ...(prefix ? { prefix } : {}),
  };
}

/** Keeps a spread of themes and lengths, hard ones first, by rising difficulty. */
function choose(found) {
  const groups = new Map();
  for (const puzzle of found) {
    const key = `${puzzle.theme} ${puzzle.pliesToEnd}`;
    groups.set(key, [...(groups.get(key) ?? []), puzzle]);
  }
  const max = Math.max(Math.ceil(COUNT * SHARE_MAX), Math.ceil(COUNT / groups.size));
  const kept = [...groups.values()].flatMap((group) => spread(group.sort((a, b) => a.difficulty - b.difficulty), max));
  const order = (a, b) => a.difficulty - b.difficulty || (a.id < b.id ? -1 : 1);
  return spread(kept.sort(order), COUNT);
}

/** Returns at most `max` items, evenly chosen. */
function spread(items, max) {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / max)]);
}

async function makeSet(ask, game, variant) {
  const until = Date.now() + MINUTES * 60_000;
  const file = join(import.meta.dirname, `${game}-${variant.id}.json`);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).puzzles : [];
  const found = new Map(known.map((puzzle) => [puzzle.id, puzzle]));
  let nUnique = 0;
  for (let round = 0; Date.now() < until && found.size < COUNT * 2.5; round += 1) {
    const level = LEVELS[round % LEVELS.length];
    const games = await play(game, variant.id, level, SEED * 1000 + round);
    for (const moves of games) {
      const puzzles = await puzzlesOf(ask, variant, moves, round > 0 && nUnique === 0);
      nUnique += puzzles.filter((puzzle) => puzzle.solutions).length;
      for (const puzzle of puzzles) {
        const kept = stored(variant, puzzle);
        if (!found.has(kept.id)) found.set(kept.id, kept);
      }
    }
    console.log(`${game}/${variant.id}: ${found.size} after ${(round + 1) * GAMES_AT_ONCE} games`);
  }
  const puzzles = choose([...found.values()]);
  if (puzzles.length < COUNT_MIN) return;
  const lines = puzzles.map((puzzle) => `    ${JSON.stringify(puzzle)}`).join(',\n');
  writeFileSync(file,
    `{\n  "game": ${JSON.stringify(game)},\n  "variant": ${JSON.stringify(variant.id)},\n  "puzzles": [\n${lines}\n  ]\n}\n`);
}

/** Calls of a game: one answer, the messages of a stream, the moves that win at once. */
function callsOf(url, game) {
  const send = async (path, body, accept) => {
    const answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST', headers: { 'content-type': accept === NDJSON && typeof body === 'string' ? NDJSON : 'application/json', accept },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return text;
  };
  const linesOf = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const ask = async (call, body) => JSON.parse(await send(`games/${game}/${call}`, body, 'application/json'));
  ask.stream = async (call, body) => linesOf(await send(`games/${game}/${call}`, body, NDJSON));
  ask.positions = async (variant, start, lines) => {
    const items = lines.map((moves, i) => JSON.stringify({ id: String(i), kind: 'position', game, variant: variant.id, ...start, moves: [...(start.moves ?? []), ...moves] }));
    const answers = new Map(linesOf(await send('batch', `${items.join('\n')}\n`, NDJSON)).map(({ id, answer }) => [id, answer]));
    return lines.map((_, i) => answers.get(String(i)));
  };
  ask.winning = async (variant, position, moves, seat) => {
    const items = moves.map((move, i) => JSON.stringify({ id: String(i), kind: 'position', game, variant: variant.id, position, moves: [move] }));
    const answers = linesOf(await send('batch', `${items.join('\n')}\n`, NDJSON));
    return answers.filter(({ answer }) => answer?.outcome?.scores[seat] >= 1).map(({ id }) => moves[Number(id)]);
  };
  return ask;
}

const NDJSON = 'application/x-ndjson';
const server = await startServer();
const wanted = process.argv.slice(2);
try {
  const get = (path) => fetch(`${server.url}/v1/${path}`).then((it) => it.json());
  for (const { id } of (await get('games')).games) {
    for (const variant of (await get(`games/${id}`)).variants) {
      const isWanted = wanted.length === 0 || wanted.includes(id) || wanted.includes(`${id}/${variant.id}`);
      if (isWanted) await makeSet(callsOf(server.url, id), id, variant);
    }
  }
} finally {
  await server.stop();
}
