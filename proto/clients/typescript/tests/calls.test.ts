// Every call and stream against a server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ApiError, CallTimeoutError, Pentad, type Reason } from '../src/index.js';
import type { LocalPentad } from '../src/local.js';
import { BOTH_THREATEN, FEW_NODES, LONG, start, untilBusy, untilIdle } from './support.js';

let pentad: LocalPentad;
before(async () => {
  pentad = await start();
});
after(() => pentad.close());

/** "w 0.50 : b 0.50" */
const scores = (all: Record<string, number>) => Object.entries(all).map(([seat, score]) => `${seat} ${score.toFixed(2)}`).join(' : ');

test('every game answers every question', async () => {
  const games = await pentad.games();
  assert.deepEqual(games.map(({ id }) => id), ['pentaflip', 'pentagame', 'pentago', 'pentago-xl']);
  for (const { id, name, variants, seats } of games) {
    const [variant] = variants;
    assert(variant, `${id} has no variant`);
    assert((await pentad.game(id)).layout, `${id} has no board`);
    const page = await pentad.legalMovesPage(id, { pageSize: 5 });
    assert.equal(page.moves.length, Math.min(page.total, 5));

    const { hints } = await pentad.hint(id, { limits: { nodes: 500 }, level: 3, seed: 7 });
    const moves = [hints[0]!.move];
    const value = await pentad.evaluate(id, { variant: variant.id, moves, limits: { nodes: 500 } });
    assert.deepEqual(Object.keys(value.evaluation.scores), variant.seats);
    assert.equal(value.evaluation.outcome === null, value.evaluation.certainty === 'estimate' || seats.length > 2);
    const threats = await pentad.threats(id, { moves });
    assert.deepEqual([threats.seats, threats.position], [seats, value.position]);
    const position = await pentad.position(id, { moves });
    assert.deepEqual([position.position, position.outcome], [value.position, null]);
    console.log(`${name}: ${page.total} moves, ${moves[0]} leads to ${scores(value.evaluation.scores)}`);
  }
});

test('legal moves and explored moves come page by page', async () => {
  const moves: string[] = [];
  for await (const move of pentad.legalMoves('pentago', { pageSize: 100 })) moves.push(move);
  assert.deepEqual(moves, (await pentad.legalMovesPage('pentago')).moves);
  const first = await pentad.explorePage('pentago', { pageSize: 2 });
  let n = 0;
  for await (const { evaluation } of pentad.explore('pentago', { pageSize: 2 })) {
    assert.equal(evaluation.source, 'book');
    n += 1;
  }
  assert(first.moves.length === 2 && n === first.total && n > 2);
});

test('comparisons, diagrams, languages', async () => {
  const comparison = await pentad.compare('pentago', { position: BOTH_THREATEN, compareMoves: ['f6-4r', 'e1'], limits: FEW_NODES });
  assert.deepEqual([comparison.bestMove, comparison.comparisons[0]?.reply], ['e1', 'e3']);
  const svg = await pentad.diagram('pentago', { position: BOTH_THREATEN, highlight: ['a1', 'b1'], size: 200, theme: 'dark' });
  assert(svg.startsWith('<svg') && svg.includes('width="200"'));
  const german = new Pentad(pentad.url, { language: 'de' });
  const texts = await Promise.all([pentad, german].map(async (it) => (await it.hint('pentago', { position: BOTH_THREATEN })).hints[0]?.reasons[0]?.text));
  assert(texts[0]?.includes('five') && texts[1] && texts[0] !== texts[1]);
});

test('an analysis ends with one final update', async () => {
  const finals: boolean[] = [];
  for await (const update of pentad.analyze('pentaflip', { limits: { nodes: 50_000 }, count: 2 })) finals.push(update.final);
  assert.equal(finals.indexOf(true), finals.length - 1);
  const last = await pentad.analyze('pentago', { position: BOTH_THREATEN }).result();
  assert.deepEqual([last.final, last.hints[0]?.move], [true, 'e1']);
});

test('a review, in the order of its messages and in playing order', async () => {
  const question = { position: BOTH_THREATEN, moves: ['f6-4r', 'e3'], limits: FEW_NODES };
  const indices: number[] = [];
  for await (const message of pentad.review('pentago', question)) if ('move' in message) indices.push(message.move.index);
  assert.deepEqual(indices, [1, 0]);
  const { moves, summary } = await pentad.review('pentago', question).result();
  assert.deepEqual(moves.map(({ label }) => label), ['blunder', 'best']);
  assert.deepEqual([summary.turningPoints, summary.scores.length], [[0], 3]);
});

test('puzzles', async () => {
  const { puzzles, progress } = await pentad.puzzles('pentago', { seed: 7, maxPlies: 1, totalTimeMs: 20_000, limits: { nodes: 20_000 } }).result();
  assert.equal(puzzles.length, progress.found);
  for (const { solutions, firstMoves } of puzzles) assert(firstMoves.includes(solutions[0]![0]!));
});

test('leaving a loop, and aborting, stop the search', async () => {
  await untilIdle(pentad);
  for await (const update of pentad.analyze('pentaflip', { limits: LONG })) {
    assert(!update.final);
    await untilBusy(pentad);
    break;
  }
  await untilIdle(pentad);

  const controller = new AbortController();
  const hint = pentad.hint('pentaflip', { limits: LONG }, { signal: controller.signal });
  await untilBusy(pentad);
  controller.abort();
  await assert.rejects(hint, { name: 'AbortError' });
  await untilIdle(pentad);

  const own = new Error('the player has moved');
  const stream = pentad.analyze('pentaflip', { limits: LONG }, { signal: AbortSignal.abort(own) });
  await assert.rejects(stream.next(), own);
});

test('a timeout gives the call up', async () => {
  await assert.rejects(pentad.hint('pentaflip', { limits: LONG }, { timeoutMs: 500 }), CallTimeoutError);
  await assert.rejects(pentad.analyze('pentaflip', { limits: LONG }, { timeoutMs: 500 }).result(), CallTimeoutError);
  await untilIdle(pentad);
});

/** The text that a front end shows for a problem. The compiler knows every reason. */
function explain({ reason, field, index, retryAfterMs, message }: ApiError): string {
  const texts: Partial<Record<Reason, string>> = {
    unknown_game: `no such ${field}`,
    illegal_move: `move ${(index ?? 0) + 1} cannot be played`,
    overloaded: `try again in ${retryAfterMs ?? 1000} ms`,
  };
  return texts[reason] ?? message;
}

test('errors name what is wrong', async () => {
  const failure = (call: Promise<unknown>) => call.then(() => assert.fail('it succeeded'), (error: unknown) => {
    assert(error instanceof ApiError, String(error));
    return error;
  });
  const unknown = await failure(pentad.game('chess', { headers: { 'x-request-id': 'mine' } }));
  assert.deepEqual([unknown.status, unknown.requestId, explain(unknown)], [404, 'mine', 'no such game']);
  const illegal = await failure(pentad.position('pentago', { moves: ['a1-2r', 'a1-2r'] }));
  assert.deepEqual([illegal.status, illegal.field, explain(illegal)], [422, 'moves[1]', 'move 2 cannot be played']);
  const bad = await failure(pentad.hint('pentago', { moves: ['a1-2x'] }));
  assert.deepEqual([bad.reason, bad.index, bad.column], ['bad_move', 0, 5]);
  assert(bad.type.includes('bad_move'));
  const refused = await failure(pentad.review('pentago', { position: 'nonsense' }).result());
  assert.equal(refused.reason, 'bad_position');
});
