// Writes src/api/schema.d.ts from the /openapi.json of a running server.
//
//   node schema.mjs [server]
//
// Only the schemas and their structure count: without descriptions and examples, the
// file changes when the JSON does, not when its documentation does.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

export const SCHEMA_FILE = join(import.meta.dirname, 'src/api/schema.d.ts');
const TEXTS = new Set(['description', 'example', 'format', 'title']);

/** Returns the declarations for the schemas of a server's document. */
export async function declarations(server) {
  const { openapi, info, components } = await fetch(`${server}/openapi.json`).then((it) => it.json());
  const schemas = Object.fromEntries(Object.entries(components.schemas).map(([name, schema]) => [name, structureOf(schema)]));
  const nodes = await openapiTS({ openapi, info: { title: info.title, version: '1' }, paths: {}, components: { schemas } });
  const text = astToString(nodes.filter((node) => node.name.text === 'components'));
  return `// Written by schema.mjs from /openapi.json.\n\n${text}`;
}

/** A copy without texts; names of properties are kept, whatever they are. */
function structureOf(schema) {
  if (Array.isArray(schema)) return schema.map(structureOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !TEXTS.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, key === 'properties'
    ? Object.fromEntries(Object.entries(value).map(([name, property]) => [name, structureOf(property)])) : structureOf(value)]));
}

if (process.argv[1] === import.meta.filename) {
  await writeFile(SCHEMA_FILE, await declarations(process.argv[2] ?? 'http://127.0.0.1:8080'));
}
