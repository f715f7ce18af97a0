// Builds the board page, the API reference and the embeddable board into dist/, which
// the server embeds and which is checked in, so that Cargo needs no Node. Names of
// the board page's assets carry a digest of their content. The same sources give the
// same bytes.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const root = import.meta.dirname;
const dist = process.argv[2] ?? join(root, 'dist');
/** Bytes of the board page's first load, compressed, and of the API reference, not compressed.
 * With the calls that the page makes, its first load stays below 100 KB. Parts of the page
 * that are loaded on demand do not count. */
const PAGE_SIZE_MAX = 70_000;
const DOCS_SIZE_MAX = 45_000;

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
const hashed = (name, content) => {
  const [stem, extension] = name.split(/\.(?=[^.]+$)/);
  const path = `${stem}-${digest(content)}.${extension}`;
  files.set(`assets/${path}`, content);
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

/** Bundles the page's script with the parts that it imports on demand; returns the files of
 * the first load, the entry first. */
async function page(entry) {
  const { outputFiles, metafile } = await build({
    ...options, entryPoints: [entry], plugins: [sheets], splitting: true, metafile: true, outdir: join(root, 'assets'), entryNames: 'page-[hash]', chunkNames: 'part-[hash]',
  });
  for (const { path, contents } of outputFiles) files.set(`assets/${basename(path)}`, Buffer.from(contents));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const first = new Set([...outputs].filter(([, { entryPoint }]) => entryPoint === entry).map(([name]) => name));
  for (const name of first) {
    for (const { kind, path } of outputs.get(name).imports) if (kind === 'import-statement') first.add(basename(path));
  }
  return [...first];
}

const preload = hashed('preload.js', await bundle('src/preload.ts', { format: 'iife' }));
const [script, ...shared] = await page('src/main.tsx');
const style = hashed('page.css', await bundle('src/page.css'));
const icon = hashed('icon.svg', await readFile(join(root, 'src/icon.svg')));
const html = (await readFile(join(root, 'src/index.html'), 'utf8'))
  .replace('ICON', icon).replace('PRELOAD', preload).replace('STYLE', style).replace('SCRIPT', script)
  .replace('SHARED', shared.map((name) => `<link rel="modulepreload" href="/assets/${name}">\n`).join(''));
const first = new Set([preload, style, icon, script, ...shared].map((name) => `assets/${name}`).concat('index.html'));
files.set('index.html', Buffer.from(html));
files.set('embed/v1/pentad-board.js', await bundle('src/embed/pentad-board.ts', { loader: { '.css': 'text' } }));
files.set('embed/v1/example.js', await bundle('src/embed/example.ts'));
files.set('embed/v1/example.css', await bundle('src/embed/example.css'));
files.set('embed/v1/example.html', await readFile(join(root, 'src/embed/example.html')));

files.set('docs.html', Buffer.from((await readFile(join(root, 'src/docs/index.html'), 'utf8')).replace('ICON', icon)));
files.set('docs.js', await bundle('src/docs/main.tsx'));
files.set('docs.css', await bundle('src/docs/docs.css'));

// The table from which the server embeds the files: path and content. The parts of the
// API reference are served under /docs/.
const served = (path) => (path === 'docs.js' || path === 'docs.css' ? `/docs/${path}` : `/${path}`);
const table = [...files.keys()].map((path) => `    ("${served(path)}", include_bytes!("${path}")),\n`).join('');
files.set('table.rs', Buffer.from(`// Written by build.mjs.\n&[\n${table}]\n`));

await rm(dist, { recursive: true, force: true });
let pageSize = 0;
let docsSize = 0;
for (const [path, content] of files) {
  await mkdir(join(dist, path, '..'), { recursive: true });
  await writeFile(join(dist, path), content);
  const compressed = gzipSync(content, { level: 9 }).length;
  if (first.has(path)) pageSize += compressed;
  if (path.startsWith('docs.')) docsSize += content.length;
  console.log(`${path.padEnd(34)} ${String(content.length).padStart(7)} bytes, ${String(compressed).padStart(6)} compressed`);
}
console.log(`board page: first load ${pageSize} bytes compressed, at most ${PAGE_SIZE_MAX}`);
console.log(`API reference: ${docsSize} bytes, at most ${DOCS_SIZE_MAX}`);
if (pageSize > PAGE_SIZE_MAX || docsSize > DOCS_SIZE_MAX) process.exit(1);
