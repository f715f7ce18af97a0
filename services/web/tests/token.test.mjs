// Servers that require a bearer token: the page requests it from the reader, keeps it for
// the tab, sends it with every call and never displays it.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { newToken, startServer } from './support/server.mjs';

export async function before() {
  const { secret, file } = newToken('reader');
  return { server: await startServer('--tokens', file), secret };
}
export const after = ({ server }) => server.stop();

const GAME = '#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-4l(e4-2l)';

/** Opens a page and records the headers of its requests. */
async function openNoting({ browser, server }, settings) {
  const opened = await open(browser, '', { settings, allowFailures: true });
  const requests = [];
  opened.page.on('request', (request) => requests.push({ url: request.url(), authorization: request.headers().authorization ?? '' }));
  await opened.page.goto(`${server.url}/${GAME}`);
  return { ...opened, requests };
}

const dialog = (page, text) => page.getByTestId('token-dialog').filter({ hasText: text });

async function give(page, token) {
  await page.getByTestId('token-field').fill(token);
  await page.keyboard.press('Enter');
}

export const tests = {
  'a token is requested, and sent with every call': async (it) => {
    const { page, check, requests } = await openNoting(it, { analysis: true, seconds: 1 });
    await dialog(page, 'This server needs a token').waitFor();
    assert.deepEqual(await findings(page), []);
    await give(page, 'not a token');
    await page.getByText('A token has letters').waitFor();
    await give(page, 'pentad_wrong');
    await dialog(page, 'does not accept this token').waitFor();
    requests.length = 0;
    await give(page, `Bearer ${it.secret}`);
    await page.locator('.progress', { hasText: 'finished' }).waitFor();
    await page.getByTestId('hint-line').click();
    await page.getByTestId('hint').waitFor();
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('accuracy').waitFor();
    const calls = requests.filter(({ url }) => new URL(url).pathname.startsWith('/v1/'));
    assert.ok(['position', 'legal-moves', 'analysis', 'hints', 'review'].every((call) => calls.some(({ url }) => url.endsWith(call))), JSON.stringify(calls));
    for (const { url, authorization } of calls) assert.equal(authorization, `Bearer ${it.secret}`, url);
    assert.ok(requests.every(({ url }) => !url.includes(it.secret)) && !page.url().includes(it.secret));
    const seen = await page.evaluate(() => JSON.stringify(localStorage) + document.cookie + document.documentElement.outerHTML);
    assert.ok(!seen.includes(it.secret));
    await check();
  },
  'a token lasts as long as the tab': async (it) => {
    const { page, context, check } = await openNoting(it, { analysis: false });
    await dialog(page, 'This server needs a token').waitFor();
    await give(page, it.secret);
    await page.waitForSelector('.board [data-choice]');
    await page.reload();
    await page.waitForSelector('.board [data-choice]');
    const other = await context.newPage();
    await other.goto(it.server.url);
    await dialog(other, 'This server needs a token').waitFor();
    // A token that is no longer accepted is requested again, and the game goes on.
    const address = page.url();
    await page.evaluate(() => sessionStorage.setItem('pentad-token', 'pentad_old'));
    await page.reload();
    await dialog(page, 'does not accept this token').waitFor();
    await give(page, it.secret);
    await page.waitForSelector('.board [data-choice]');
    assert.equal(page.url(), address);
    await check();
  },
  'a token is changed and forgotten': async (it) => {
    const { page, check } = await openNoting(it, { analysis: false });
    const address = page.url();
    // Without a token there is no board, but the dialog can be opened again.
    await dialog(page, 'This server needs a token').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('problem').filter({ hasText: 'token' }).waitFor();
    await page.getByTestId('problem-token').click();
    await give(page, it.secret);
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('problem').waitFor({ state: 'detached' });
    assert.equal(page.url(), address, 'no move is lost');
    await page.getByTestId('token').click();
    await page.getByTestId('token-forget').click();
    await page.getByTestId('token-dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => sessionStorage.getItem('pentad-token')), null);
    await page.getByTestId('hint-nudge').click();
    await page.getByTestId('problem').waitFor();
    await page.getByTestId('token').click();
    await give(page, it.secret);
    await page.getByTestId('problem').waitFor({ state: 'detached' });
    await page.getByTestId('hint-nudge').click();
    await page.getByTestId('hint').waitFor();
    await until(page, () => document.querySelector('.board [data-choice]'));
    await check();
  },
};
