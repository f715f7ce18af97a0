// Loads a module of the page's sources.

import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

export async function load(path) {
  const { outputFiles } = await build({ entryPoints: [join(root, 'src', path)], bundle: true, format: 'esm', write: false, absWorkingDir: root });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
