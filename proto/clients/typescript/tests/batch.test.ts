// Batches: every question has one result, in bounded memory, also when servers go away.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ApiError, Pentad, StreamCutError, type BatchQuestion } from '../src/index.js';
import type { LocalPentad } from '../src/local.js';
import { BOTH_THREATEN, LONG, peer, start, untilBusy, untilIdle } from './support.js';

let pentad: LocalPentad;
before(async () => {
  pentad = await start();
});
after(() => pentad.close());

test('every question has one result', async () => {
  const { moves } = await pentad.legalMovesPage('pentago');
  const questions = moves.map((move, n) => ({
    kind: 'hints' as const, game: 'pentago', moves: [n === 7 ? 'nonsense' : move], limits: { nodes: 100 }, tag: n,
  }));
  const tags: number[] = [];
  for await (const { question, answer, error } of pentad.batch(questions)) {
    tags.push(question.tag);
    if (question.tag === 7) assert(error instanceof ApiError && error.reason === 'bad_move');
    else assert(answer?.hints[0]?.move);
  }
  assert.deepEqual(tags.sort((a, b) => a - b), moves.map((_, n) => n));
});

test('every kind', async () => {
  const of = { game: 'pentago', position: BOTH_THREATEN };
  const questions: BatchQuestion[] = [
    { kind: 'position', ...of },
    { kind: 'legal-moves', ...of, priority: 'low' },
    { kind: 'evaluation', ...of },
    { kind: 'hints', ...of, priority: 'high' },
    { kind: 'compare', ...of, compareMoves: ['e1', 'e3-1l'] },
    { kind: 'threats', ...of },
    { kind: 'judge', ...of, moves: ['f6-4r', 'nonsense', 'e3'], limits: { nodes: 2000 } },
  ];
  const kinds = new Set<string>();
  for await (const { question, answer, error } of pentad.batch(questions)) {
    assert(answer && !error, String(error));
    kinds.add(question.kind);
  }
  assert.equal(kinds.size, questions.length);
});

test('questions are taken when there is room', async () => {
  let nTaken = 0;
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        nTaken += 1;
        yield { kind: 'position' as const, game: 'pentago' };
      }
    } finally {
      isClosed = true;
    }
  }
  let nRead = 0;
  for await (const { answer } of pentad.batch(endless(), { groupSize: 10 })) {
    assert.equal(answer?.toMove, 'w');
    nRead += 1;
    // The current group, and the next one.
    assert(nTaken <= nRead + 20, `${nTaken} taken, ${nRead} read`);
    if (nRead === 100) break;
  }
  assert(isClosed);
});

test('an empty batch', async () => {
  for await (const result of pentad.batch([])) assert.fail(JSON.stringify(result));
});

test('leaving a batch cancels it', async () => {
  const questions: BatchQuestion[] = [
    { kind: 'position', game: 'pentaflip' },
    ...[1, 2].map((count) => ({ kind: 'hints' as const, game: 'pentaflip', count, limits: LONG })),
  ];
  for await (const { question } of pentad.batch(questions)) {
    assert.equal(question.kind, 'position');
    await untilBusy(pentad);
    break;
  }
  await untilIdle(pentad);
});

test('a batch survives its server', async () => {
  const first = await start();
  const questions = Array.from({ length: 60 }, (_, n) => ({
    kind: 'hints' as const, game: 'pentaflip', limits: { nodes: 3_000 }, level: 9, seed: n, tag: n,
  }));
  const client = new Pentad(first.url, { retries: 60 });
  const tags: number[] = [];
  let second: Promise<LocalPentad> | undefined;
  for await (const { question } of client.batch(questions, { groupSize: 20 })) {
    tags.push(question.tag);
    if (tags.length === 5) {
      process.kill(first.pid!, 'SIGKILL');
      second = first.close().then(() => start(`--rest-listen=${first.url.replace('http://', '')}`));
    }
  }
  assert.deepEqual(tags.sort((a, b) => a - b), questions.map(({ tag }) => tag));
  await (await second)?.close();
});

test('a batch without progress ends', async () => {
  const broken = await peer(...Array.from({ length: 3 }, () => 'HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n'));
  const results = new Pentad(broken.url, { retries: 2 }).batch([{ kind: 'position', game: 'pentago' }]);
  await assert.rejects(results.next(), StreamCutError);
  assert.equal(broken.requests.length, 3);
  broken.close();
});
