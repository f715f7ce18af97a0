// Builds the page and the embeddable board into dist/, which the server embeds and
// which is checked in, so that Cargo needs no Node. Names of assets carry a digest
// of their content. The same sources give the same bytes.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = import.meta.dirname;
const dist = process.argv[2] ?? join(root, 'dist');
const SIZE_MAX = 150_000;

const options = {
  bundle: true, minify: true, format: 'esm', target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'], write: false,
  legalComments: 'none', charset: 'utf8', absWorkingDir: root, jsx: 'automatic', jsxImportSource: 'preact',
};

async function bundle(entry, more = {}) {
  const { outputFiles } = await build({ ...options, ...more, entryPoints: [entry] });
  return Buffer.from(outputFiles[0].contents);
}

const digest = (content) => createHash('sha256').update(content).digest('hex').slice(0, 10);
const files = new Map();
const hashed = (name, content) => {
  const [stem, extension] = name.split(/\.(?=[^.]+$)/);
  const path = `${stem}-${digest(content)}.${extension}`;
  files.set(`assets/${path}`, content);
  return path;
};

const first = hashed('first.js', await bundle('src/first.ts', { format: 'iife' }));
const script = hashed('page.js', await bundle('src/main.tsx'));
const style = hashed('page.css', await bundle('src/page.css'));
const icon = hashed('icon.svg', await readFile(join(root, 'src/icon.svg')));
const html = (await readFile(join(root, 'src/index.html'), 'utf8'))
  .replace('ICON', icon).replace('FIRST', first).replace('STYLE', style).replace('SCRIPT', script);
files.set('index.html', Buffer.from(html));
files.set('embed/v1/pentad-board.js', await bundle('src/embed/pentad-board.ts', { loader: { '.css': 'text' } }));
files.set('embed/v1/example.js', await bundle('src/embed/example.ts'));
files.set('embed/v1/example.css', await bundle('src/embed/example.css'));
files.set('embed/v1/example.html', await readFile(join(root, 'src/embed/example.html')));

// The table by which the server embeds them: path and content.
const table = [...files.keys()].map((path) => `    ("/${path}", include_bytes!("${path}")),\n`).join('');
files.set('table.rs', Buffer.from(`// Written by build.mjs.\n&[\n${table}]\n`));

await rm(dist, { recursive: true, force: true });
let size = 0;
for (const [path, content] of files) {
  await mkdir(join(dist, path, '..'), { recursive: true });
  await writeFile(join(dist, path), content);
  const compressed = gzipSync(content, { level: 9 }).length;
  if (path.startsWith('assets/') || path === 'index.html') size += compressed;
  console.log(`${path.padEnd(34)} ${String(content.length).padStart(7)} bytes, ${String(compressed).padStart(6)} compressed`);
}
console.log(`the page: ${size} bytes compressed, at most ${SIZE_MAX}`);
if (size > SIZE_MAX) process.exit(1);
