// Writes src/schema.ts from the server's OpenAPI document.
//
//   node schema.mjs              writes the file
//   node schema.mjs --check      fails if it is not current
//
// PENTAD_OPENAPI names another document: a file, or the /openapi.json of a running server.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = process.env.PENTAD_OPENAPI ?? fileURLToPath(new URL('../../../services/server/rest/docs/openapi.json', import.meta.url));
const TARGET = fileURLToPath(new URL('src/schema.ts', import.meta.url));

const text = await (/^https?:/.test(DOCUMENT) ? fetch(DOCUMENT).then((it) => it.text()) : readFile(DOCUMENT, 'utf8'));
const { openapi, info, components, paths } = JSON.parse(text);
// The diagram has parameters instead of a schema.
const diagram = { '/v1/games/{game}/diagram.svg': paths['/v1/games/{game}/diagram.svg'] };
const nodes = await openapiTS({ openapi, info: { title: info.title, version: '1' }, paths: diagram, components });
const types = nodes.filter((node) => ['components', 'operations'].includes(node.name?.text));
const schema = `// Written by schema.mjs from the server's OpenAPI document; do not edit.\n\n${astToString(types)}`;
const current = await readFile(TARGET, 'utf8').catch(() => '');
if (!process.argv.includes('--check')) {
  await writeFile(TARGET, schema);
} else if (current !== schema) {
  console.error(`${TARGET} is out of date: run npm run schema`);
  process.exitCode = 1;
}
