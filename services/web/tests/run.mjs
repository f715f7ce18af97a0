// Runs the browser tests one file after the other and counts their results.
//
//   [BROWSER=firefox] node tests/run.mjs [words in the names of tests …]

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { launch } from './support/browser.mjs';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs')).sort();
const browser = await launch();
let passed = 0;
const failed = [];
for (const file of files) {
  const { tests, before, after } = await import(join(import.meta.dirname, file));
  const chosen = Object.entries(tests).filter(([name]) => wanted.length === 0 || wanted.some((word) => `${file} ${name}`.includes(word)));
  if (chosen.length === 0) continue;
  const shared = await before?.();
  for (const [name, test] of chosen) {
    const started = Date.now();
    try {
      await test({ browser, ...shared });
      passed += 1;
      console.log(`ok   ${file}: ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed.push(name);
      console.log(`FAIL ${file}: ${name}\n${error.stack ?? error}`);
    }
  }
  await after?.(shared);
}
await browser.close();
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
