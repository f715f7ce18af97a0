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
  'every example of the page for site owners runs': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/embed/v1/example.html`);
    await until(page, () => [...document.querySelectorAll('pentad-board')].every((it) => it.shadowRoot.querySelector('.pieces')));
    // The examples are what they say.
    const written = await page.locator('section pre').evaluateAll((all) => all.map((it) => it.textContent.replace(/^.*<pentad-board|><.*$/gs, '').trim()));
    const shown = await page.locator('section > pentad-board').evaluateAll((all) => all.map((it) => it.cloneNode().outerHTML));
    assert.equal(written.length, shown.length);
    for (const [i, text] of written.entries()) for (const name of text.match(/^\S+(?==)| \S+?(?==|$| )/g) ?? []) assert.ok(shown[i].includes(name.trim().split('=')[0]), `${shown[i]} ${name}`);
    assert.equal(await page.locator('#game pentad-board [data-choice]').count(), 0, 'readonly');
    await until(page, () => document.querySelector('#game pentad-board').shadowRoot.querySelectorAll('.bar .share').length === 2);
    const control = (name) => page.locator(`#game pentad-board [data-control=${name}]`);
    assert.equal(await page.locator('#game pentad-board [data-control=hint]').count(), 0);
    await control('previous').click();
    await until(page, () => document.querySelector('#game pentad-board').getAttribute('moves') === 'c2 c5 e4 b5 f4');
    await control('first').click();
    await until(page, () => document.querySelector('#game pentad-board').getAttribute('moves') === '');
    await control('last').click();
    await until(page, () => document.querySelector('#game pentad-board').getAttribute('moves') === 'c2 c5 e4 b5 f4 e3');
    assert.equal(await page.locator('#look pentad-board').evaluate((it) => getComputedStyle(it).colorScheme), 'dark');
    await page.locator('#look pentad-board .board[data-look=slate]').waitFor();
    await check();
  },
  'a level answers on an embedded board': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/embed/v1/example.html`);
    const choose = (choice) => page.locator(`#opponent pentad-board [data-choice="${choice}"]`).click();
    await page.locator('#opponent pentad-board [data-choice]').first().waitFor();
    await choose('c3');
    await choose('-2r');
    await until(page, () => document.querySelector('#opponent pentad-board').getAttribute('moves')?.split(' ').length === 2);
    await page.locator('#opponent pentad-board [data-choice]').first().waitFor();
    await page.locator('#opponent pentad-board [data-control=previous]').click();
    await until(page, () => document.querySelector('#opponent pentad-board').getAttribute('moves') === '');
    await page.locator('#opponent pentad-board [data-choice="c3"]').waitFor();
    await check();
  },
  'the puzzle of the day is solved on an embedded board': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/embed/v1/example.html`);
    const state = (word) => page.locator('#puzzled', { hasText: word }).waitFor();
    await state('open');
    const id = (await page.locator('#puzzled').textContent()).split(' ')[1];
    const { puzzles } = await fetch(`${server.url}/embed/v1/puzzles-pentaflip-standard.json`).then((it) => it.json());
    const puzzle = puzzles.find((it) => it.id === id);
    const board = page.locator('#puzzle pentad-board');
    await board.locator('[data-choice]').first().waitFor();
    const wrong = await board.locator('[data-choice]').evaluateAll((all, right) => all.map((it) => it.dataset.choice).find((it) => !right.includes(it)), puzzle.firstMoves);
    await board.locator(`[data-choice="${wrong}"]`).click();
    await state('wrong');
    await board.getByRole('button', { name: 'Try again' }).click();
    for (let ply = 0; ply < puzzle.line.length; ply += 2) {
      await board.locator(`[data-choice="${puzzle.line[ply]}"]`).click();
      if (ply + 2 < puzzle.line.length) await until(page, (n) => document.querySelector('#puzzle pentad-board').getAttribute('moves').split(' ').length === n, ply + 2);
    }
    await state('solved');
    await check();
  },
  'the HTML that the page offers shows the same board': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=f6-4r`, { settings: { analysis: false } });
    await page.getByTestId('tab-share').click();
    const html = await page.getByTestId('embed-code').inputValue();
    assert.ok(html.includes(`src="${server.url}/embed/v1/pentad-board.js"`), html);
    const shown = /<pentad-board .*<\/pentad-board>/.exec(html)[0];
    assert.equal(shown, '<pentad-board game="pentago" variant="standard" position="wwww2/6/bbbb2/6/6/6 w" moves="f6-4r" interactive controls></pentad-board>');
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
