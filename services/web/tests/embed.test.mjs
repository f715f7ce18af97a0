// <pentad-board> on a page of another origin.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { open, until } from './support/browser.mjs';
import { newToken, plugins, startServer } from './support/server.mjs';

export async function before() {
  // The development proxy removes the origin, which these tests check.
  const dev = process.env.PENTAD_WEB_DEV ?? '';
  process.env.PENTAD_WEB_DEV = '';
  const site = createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://site');
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    const [from, also] = [searchParams.get('server'), searchParams.get('also') ?? ''];
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': `default-src 'none'; script-src ${from}; connect-src ${from} ${also}; style-src 'none'; img-src 'self'` });
    return response.end(`<!doctype html><html lang="en"><title>A site</title><script type="module" src="${from}/embed/v1/pentad-board.js"></script>
      <pentad-board game="${searchParams.get('game')}" moves="${searchParams.get('moves') ?? ''}" interactive></pentad-board></html>`);
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${site.address().port}`;
  const dir = plugins('tests/plugins/tictactoe.c');
  const server = await startServer('--cors-origins', origin, '--rulesets', 'bundled', '--rulesets', dir);
  return { site, origin, server, dev };
}
export async function after({ site, server, dev }) {
  process.env.PENTAD_WEB_DEV = dev;
  site.close();
  await server.stop();
}

const choose = (page, choice) => page.locator(`pentad-board [data-choice="${choice}"]`).click();

async function openSite({ browser, origin, server }, game, moves = '', { also = '', ...more } = {}) {
  const query = new URLSearchParams({ server: server.url, game, moves, also });
  const opened = await open(browser, `${origin}/?${query}`, more);
  await opened.page.evaluate(() => {
    window.events = [];
    for (const name of ['move', 'hint', 'error']) document.addEventListener(name, (e) => window.events.push([name, e.detail]), true);
  });
  return opened;
}

export const tests = {
  'moves are made and reported': async (it) => {
    const { page, check } = await openSite(it, 'pentago', 'c3-2r d4-1l');
    await page.locator('pentad-board [data-choice]').first().waitFor();
    assert.equal(await page.locator('pentad-board .piece').count(), 2);
    await choose(page, 'b2');
    await choose(page, '-3l');
    await until(page, () => window.events.some(([name]) => name === 'move'));
    const [[, detail]] = await page.evaluate(() => window.events.filter(([name]) => name === 'move'));
    assert.deepEqual([detail.move, detail.moves, detail.toMove], ['b2-3l', ['c3-2r', 'd4-1l', 'b2-3l'], 'b']);
    assert.equal(await page.locator('pentad-board').getAttribute('moves'), 'c3-2r d4-1l b2-3l');
    await page.evaluate(() => document.querySelector('pentad-board').undo());
    await until(page, () => document.querySelector('pentad-board').shadowRoot.querySelectorAll('.piece').length === 2);
    await check();
  },
  'hints are reported and shown': async (it) => {
    const { page, check } = await openSite(it, 'pentaflip');
    await page.locator('pentad-board [data-choice]').first().waitFor();
    await page.evaluate(() => document.querySelector('pentad-board').hint('area'));
    await page.locator('pentad-board .mark-ring.area').first().waitFor();
    const hint = await page.evaluate(() => document.querySelector('pentad-board').hint('move'));
    assert.ok(hint.hints[0].move);
    await until(page, () => window.events.filter(([name]) => name === 'hint').length === 2);
    await check();
  },
  'attributes change what is shown': async (it) => {
    const { page, check } = await openSite(it, 'pentago');
    await page.locator('pentad-board [data-choice]').first().waitFor();
    await page.evaluate(() => {
      const board = document.querySelector('pentad-board');
      board.removeAttribute('interactive');
      board.setAttribute('position', 'wwww2/6/bbbb2/6/6/6 w');
    });
    await until(page, () => document.querySelector('pentad-board').shadowRoot.querySelectorAll('.piece').length === 8);
    await until(page, () => document.querySelector('pentad-board').shadowRoot.querySelectorAll('[data-choice]').length === 0);
    await page.evaluate(() => document.querySelector('pentad-board').setAttribute('game', 'pentagame'));
    await page.locator('pentad-board p', { hasText: /expected|position|board/i }).waitFor();
    await check().catch((error) => assert.match(String(error), /400/));
  },
  'tic-tac-toe in C, by keyboard': async (it) => {
    const { page, check } = await openSite(it, 'tictactoe');
    await page.locator('pentad-board [data-choice]').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('pentad-board').getAttribute('moves') === 'b2');
    await check();
  },
  'a token is a property, for one server only': async (it) => {
    const { secret, file } = newToken('site');
    const asks = await startServer('--cors-origins', it.origin, '--tokens', file);
    const heard = [];
    const other = createServer((request, response) => {
      heard.push(`${request.headers['access-control-request-headers'] ?? ''} ${request.headers.authorization ?? ''}`);
      response.writeHead(204, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end();
    });
    await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${other.address().port}`;
    const { page, check } = await openSite({ ...it, server: asks }, 'pentago', '', { also: elsewhere, allowFailures: true });
    const says = (text) => page.locator('pentad-board p', { hasText: text }).waitFor();
    await says('needs a token');
    await page.evaluate((token) => document.querySelector('pentad-board').setAttribute('token', token), secret);
    assert.equal(await page.locator('pentad-board [data-choice]').count(), 0, 'an attribute is none');
    await page.evaluate((token) => { document.querySelector('pentad-board').token = token; }, secret);
    await page.locator('pentad-board [data-choice]').first().waitFor();
    assert.equal(await page.evaluate(() => document.querySelector('pentad-board').token), undefined);
    const refused = await page.evaluate(() => {
      try {
        document.querySelector('pentad-board').token = 'a\nb';
        return '';
      } catch (error) {
        return String(error);
      }
    });
    assert.match(refused, /TypeError: token/);
    // Another server does not get it.
    await page.evaluate((api) => document.querySelector('pentad-board').setAttribute('api', api), elsewhere);
    while (heard.length === 0) await page.waitForTimeout(20);
    assert.ok(heard.every((it) => !it.toLowerCase().includes('authorization') && !it.includes(secret)), heard.join());
    await check();
    other.close();
    await asks.stop();
  },
  'the example page works': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/embed/v1/example.html`);
    await page.locator('pentad-board [data-choice]').first().waitFor();
    await page.locator('#hint').click();
    await page.locator('#log', { hasText: 'hint ' }).waitFor();
    await check();
  },
  'a server that does not allow the origin names the setting': async ({ browser, origin }) => {
    const closed = await startServer();
    const { page, check } = await openSite({ browser, origin, server: closed }, 'pentago', '', { allowFailures: true });
    await page.locator('pentad-board p', { hasText: `--cors-origins ${origin}` }).waitFor();
    await closed.stop();
    await check().catch((error) => assert.match(String(error), /CORS/));
  },
};
