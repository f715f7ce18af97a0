// The guides at /docs: complete without a script, in both themes, narrow and by keyboard;
// and what a script adds. .ci/guides runs the commands that they show.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { isFirefox, open, until } from './support/browser.mjs';
import { newToken, startServer } from './support/server.mjs';

export async function before() {
  const { file } = newToken('reader');
  return { server: await startServer(), guarded: await startServer('--tokens', file) };
}
export const after = async ({ server, guarded }) => {
  await server.stop();
  await guarded.stop();
};

const PHONE = { width: 390, height: 844 };

/** Addresses of all pages, from the navigation. */
async function addresses(server) {
  const html = await fetch(`${server.url}/docs`).then((it) => it.text());
  const nav = /<nav id="contents"[\s\S]*?<\/nav>/.exec(html)[0];
  const found = [...nav.matchAll(/href="(\/docs[^"#]*)"/g)].map((match) => match[1]);
  assert.ok(found.length > 30, String(found));
  return found.filter((path) => path !== '/docs/reference');
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

export const tests = {
  'every page fits a phone and has one title': async ({ browser, server }) => {
    const { page, check } = await open(browser, '', { viewport: PHONE, colorScheme: 'dark' });
    for (const path of await addresses(server)) {
      await page.goto(server.url + path);
      assert.ok(await overflow(page) <= 0, `${path} is ${await overflow(page)} pixels too wide`);
      assert.equal(await page.locator('h1').count(), 1, path);
    }
    await check();
  },
  'pages are accessible in both themes': async ({ browser, server }) => {
    for (const [colorScheme, viewport] of [['light', { width: 1360, height: 900 }], ['dark', { width: 1360, height: 900 }], ['light', PHONE]]) {
      const { page, check } = await open(browser, '', { colorScheme, viewport });
      for (const path of ['/docs', '/docs/guides/streams', '/docs/guides/limits', '/docs/errors', '/docs/errors/bad_move', '/docs/games/pentagame', '/docs/guides/how-levels-play']) {
        await page.goto(server.url + path);
        assert.deepEqual(await findings(page), [], `${path}, ${colorScheme}, ${viewport.width} pixels`);
      }
      await check();
    }
  },
  'a reader without scripts and without a token can read everything': async ({ browser, guarded }) => {
    const { page, context } = await open(browser, '', { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${guarded.url}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('It makes five in a row and wins at once.').first().waitFor();
    await page.locator('.tabs label', { hasText: 'Python' }).click();
    await page.getByText('import urllib.request').waitFor();
    assert.ok(!(await page.getByText('curl -s').first().isVisible()));
    // The contents open by their address, and close by following a link.
    const link = page.locator('nav#contents').getByRole('link', { name: 'Streams' });
    assert.ok(!(await link.isVisible()));
    await page.getByRole('link', { name: 'Contents' }).click();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
    assert.ok(!(await page.locator('nav#contents').isVisible()));
    await page.locator('.toc').getByRole('link', { name: 'Cancel' }).click();
    assert.match(page.url(), /#cancel$/);
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    assert.equal(await page.locator('button').count(), 0);
    await context.close();
  },
  'the position of the first page is a picture with its answer': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/docs`);
    const picture = page.getByRole('img', { name: /Pentago/ });
    const { width } = await picture.boundingBox();
    assert.ok(width > 200, `${width} pixels`);
    await page.getByText('White to move. What is best?').waitFor();
    await check();
  },
  'code is copied with the address of this server': async ({ browser, server }) => {
    const permissions = isFirefox ? {} : { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, check } = await open(browser, `${server.url}/docs/errors/bad_move`, permissions);
    const figure = page.locator('.code').first();
    assert.ok((await figure.locator('code').textContent()).includes(`curl -s ${server.url}/v1/games/pentago/position`));
    await figure.getByRole('button', { name: 'Copy' }).click();
    await figure.getByRole('button', { name: isFirefox ? /Copied|Not allowed/ : 'Copied' }).waitFor();
    if (!isFirefox) {
      const command = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(command.startsWith(`curl -s ${server.url}/v1/games/pentago/position`) && !command.endsWith('\n'), command);
    }
    assert.equal(await page.locator('.answer button').count(), 0);
    await check();
  },
  'a language is chosen once, by keyboard, for all pages': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/docs`);
    await page.getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('import urllib.request').first().waitFor();
    await page.goto(`${server.url}/docs/guides/levels`);
    assert.ok(await page.getByRole('radio', { name: 'Python' }).first().isChecked());
    await page.goto(`${server.url}/docs`);
    assert.ok(await page.getByRole('radio', { name: 'Python' }).isChecked());
    await check();
  },
  'the theme of the board page holds here, too': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/docs`, { colorScheme: 'light', settings: { theme: 'dark' } });
    await until(page, () => document.documentElement.dataset.theme === 'dark');
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(23, 24, 27)');
    await check();
  },
  'old addresses of the reference lead to it, and its errors to their pages': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/docs#/operations/hint`);
    await page.waitForURL(`${server.url}/docs/reference#/operations/hint`);
    await page.getByRole('heading', { name: 'The best moves', level: 2 }).waitFor();
    await page.getByRole('table').getByRole('link', { name: 'bad_position' }).click();
    await page.waitForURL(`${server.url}/docs/errors/bad_position`);
    await page.getByRole('heading', { level: 1, name: 'bad_position' }).waitFor();
    await check();
  },
};
