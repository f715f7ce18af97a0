// What callers see when the server is gone, busy, slow, closed to them, or not Pentad.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { ApiError, CallTimeoutError, Pentad, ProtocolError, StreamCutError, UnreachableError } from '../src/index.js';
import { startLocal } from '../src/local.js';
import { LONG, peer, problem, response, start, untilBusy } from './support.js';

const GAMES = response('200 OK', '{"games": []}');

test('a server that is gone, before and during a stream', async () => {
  const server = await start();
  const pentad = new Pentad(server.url, { retries: 0 });
  const stream = pentad.analyze('pentaflip', { limits: LONG });
  assert.equal((await stream.next()).done, false);
  process.kill(server.pid!, 'SIGKILL');
  await assert.rejects(stream.result(), StreamCutError);
  await assert.rejects(pentad.games(), UnreachableError);
  await server.close();
});

test('tokens', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pentad-client-')), 'tokens');
  await writeFile(file, `web ${createHash('sha256').update('a token').digest('hex')}\n`, { mode: 0o600 });
  const server = await start(`--tokens=${file}`);
  for (const options of [{}, { token: 'wrong' }]) {
    const refused = new Pentad(server.url, options).games();
    await assert.rejects(refused, (error) => error instanceof ApiError && error.reason === 'unauthenticated');
  }
  let nCalls = 0;
  const renewed = new Pentad(server.url, { token: async () => (nCalls++, 'a token') });
  assert((await renewed.games()).length > 0);
  assert((await renewed.analyze('pentago').result()).final);
  assert.equal(nCalls, 2);
  await server.close();
});

test('a quota that is used up', async () => {
  const server = await start('--anonymous-cpu-ms-per-second=200', '--quota-window-s=2');
  const stream = new Pentad(server.url).analyze('pentaflip', { limits: { timeMs: 3_000 } });
  await stream.next();
  await untilBusy(server);
  const refused = new Pentad(server.url, { retries: 0 }).games();
  await assert.rejects(refused, (error) => error instanceof ApiError && error.reason === 'rate_limited' && error.retryAfterMs! > 0);
  await stream.return();
  assert((await new Pentad(server.url, { retries: 20 }).games()).length > 0);
  await server.close();
});

test('the retry time is honoured', async () => {
  const refused = problem(429, 'overloaded', { retryAfterMs: 700 });
  const busy = await peer(refused, refused, GAMES);
  assert.deepEqual(await new Pentad(busy.url, { retries: 2 }).games(), []);
  const [first, second, third] = busy.arrivals as [number, number, number];
  // Timers may fire a millisecond early.
  assert(second - first >= 699 && third - second >= 699, String(busy.arrivals));
  busy.close();
});

test('no wait beyond the deadline', async () => {
  const busy = await peer(problem(429, 'rate_limited', { retryAfterMs: 3_600_000 }));
  await assert.rejects(new Pentad(busy.url, { retries: 5 }).games(), ApiError);
  busy.close();
});

const once = { retries: 2, attempts: 1 };
for (const [name, answer, { retries, attempts }] of [
  ['overloaded', problem(429, 'overloaded', { retryAfterMs: 1 }), { retries: 2, attempts: 3 }],
  ['ruleset_unavailable', problem(503, 'ruleset_unavailable'), { retries: 2, attempts: 3 }],
  ["a proxy's 502", response('502 Bad Gateway', '<html>', 'text/html'), { retries: 2, attempts: 3 }],
  ['a broken connection', 'gone', { retries: 2, attempts: 3 }],
  ['bad_argument', problem(400, 'bad_argument'), once],
  ['unauthenticated', problem(401, 'unauthenticated'), once],
  ['too_large', problem(413, 'too_large'), once],
  ['illegal_move', problem(422, 'illegal_move'), once],
  ['internal', problem(500, 'internal'), once],
  ['ruleset_fault', problem(503, 'ruleset_fault'), once],
  ['deadline', problem(504, 'deadline'), once],
  ['a page', response('404 Not Found', '<html>', 'text/html'), once],
  ['malformed JSON', response('200 OK', '{oops'), once],
] as const) {
  test(`${name}: ${attempts} attempts`, async () => {
    const wrong = await peer(answer, answer, answer);
    await assert.rejects(new Pentad(wrong.url, { retries }).games());
    assert.equal(wrong.requests.length, attempts);
    wrong.close();
  });
}

test('redirects are not followed', async () => {
  const wrong = await peer(response('302 Found', '', 'text/html', 'location: http://127.0.0.1:1/'));
  await assert.rejects(new Pentad(wrong.url, { token: 'secret' }).games(), ProtocolError);
  wrong.close();
});

test('a stream that is silent, or has no end, or an error inside', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
  const silent = await peer(null);
  const given = new Pentad(silent.url, { idleTimeoutMs: 300 }).analyze('pentago');
  await assert.rejects(given.next(), CallTimeoutError);
  silent.close();

  const endless = await peer(`${head}event: update\nid: 1\ndata: {"final": false}\n\n`);
  const stream = new Pentad(endless.url).analyze('pentago');
  assert.equal((await stream.next()).value?.final, false);
  await assert.rejects(stream.next(), StreamCutError);
  // Streams that have begun are not repeated.
  assert.equal(endless.requests.length, 1);
  endless.close();

  const failed = await peer(`${head}event: error\nid: end\ndata: {"reason": "ruleset_fault", "detail": "it failed"}\n\n`);
  await assert.rejects(new Pentad(failed.url).review('pentago', {}).next(), { reason: 'ruleset_fault', message: 'it failed' });
  failed.close();
});

test('requests carry what the contract wants', async () => {
  const seen = await peer(GAMES);
  await new Pentad(`${seen.url}/`, { token: 'a', language: 'sv' }).games({ headers: { 'x-pentad-key': 'k' } });
  const head = seen.requests[0]!.toLowerCase();
  for (const line of ['get /v1/games http/1.1', 'authorization: bearer a', 'accept-language: sv', 'x-pentad-key: k']) assert(head.includes(line), head);
  seen.close();
});

test('a server that cannot be started says why', async () => {
  await assert.rejects(startLocal({ arguments: ['--workres=1'] }), /workres/);
  await assert.rejects(startLocal({ binary: '/nowhere/pentad' }), /set PENTAD/);
});
