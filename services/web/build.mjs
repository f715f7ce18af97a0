// Builds the board page, the guides, the API reference and the embeddable board into
// dist/, which the server embeds and which is checked in, so that Cargo needs no Node.
// Names of the pages' assets carry a digest of their content. The same sources give the
// same bytes.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

import { guideFiles } from './build/guides.mjs';

const root = import.meta.dirname;
/** Rules of games and definitions are documents of the repository. */
const repository = process.env.PENTAD_REPOSITORY ?? join(root, '../..');
const dist = process.argv[2] ?? join(root, 'dist');
/** Bytes of the board page, compressed. With the calls that it makes, its first load stays below 100 KB. */
const PAGE_SIZE_MAX = 70_000;
/** Bytes of the API reference, and of what all guides share, not compressed. */
const REFERENCE_SIZE_MAX = 45_000;
const GUIDE_SIZE_MAX = 15_000;
/** Bytes of the largest guide, compressed. */
const GUIDE_PAGE_SIZE_MAX = 12_000;

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
const hashed = (name, content, folder = 'assets') => {
  const [stem, extension] = name.split(/\.(?=[^.]+$)/);
  const path = `${stem}-${digest(content)}.${extension}`;
  files.set(`${folder}/${path}`, content);
  return path;
};

const preload = hashed('preload.js', await bundle('src/preload.ts', { format: 'iife' }));
const script = hashed('page.js', await bundle('src/main.tsx'));
const style = hashed('page.css', await bundle('src/page.css'));
const icon = hashed('icon.svg', await readFile(join(root, 'src/icon.svg')));
const html = (await readFile(join(root, 'src/index.html'), 'utf8'))
  .replace('ICON', icon).replace('PRELOAD', preload).replace('STYLE', style).replace('SCRIPT', script);
files.set('index.html', Buffer.from(html));
files.set('embed/v1/pentad-board.js', await bundle('src/embed/pentad-board.ts', { loader: { '.css': 'text' } }));
files.set('embed/v1/example.js', await bundle('src/embed/example.ts'));
files.set('embed/v1/example.css', await bundle('src/embed/example.css'));
files.set('embed/v1/example.html', await readFile(join(root, 'src/embed/example.html')));

const docsAsset = (name, content) => `/docs/assets/${hashed(name, content, 'docs/assets')}`;
const reference = {
  ICON: `/assets/${icon}`,
  STYLE: docsAsset('reference.css', await bundle('src/docs/reference.css')),
  SCRIPT: docsAsset('reference.js', await bundle('src/docs/reference.tsx')),
};
files.set('docs/reference.html', Buffer.from((await readFile(join(root, 'src/docs/reference.html'), 'utf8')).replace(/ICON|STYLE|SCRIPT/g, (name) => reference[name])));
const guides = await guideFiles(repository, {
  icon: `/assets/${icon}`,
  style: docsAsset('guide.css', await bundle('src/docs/guide.css')),
  script: docsAsset('guide.js', await bundle('src/docs/guide.ts')),
});
for (const [path, content] of guides) files.set(path, content);

// The table from which the server embeds the files: path and content.
const table = [...files.keys()].map((path) => `    ("/${path}", include_bytes!("${path}")),\n`).join('');
files.set('table.rs', Buffer.from(`// Written by build.mjs.\n&[\n${table}]\n`));

await rm(dist, { recursive: true, force: true });
const sizes = { page: 0, reference: 0, guide: 0, guidePage: 0 };
for (const [path, content] of files) {
  await mkdir(join(dist, path, '..'), { recursive: true });
  await writeFile(join(dist, path), content);
  const compressed = gzipSync(content, { level: 9 }).length;
  if (path.startsWith('assets/') || path === 'index.html') sizes.page += compressed;
  if (/^docs\/(assets\/)?reference/.test(path)) sizes.reference += content.length;
  if (path.startsWith('docs/assets/guide')) sizes.guide += content.length;
  if (guides.has(path)) sizes.guidePage = Math.max(sizes.guidePage, compressed);
  else console.log(`${path.padEnd(38)} ${String(content.length).padStart(7)} bytes, ${String(compressed).padStart(6)} compressed`);
}
let isTooLarge = false;
for (const [name, size, max] of [
  ['board page, compressed', sizes.page, PAGE_SIZE_MAX], ['API reference', sizes.reference, REFERENCE_SIZE_MAX],
  ["style and script of the guides", sizes.guide, GUIDE_SIZE_MAX], ['largest guide, compressed', sizes.guidePage, GUIDE_PAGE_SIZE_MAX],
]) {
  console.log(`${name}: ${size} bytes, at most ${max}`);
  isTooLarge ||= size > max;
}
if (isTooLarge) process.exit(1);
