// Builds the board page, the guides, the API reference and the embeddable board into
// dist/, which the server embeds and which is checked in, so that Cargo needs no Node.
// Names of the pages' assets carry a digest of their content. The same sources give the
// same bytes.
//
// What the page loads later is imported with `import()`: the folders of src/parts
// and the lessons. Each becomes a file of its own; what the page loads at first is one file.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

import { guideFiles } from './build/guides.mjs';

const root = import.meta.dirname;
/** Rules of games and definitions are documents of the repository. */
const repository = process.env.PENTAD_REPOSITORY ?? join(root, '../..');
const dist = process.argv[2] ?? join(root, 'dist');
/** Bytes of the board page's first load, compressed; with the calls that it makes, less than 100 KB. Parts
 * that are loaded on demand do not count. */
const PAGE_SIZE_MAX = 80_000;
/** Bytes of the API reference, and of what all guides share, not compressed. */
const REFERENCE_SIZE_MAX = 45_000;
const GUIDE_SIZE_MAX = 15_000;
/** Bytes of the largest guide, compressed. */
const GUIDE_PAGE_SIZE_MAX = 12_000;
/** Bytes of the embeddable board, compressed. */
const EMBED_SIZE_MAX = 28_000;

/** Lets every part import the page's entry, so that code of the page that parts use is
 * not moved into further files, which the page would wait for. */
const withPage = {
  name: 'with-page',
  setup: ({ onLoad }) => onLoad({ filter: /\/src\/parts\/[^/]+\/index\.tsx?$/ }, async ({ path }) => {
    const main = relative(dirname(path), join(root, 'src/main'));
    const contents = `${await readFile(path, 'utf8')}\nimport '${main}';\n`;
    return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
  }),
};

const options = {
  bundle: true, minify: true, format: 'esm', target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'], write: false,
  legalComments: 'none', charset: 'utf8', absWorkingDir: root, jsx: 'automatic', jsxImportSource: 'preact',
  // The names of the parts depend on the paths of modules, so those must be the same everywhere.
  preserveSymlinks: true,
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

/** Style sheets that a script imports become texts, which it adopts. */
const sheets = {
  name: 'sheets',
  setup: ({ onLoad }) => onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target: options.target });
    return { contents: code.trim(), loader: 'text' };
  }),
};

/** Bundles the page's script with the parts that it imports on demand, each a file of its
 * own; returns the name of the page's. */
async function page() {
  const { outputFiles, metafile } = await build({
    ...options, entryPoints: ['src/main.tsx'], plugins: [sheets, withPage], splitting: true, metafile: true, outdir: join(root, 'assets'), chunkNames: 'part-[hash]',
  });
  // The entry itself only imports the file with the page's code.
  const [output] = Object.entries(metafile.outputs).find(([, { inputs }]) => 'src/main.tsx' in inputs);
  const name = basename(output);
  const renamed = name.replace('part-', 'page-');
  for (const { path, text } of outputFiles) {
    const file = basename(path) === name ? renamed : basename(path);
    if (file !== 'main.js') files.set(`assets/${file}`, Buffer.from(text.replaceAll(name, renamed)));
  }
  return renamed;
}

const preload = hashed('preload.js', await bundle('src/preload.ts', { format: 'iife' }));
const script = await page();
const style = hashed('page.css', await bundle('src/page.css'));
const icon = hashed('icon.svg', await readFile(join(root, 'src/icon.svg')));
const html = (await readFile(join(root, 'src/index.html'), 'utf8'))
  .replace('ICON', icon).replace('PRELOAD', preload).replace('STYLE', style).replace('SCRIPT', script);
const first = new Set(['index.html', ...[preload, script, style, icon].map((name) => `assets/${name}`)]);
files.set('index.html', Buffer.from(html));
files.set('embed/v1/pentad-board.js', await bundle('src/embed/pentad-board.ts', { plugins: [sheets] }));
files.set('embed/v1/example.js', await bundle('src/embed/example.ts'));
files.set('embed/v1/example.css', await bundle('src/embed/example.css'));
// The board in a chat is one document: its host gives it no network.
const app = { STYLE: (await bundle('src/mcp/board.css')).toString().trim(), SCRIPT: (await bundle('src/mcp/board.ts')).toString().trim() };
files.set('mcp/board.html', Buffer.from((await readFile(join(root, 'src/mcp/board.html'), 'utf8')).replace(/STYLE|SCRIPT/g, (name) => app[name])));
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

// Stored puzzles: one file for each game and variant, and one with the numbers of puzzles.
const index = {};
for (const name of (await readdir(join(root, 'puzzles'))).filter((it) => it.endsWith('.json')).sort()) {
  const set = JSON.parse(await readFile(join(root, 'puzzles', name), 'utf8'));
  (index[set.game] ??= {})[set.variant] = set.puzzles.length;
  files.set(`embed/v1/puzzles-${set.game}-${set.variant}.json`, Buffer.from(JSON.stringify(set)));
}
files.set('embed/v1/puzzles.json', Buffer.from(JSON.stringify(index)));


// The table from which the server embeds the files: path and content.
const table = [...files.keys()].map((path) => `    ("/${path}", include_bytes!("${path}")),\n`).join('');
files.set('table.rs', Buffer.from(`// Written by build.mjs.\n&[\n${table}]\n`));

await rm(dist, { recursive: true, force: true });
const sizes = { page: 0, reference: 0, guide: 0, guidePage: 0, embed: 0 };
for (const [path, content] of files) {
  await mkdir(join(dist, path, '..'), { recursive: true });
  await writeFile(join(dist, path), content);
  const compressed = gzipSync(content, { level: 9 }).length;
  if (first.has(path)) sizes.page += compressed;
  if (path === 'embed/v1/pentad-board.js') sizes.embed = compressed;
  if (/^docs\/(assets\/)?reference/.test(path)) sizes.reference += content.length;
  if (path.startsWith('docs/assets/guide')) sizes.guide += content.length;
  if (guides.has(path)) sizes.guidePage = Math.max(sizes.guidePage, compressed);
  else console.log(`${path.padEnd(38)} ${String(content.length).padStart(7)} bytes, ${String(compressed).padStart(6)} compressed`);
}
let isTooLarge = false;
for (const [name, size, max] of [
  ['first load of the board page, compressed', sizes.page, PAGE_SIZE_MAX], ['API reference', sizes.reference, REFERENCE_SIZE_MAX],
  ["style and script of the guides", sizes.guide, GUIDE_SIZE_MAX], ['largest guide, compressed', sizes.guidePage, GUIDE_PAGE_SIZE_MAX],
  ['embeddable board, compressed', sizes.embed, EMBED_SIZE_MAX],
]) {
  console.log(`${name}: ${size} bytes, at most ${max}`);
  isTooLarge ||= size > max;
}
if (isTooLarge) process.exit(1);
