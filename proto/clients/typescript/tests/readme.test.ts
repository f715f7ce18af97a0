// The README shows the example as it is, and its code runs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { PATIENCE_MS, start } from './support.js';

const HERE = join(import.meta.url.replace('file://', ''), '../../..');
const blocks = [...(await readFile(join(HERE, 'README.md'), 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '');

/** Runs code as a module of a program that has installed this package. */
async function run(code: string, ...args: string[]): Promise<string> {
  const file = join(await mkdtemp(join(HERE, 'out/readme-')), 'main.mjs');
  await writeFile(file, code);
  return (await promisify(execFile)(process.execPath, [file, ...args], { timeout: PATIENCE_MS })).stdout;
}

test('the example is shown as it is, and finishes a game', async () => {
  const bot = await readFile(join(HERE, 'examples/bot.mjs'), 'utf8');
  assert(blocks.includes(bot), 'examples/bot.mjs');
  const server = await start();
  const text = await run(bot.replace('http://127.0.0.1:8080', server.url).replace('timeMs: 500', 'nodes: 500'), 'pentago', '2', '5');
  assert.match(text.trimEnd().split('\n').at(-1) ?? '', /wins|draw/);
  await server.close();
});

test('the other code runs', async () => {
  const find = (part: string) => blocks.find((code) => code.includes(part)) ?? assert.fail(part);
  const local = find('startLocal');
  const [head = '', tail = ''] = local.split('console.log(await pentad.games());');
  const streams = find('pentad.analyze').replace('5000', '200');
  const batch = find('pentad.batch').replace('5000', '50');
  const text = await run(`${head}const { moves } = await pentad.legalMovesPage('pentago', { pageSize: 20 });\n${streams}${batch}${tail}`);
  assert(text.trimEnd().split('\n').length > 20, text);
});
