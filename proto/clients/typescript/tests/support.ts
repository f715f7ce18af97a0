// Servers, and peers that misbehave.

import { createServer, type AddressInfo, type Socket } from 'node:net';

import { startLocal, type LocalPentad } from '../src/local.js';

/** Longer than anything here takes on any machine; no test asserts that something is fast. */
export const PATIENCE_MS = 120_000;
/** White completes a row with e1; black could with e3. */
export const BOTH_THREATEN = 'wwww2/6/bbbb2/6/6/6 w';
export const FEW_NODES = { nodes: 2_000 };
/** Nothing is proven in Pentaflip's first position in this time. */
export const LONG = { timeMs: 30_000 };

/** Starts a server; searches that stop late on a busy machine are not tested here. */
export function start(...own: string[]): Promise<LocalPentad> {
  return startLocal({ arguments: ['--hang-grace-ms=60000', ...own], timeoutMs: PATIENCE_MS });
}

/** Waits until the probe returns true. */
export async function eventually(what: string, probe: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; !(await probe());) {
    if (Date.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function nSearches(server: LocalPentad): Promise<number> {
  const text = await (await fetch(`${server.addresses.admin}/metrics`)).text();
  const busy = [...text.matchAll(/^pentad_workers_busy\{pool="(?:short|long|bulk)"\} (\d+)/gm)];
  return busy.reduce((sum, [, value]) => sum + Number(value), 0);
}

export const untilIdle = (server: LocalPentad) => eventually('no search runs', async () => (await nSearches(server)) === 0);
export const untilBusy = (server: LocalPentad) => eventually('a search runs', async () => (await nSearches(server)) > 0);

/** Something at an address that answers each request with the next of its texts. */
export interface Peer {
  url: string;
  requests: string[];
  arrivals: number[];
  close(): void;
}

/** Starts a peer. Texts that are no response only close the connection; null leaves it open. */
export async function peer(...answers: (string | null)[]): Promise<Peer> {
  const requests: string[] = [];
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.on('data', (data) => {
      request += data.toString();
      const [head = '', body] = request.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      requests.push(request);
      arrivals.push(Date.now());
      const answer = answers[requests.length - 1];
      if (answer?.startsWith('HTTP')) socket.write(answer);
      if (answer !== null) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url, requests, arrivals, close };
}

export function response(status: string, body: string, kind = 'application/json', ...headers: string[]): string {
  const head = [`HTTP/1.1 ${status}`, `content-type: ${kind}`, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

export function problem(status: number, reason: string, fields: object = {}): string {
  const body = { type: `urn:pentad:${reason}`, title: 'T', status, detail: 'D', reason, requestId: 'r', ...fields };
  return response(`${status} X`, JSON.stringify(body), 'application/problem+json');
}
