// Starts servers for the tests: the debug binary on free ports.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = process.env.PENTAD_REPOSITORY ?? join(import.meta.dirname, '../../../..');
const binary = process.env.PENTAD ?? join(process.env.CARGO_TARGET_DIR ?? join(repository, 'target'), 'debug/pentad');
const NET_MS = 60_000;

/** Compiles rule sets in C into a directory of their own. */
export function plugins(...sources) {
  const dir = mkdtempSync(join(tmpdir(), 'pentad-web-'));
  for (const source of sources) {
    const name = source.split('/').pop().replace('.c', '');
    const library = join(dir, `libruleset_${name}.so`);
    execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-std=c11', '-O1', '-I', join(repository, 'rulesets/abi/include'), '-I', join(repository, 'tests/plugins/misbehaving'),
      `-DGAME_ID="${name.replaceAll('_', '-')}"`, '-o', library, join(repository, source)]);
  }
  return dir;
}

/** Returns a token and a file with its line, made by `pentad token`. */
export function newToken(name) {
  const { stdout, stderr } = spawnSync(binary, ['token', name], { encoding: 'utf8' });
  const file = join(mkdtempSync(join(tmpdir(), 'pentad-web-')), 'tokens');
  writeFileSync(file, stdout, { mode: 0o600 });
  return { secret: stderr.split('\n')[0], file };
}

/** Returns a store with recorded games, made by `pentad import`. */
export function recordGames(games) {
  const store = join(mkdtempSync(join(tmpdir(), 'pentad-web-')), 'games');
  execFileSync(binary, ['import', '--store', store], { input: games.map((game) => `${JSON.stringify(game)}\n`).join(''), stdio: ['pipe', 'ignore', 'ignore'] });
  return store;
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts a server; returns its `url` and `stop()`. */
export async function startServer(...more) {
  const listens = more.includes('--rest-listen') ? [] : ['--rest-listen', '127.0.0.1:0'];
  const args = ['--grpc-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--hang-grace-ms', '60000', ...listens, ...more];
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server does not start:\n${log}`)), NET_MS);
    child.stderr.on('data', (data) => {
      log += data;
      const found = /^listening .*\brest=(\S+)/m.exec(log);
      if (found) {
        clearTimeout(timer);
        resolve(`http://${found[1]}`);
      }
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${log}`)));
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  if (process.env.PENTAD_WEB_DEV && !more.includes('--rest-listen')) return behindDev(url, stop);
  return { url, port: Number(new URL(url).port), stop, log: () => log };
}

/** Serves the page from `src` instead of the one embedded in the server. */
async function behindDev(server, stop) {
  const port = await freePort();
  const proxy = spawn('node', [join(import.meta.dirname, '../../dev.mjs'), String(port), server], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => proxy.stdout.once('data', resolve));
  const stopBoth = async () => {
    proxy.kill();
    await stop();
  };
  return { url: `http://127.0.0.1:${port}`, port, stop: stopBoth, log: () => '' };
}

export function outputDir(name) {
  const dir = join(repository, 'target/ci-tools/browser', name);
  mkdirSync(dir, { recursive: true });
  return dir;
}
