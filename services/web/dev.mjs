// For work on the pages: builds when one is loaded and a source has changed, and forwards API
// calls to a running server, so that no Rust is compiled.
//
//   node dev.mjs [port] [server]

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, extname } from 'node:path';

const [port = '8090', server = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const dist = join(tmpdir(), `pentad-web-${port}`);
const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.md': 'text/markdown', '.txt': 'text/plain',
};
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

let built = 0;

/** Builds if a source is newer than the last build. */
function build() {
  const sources = ['src', 'puzzles', 'guides', 'build'].flatMap((dir) => readdirSync(join(import.meta.dirname, dir), { recursive: true }).map((name) => join(dir, name)));
  const newest = Math.max(...['build.mjs', ...sources].map((path) => statSync(join(import.meta.dirname, path)).mtimeMs));
  if (newest <= built) return;
  execFileSync('node', [join(import.meta.dirname, 'build.mjs'), dist], { stdio: ['ignore', 'ignore', 'inherit'] });
  built = newest;
}

/** The file of a page; null for other files and for calls. */
function pageOf(pathname) {
  if (pathname === '/') return 'index.html';
  return /^\/docs(\/[^.]*)?$/.test(pathname) ? `${pathname.replace(/\/$/, '')}.html` : null;
}

createServer((incoming, outgoing) => {
  const { pathname } = new URL(incoming.url, 'http://localhost');
  const page = pageOf(pathname);
  if (page || pathname.endsWith('.html')) build();
  const file = join(dist, page ?? pathname);
  if (!pathname.startsWith('/v1') && existsSync(file)) {
    outgoing.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', 'content-security-policy': POLICY });
    outgoing.end(readFileSync(file));
    return;
  }
  const { host, ...headers } = incoming.headers;
  delete headers.origin;
  delete headers['sec-fetch-site'];
  const passed = request(server + incoming.url, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.writeHead(502).end());
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port} -> ${server}`));
