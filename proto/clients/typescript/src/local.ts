// A server of this program's own, on free ports; for Node.js.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { Pentad } from './client.js';
import { UnreachableError } from './errors.js';
import type { ClientOptions } from './transport.js';

/** How long the server may take to load its games. */
const START_TIMEOUT_MS = 120_000;
/** How long it may take to finish its work. */
const STOP_TIMEOUT_MS = 20_000;
const LOG_LENGTH_MAX = 50;

export interface LocalOptions extends ClientOptions {
  /** The program; `$PENTAD` by default, or `pentad` on the `PATH`. */
  binary?: string;
  /** Its arguments, such as `--workers=2`. */
  arguments?: string[];
}

/** A client of a server that it started. */
export class LocalPentad extends Pentad {
  constructor(
    /** Addresses of the three ports. */
    readonly addresses: { readonly rest: string; readonly grpc: string; readonly admin: string },
    /** Id of the server's process. */
    readonly pid: number | undefined,
    /** Lets the server finish what it has accepted, and ends it. */
    readonly close: () => Promise<void>,
    options: ClientOptions,
  ) {
    super(addresses.rest, options);
  }
}

/** Starts a server on free ports and returns its client. */
export async function startLocal(options: LocalOptions = {}): Promise<LocalPentad> {
  const { binary = process.env['PENTAD'] ?? 'pentad', arguments: own = [], ...client } = options;
  const ports = ['grpc', 'rest', 'admin'].map((port) => `--${port}-listen`).filter((port) => !own.some((it) => it.startsWith(port)));
  const freePorts = ports.map((port) => `${port}=127.0.0.1:0`);
  const server = spawn(binary, [...freePorts, ...own], { stdio: ['ignore', 'ignore', 'pipe'] });
  const onExit = () => server.kill();
  process.once('exit', onExit);
  server.once('exit', () => process.off('exit', onExit));
  try {
    const addresses = await listening(server, binary);
    return new LocalPentad(addresses, server.pid, () => stop(server), client);
  } catch (error) {
    await stop(server);
    throw error;
  }
}

/** Waits until the server has printed its addresses and loaded its games. */
async function listening(server: ChildProcess, binary: string): Promise<LocalPentad['addresses']> {
  const log: string[] = [];
  let isOver = false;
  const addresses = await new Promise<Record<string, string>>((resolve, reject) => {
    const fail = (what: string) => reject(new UnreachableError(`${binary} ${what}:\n${log.join('\n')}`));
    const timer = setTimeout(() => fail(`opened no port within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    server.once('error', (error) => fail(`cannot be started: ${error.message}; set PENTAD to the program`));
    server.once('close', (code) => {
      isOver = true;
      clearTimeout(timer);
      fail(`ended with exit code ${code}`);
    });
    // Reads until the process ends, so that its log never blocks it.
    createInterface({ input: server.stderr! }).on('line', (line) => {
      log.push(line);
      if (log.length > LOG_LENGTH_MAX) log.shift();
      const [, ports] = /^listening (.*)$/.exec(line) ?? [];
      if (ports === undefined) return;
      clearTimeout(timer);
      resolve(Object.fromEntries(ports.split(' ').map((pair) => [pair.split('=')[0], `http://${pair.split('=')[1]}`])));
    });
  });
  const { rest = '', grpc = '', admin = '' } = addresses;
  // Games that load slowly are loaded after the ports are open.
  for (const giveUpAt = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
    const isReady = await fetch(`${admin}/readyz`).then((it) => it.ok, () => false);
    if (isReady) return { rest, grpc, admin };
    if (isOver || Date.now() > giveUpAt) throw new UnreachableError(`${binary} serves no game:\n${log.join('\n')}`);
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const killing = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(killing);
}
