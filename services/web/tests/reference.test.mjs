// The API reference at /docs/reference: every call of the document is shown, its requests are
// sent, and its texts are shown as text. The page's types are those of the document.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { declarations, SCHEMA_FILE } from '../schema.mjs';
import { findings } from './support/axe.mjs';
import { isFirefox, open, until } from './support/browser.mjs';
import { newToken, startServer } from './support/server.mjs';

export async function before() {
  const { secret, file } = newToken('reader');
  return { server: await startServer(), guarded: await startServer('--tokens', file), secret };
}
export const after = async ({ server, guarded }) => {
  await server.stop();
  await guarded.stop();
};

const address = (server, operation) => `${server.url}/docs/reference${operation ? `#/operations/${operation}` : ''}`;
const status = (page, text) => page.getByTestId('status').filter({ hasText: text }).waitFor();
const answer = (page) => page.getByTestId('answer').locator('pre').first();

/** A document with the cases that the server's own does not have. */
const UNUSUAL = {
  openapi: '3.1.0',
  info: { title: '<b>Odd</b>', version: '1', description: 'See [here](https://example.com/) or [there](javascript:alert(1)).\n\n- one `a`\n- two\n  lines' },
  tags: [],
  paths: {
    '/v1/tree': {
      post: {
        operationId: 'a/b',
        summary: '<img src=x onerror=alert(1)>',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
        responses: { 200: { description: 'Fine', content: { 'application/json': { schema: { $ref: '#/components/schemas/Self' } } } } },
      },
    },
  },
  components: {
    schemas: {
      Tree: { type: 'object', required: ['name'], properties: {
        name: { type: 'string', default: 'x', minLength: 1, maxLength: 8 },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        big: { type: 'integer', format: 'uint64', minimum: 1, maximum: 18446744073709551615 },
      } },
      Self: { $ref: '#/components/schemas/Self' },
    },
  },
};

export const tests = {
  "the page's types are those of the server": async ({ server }) => {
    assert.equal(await readFile(SCHEMA_FILE, 'utf8'), await declarations(server.url), 'run npm run schema beside a running server');
  },
  'the reference has every call, in both themes and narrow': async ({ browser, server }) => {
    const api = await fetch(`${server.url}/openapi.json`).then((it) => it.json());
    const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
    for (const [colorScheme, width] of [['light', 1280], ['dark', 390]]) {
      const { page, check } = await open(browser, address(server), { colorScheme, viewport: { width, height: 844 } });
      await page.getByTestId('overview').waitFor();
      assert.deepEqual(await findings(page), [], 'overview');
      for (const { operationId } of operations) {
        await page.evaluate((id) => { location.hash = `#/operations/${id}`; }, operationId);
        await page.waitForURL((url) => url.hash.endsWith(`/${operationId}`));
        await page.getByTestId('send-form').waitFor();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${operationId} at ${width} pixels`);
      }
      await page.goto(address(server, 'hint'));
      await page.locator('summary', { hasText: 'Fields of Limits' }).click();
      await page.locator('.schema .schema .name', { hasText: 'timeMs' }).waitFor();
      assert.deepEqual(await findings(page), [], 'a call');
      await check();
    }
  },
  'a call is chosen by keyboard and by its address': async ({ browser, server }) => {
    const { page, check } = await open(browser, address(server, 'hint'));
    await page.getByRole('heading', { name: 'The best moves', level: 2 }).waitFor();
    assert.match(await page.title(), /^The best moves/);
    const link = page.getByRole('navigation').getByRole('link', { name: 'Compares moves' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/operations\/compare$/);
    await until(page, () => document.activeElement?.textContent === 'Compares moves');
    assert.equal(await page.locator('nav [aria-current=page]').count(), 1);
    await page.goBack();
    await page.getByRole('heading', { name: 'The best moves', level: 2 }).waitFor();
    await page.goto(address(server, 'nothing'));
    await page.getByRole('alert').filter({ hasText: 'nothing' }).waitFor();
    await check();
  },
  'a call is sent as it was edited, and copied as curl': async ({ browser, server }) => {
    const permissions = isFirefox ? {} : { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, check } = await open(browser, address(server, 'listLegalMoves'), { allowFailures: true, ...permissions });
    await page.getByTestId('body').fill('{"prefix": "c3-", "pageSize": 2}');
    await page.getByTestId('send').click();
    await status(page, /^200.*\d+ ms/);
    const { moves, total } = JSON.parse(await answer(page).textContent());
    assert.deepEqual([moves.length, total], [2, 8]);
    await page.getByTestId('body').fill("{\"prefix\": \"it's\", \"pageSizes\": 2}");
    await page.getByTestId('send').click();
    await status(page, /^400/);
    assert.equal(JSON.parse(await answer(page).textContent()).reason, 'bad_argument');
    const curl = await page.getByTestId('curl').textContent();
    assert.ok(curl.startsWith(`curl -X POST '${server.url}/v1/games/pentago/legal-moves'`) && curl.includes(`--data-binary '{"prefix": "it'\\''s"`), curl);
    if (!isFirefox) {
      await page.getByTestId('copy').click();
      await page.getByText('Copied').waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), curl);
    }
    await page.goto(address(server, 'getDiagram'));
    await page.getByTestId('parameter-moves').fill('c3-2r,d4-1l');
    await page.getByTestId('send').click();
    await until(page, () => document.querySelector('[data-testid=picture]')?.naturalWidth > 0);
    await check();
  },
  'a stream is shown while it runs, and stopped': async ({ browser, server }) => {
    const { page, check } = await open(browser, address(server, 'analyze'));
    await page.getByTestId('parameter-game').fill('pentagame');
    await page.getByTestId('body').fill('{"limits": {"timeMs": 30000}}');
    await page.getByTestId('send').click();
    await status(page, /receiving/);
    await answer(page).waitFor();
    await page.getByTestId('stop').click();
    await status(page, /Stopped/);
    assert.ok(!(await page.locator('figcaption').allTextContents()).some((it) => it.includes('final')));
    await page.getByTestId('accept').selectOption('application/x-ndjson');
    await page.getByTestId('body').fill('{"limits": {"nodes": 1000}}');
    await page.getByTestId('send').click();
    await until(page, () => document.querySelector('[data-testid=stop]').disabled);
    assert.equal(JSON.parse(await answer(page).textContent()).final, true);
    await check();
  },
  'a token is used for calls, and shown nowhere': async ({ browser, guarded, secret }) => {
    const { page, check } = await open(browser, address(guarded), { allowFailures: true });
    const send = async (operation, expected) => {
      await page.goto(address(guarded, operation));
      await page.getByTestId('send').click();
      await status(page, expected);
    };
    await send('listGames', /^401/);
    await page.goto(address(guarded));
    await page.getByTestId('token').fill(`Bearer ${secret}`);
    await page.getByTestId('token-use').click();
    await page.getByText('A token is in use.').waitFor();
    await send('listGames', /^200/);
    assert.ok((await page.getByTestId('curl').textContent()).includes('Bearer $TOKEN'));
    assert.ok(!(await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify(localStorage))).includes(secret));
    await check();
  },
  'texts stay texts, and schemas may contain themselves': async ({ browser, server }) => {
    const { page, check } = await open(browser, '');
    await page.route('**/openapi.json', (route) => route.fulfill({ json: UNUSUAL }));
    await page.goto(address(server));
    await page.getByTestId('overview').waitFor();
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.deepEqual(await page.locator('.prose a').evaluateAll((links) => links.map((it) => it.getAttribute('href'))), ['https://example.com/']);
    assert.deepEqual(await page.locator('.prose li').allTextContents(), ['one a', 'two\n  lines']);
    await page.goto(address(server, 'a%2Fb'));
    await page.getByRole('heading', { name: '<img src=x' }).waitFor();
    const fields = page.locator('summary', { hasText: 'Fields of Tree' });
    for (let depth = 0; depth < 3; depth += 1) await fields.nth(depth).click();
    await fields.nth(3).waitFor();
    const text = await page.locator('article').innerText();
    for (const part of ['default "x"', '1 to 8 characters', 'at least 1']) assert.ok(text.includes(part), `${part} in ${text}`);
    assert.ok(!text.includes('18446744073709'), text);
    await check();
  },
};
