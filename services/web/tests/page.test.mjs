// The page around the board: opponents, hints, analysis, tree, address, texts,
// failures.

import assert from 'node:assert/strict';

import { open, position, target, until } from './support/browser.mjs';
import { byMouse, enter, movesOf } from './support/player.mjs';
import { freePort, startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

const QUIET = { analysis: false };

/** White to move wins at once with e1. */
const WIN = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w';

export const tests = {
  'the first board makes no request twice': async ({ browser, server }) => {
    for (const [link, settings] of [['', QUIET], ['#pentago', { ...QUIET, language: 'de' }], ['#pentaflip/standard?m=c2.c5', QUIET]]) {
      const { page, check } = await open(browser, '', { settings });
      const asked = [];
      page.on('request', (request) => request.url().includes('/v1/') && asked.push(`${new URL(request.url()).pathname} ${request.headers()['accept-language']} ${request.postData() ?? ''}`));
      await page.goto(`${server.url}/${link}`);
      await page.waitForSelector('.board [data-choice]');
      assert.deepEqual(asked, [...new Set(asked)]);
      assert.ok(asked.every((it) => it.includes(` ${settings.language ?? 'en'} `)), asked.join('\n'));
      await check();
    }
  },
  'a game against a level': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET });
    await page.getByTestId('seat-b').selectOption('2');
    await page.getByTestId('seat-w').selectOption('person');
    await enter(page, 'c3-2r', byMouse);
    await until(page, () => (/[?&]m=([^&]*)/.exec(location.hash)?.[1] ?? '').split('.').length === 2);
    // Undo goes back to the person's turn.
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('undo').click();
    await until(page, () => location.hash.includes('at=0'));
    await page.getByTestId('redo').click();
    await until(page, () => location.hash.includes('at=1'));
    await check();
  },
  'levels play among themselves': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?seats=1,1`, { settings: QUIET });
    await until(page, () => (/[?&]m=([^&]*)/.exec(location.hash)?.[1] ?? '').split('.').length >= 4);
    await check();
  },
  'hints reveal only the requested detail': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${WIN}`, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('hint-nudge').click();
    await page.getByTestId('hint').waitFor();
    assert.equal(await page.locator('.mark-ring.area, .mark-ring.hint').count(), 0);
    assert.ok(!(await page.getByTestId('hint').textContent()).includes('e1'));
    await page.getByTestId('hint-area').click();
    await page.locator('.mark-ring.area').first().waitFor();
    assert.equal(await page.locator('[data-testid=hint] .move').count(), 0);
    await page.getByTestId('hint-move').click();
    await page.locator('[data-testid=hint] .move', { hasText: 'e1' }).waitFor();
    await page.locator('.mark-ring.hint').first().waitFor();
    await page.getByTestId('hint-line').click();
    await page.locator('[data-testid=hint-line][aria-pressed=true]').waitFor();
    await page.locator('[data-testid=hint] .move', { hasText: 'e1' }).waitFor();
    await check();
  },
  'analysis streams beside the board': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${WIN}`, { settings: { analysis: true } });
    await page.locator('[data-testid=certainty] .tag.proven').waitFor();
    assert.match(await page.getByTestId('certainty').textContent(), /✓ proven.*White: win in 1 move/);
    assert.match(await page.getByTestId('bars').textContent(), /White.*100 %.*Black.*0 %/s);
    await page.locator('[data-testid=lines] .move', { hasText: 'e1' }).first().waitFor();
    await page.locator('.mark-ring.hint').first().waitFor();
    await page.getByTestId('analysis').uncheck();
    await page.locator('.lines.off').waitFor();
    await check();
  },
  'lines are previewed and gone to': async ({ browser, server }) => {
    const link = '#pentago/standard?p=ww4/6/bb4/6/6/6_w';
    const { page, check } = await open(browser, `${server.url}/${link}`, { settings: { analysis: true, seconds: 2 } });
    const move = page.locator('[data-testid=lines] li:first-child .move').nth(1);
    await page.locator('.progress', { hasText: 'finished' }).waitFor();
    const pieces = () => page.locator('.board .piece').count();
    const before = await pieces();
    const isPreviewed = () => until(page, (n) => document.querySelectorAll('.board .piece').length > n && document.querySelector('.mark-last'), before);
    const isLeft = () => until(page, (n) => document.querySelectorAll('.board .piece').length === n, before);
    await move.focus();
    await isPreviewed();
    await move.blur();
    await isLeft();
    await move.hover();
    await isPreviewed();
    await page.mouse.move(5, 5);
    await isLeft();
    await move.click();
    await until(page, () => (/[?&]m=([^&]*)/.exec(location.hash)?.[1] ?? '').split('.').length === 2);
    await check();
  },
  'the value of every move is painted': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard`, { settings: { analysis: true, values: true } });
    // The solved start: the four corners draw, every other cell wins.
    await until(page, () => document.querySelectorAll('.badge.proven.win').length === 32 && document.querySelectorAll('.badge.proven.draw').length === 4);
    await page.locator('.badge.proven', { hasText: '=' }).first().waitFor();
    assert.match(await target(page, 'point a1').getAttribute('aria-label'), /draw, proven/);
    await target(page, 'point b2').click();
    await until(page, () => document.querySelectorAll('.badge').length === 8);
    await check();
  },
  'undo, redo and variations in the address': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    for (const move of ['c3-2r', 'd4-1l']) await enter(page, move, byMouse);
    await page.getByTestId('undo').click();
    await until(page, () => location.hash.includes('at=1'));
    await page.waitForSelector('.board [data-choice]');
    await target(page, 'point e5').click();
    await target(page, 'turn 2 r').click();
    await until(page, () => location.hash.includes('(e5-2r)'));
    await page.locator('.variation .move', { hasText: 'e5-2r' }).waitFor();
    const there = page.url();
    const shown = await position(page);
    await page.reload();
    await page.locator('.variation [aria-current]').waitFor();
    assert.equal(page.url(), there);
    assert.equal(await position(page), shown);
    // The back button goes through the positions in the order in which they were shown.
    await page.getByTestId('first').click();
    await until(page, () => location.hash.includes('at=0'));
    await page.goBack();
    await page.locator('.variation [aria-current]').waitFor();
    assert.equal(await position(page), shown);
    await page.goForward();
    await until(page, () => !document.querySelector('.movelist [aria-current]'));
    await check();
  },
  'moves are typed with completion': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET, allowFailures: true });
    await page.waitForSelector('.board [data-choice]');
    const box = page.getByTestId('move-box');
    await box.fill('c3-');
    await page.locator('#move-list [role=option]', { hasText: 'c3-1l' }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    await until(page, () => location.hash.includes('m=c3-1l'));
    await box.fill('z9');
    await box.press('Enter');
    await page.getByTestId('problem').waitFor();
    assert.deepEqual(movesOf(page), ['c3-1l']);
    await page.getByTestId('problem').getByRole('button').click();
    await page.getByTestId('problem').waitFor({ state: 'detached' });
    await check();
  },
  'positions and games are pasted': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET, allowFailures: true });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('tab-share').click();
    await page.getByTestId('paste').fill('wwww2/6/bbbb2/6/6/6 w');
    await page.getByTestId('load').click();
    await until(page, () => location.hash.includes('p=wwww2/6/bbbb2/6/6/6_w'));
    await page.getByTestId('paste').fill('[Game "pentaflip"]\n[Variant "standard"]\n\n1. c2 c5 (1... ~L) 2. b2');
    await page.getByTestId('load').click();
    await until(page, () => location.hash.startsWith('#pentaflip/standard?m=c2.c5(~L).b2'));
    const text = await page.getByTestId('game-text').inputValue();
    assert.match(text, /1\. c2 c5 \(1\.\.\. ~L\) 2\. b2/);
    await page.getByTestId('paste').fill('this is no game');
    await page.getByTestId('load').click();
    await page.getByTestId('problem').waitFor();
    await check();
  },
  'the link to share has a preview, and leads to the game': async ({ browser, server }) => {
    const game = 'pentago/standard?m=c3-2r.d4-1l';
    const { page, check } = await open(browser, `${server.url}/#${game}`, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('tab-share').click();
    const link = await page.getByTestId('link').inputValue();
    if (!process.env.PENTAD_WEB_DEV) {
      assert.equal(link, `${server.url}/s/${game}`);
      const [, picture] = /<meta property="og:image" content="([^"]*)"/.exec(await (await fetch(link)).text());
      const answer = await fetch(picture.replaceAll('&amp;', '&'));
      assert.equal(answer.headers.get('content-type'), 'image/png');
      await page.goto(link);
      await until(page, (wanted) => location.hash === wanted, `#${game}`);
      await until(page, () => document.querySelectorAll('.board .piece').length === 2);
    }
    await check();
  },
  'pictures and texts are saved': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.d4-1l`, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('tab-share').click();
    for (const [id, name, begins] of [['save-svg', 'pentago.svg', '<svg'], ['save-png', 'pentago.png', '\x89PNG'], ['save-text', 'pentago.txt', '[Game "pentago"]']]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(id).click()]);
      assert.equal(download.suggestedFilename(), name);
      const chunks = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      assert.ok(content.toString('latin1').startsWith(begins), `${name}: ${content.toString('latin1', 0, 20)}`);
      assert.ok(id !== 'save-png' || content.length > 20_000, `${name} has ${content.length} bytes`);
    }
    await check();
  },
  'a link with an illegal move shows what is legal, and the error': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.c3-2r.d4-1l`, { settings: QUIET, allowFailures: true });
    await page.getByTestId('problem').waitFor();
    await page.waitForSelector('.board [data-choice]');
    await check();
    for (const link of ['#nosuchgame/x', '#pentago/standard?p=<b>', '#pentago/nosuch?at=-5&m=((%']) {
      const bad = await open(browser, `${server.url}/${link}`, { settings: QUIET, allowFailures: true });
      await bad.page.waitForSelector('[data-testid=games] button, .board [data-choice]');
      await bad.check();
    }
  },
  'an analysis goes on after its connection broke': async ({ browser }) => {
    const port = await freePort();
    const first = await startServer('--rest-listen', `127.0.0.1:${port}`);
    const link = '#pentago-xl/ffa4?m=e5-1l.d4-2r.f6-3l';
    const { page, check } = await open(browser, `${first.url}/${link}`, { settings: { analysis: true, seconds: 30 }, allowFailures: true });
    await page.locator('.lines .value').first().waitFor();
    await first.stop();
    await page.locator('.problem.waiting').waitFor();
    const second = await startServer('--rest-listen', `127.0.0.1:${port}`);
    await page.locator('.problem').waitFor({ state: 'detached' });
    await page.locator('.progress', { hasText: 'searching' }).waitFor();
    await check();
    await second.stop();
  },
  'a server that restarts in the middle loses nothing': async ({ browser }) => {
    const port = await freePort();
    const first = await startServer('--rest-listen', `127.0.0.1:${port}`);
    const { page, check } = await open(browser, first.url, { settings: { analysis: true, seconds: 30 }, allowFailures: true });
    await page.waitForSelector('.board [data-choice]');
    await enter(page, 'c3-2r', byMouse);
    await page.waitForSelector('.board [data-choice]');
    await first.stop();
    await target(page, 'point d4').click();
    await target(page, 'turn 1 l').click();
    await page.locator('.problem.waiting').waitFor();
    const second = await startServer('--rest-listen', `127.0.0.1:${port}`);
    await until(page, () => location.hash.includes('m=c3-2r.d4-1l'));
    await page.locator('.problem').waitFor({ state: 'detached' });
    await page.locator('[data-testid=certainty] .tag').waitFor();
    await check();
    await second.stop();
  },
  'five languages, kept across a reload': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET });
    for (const [id, word] of [['sv', 'Nytt parti'], ['fi', 'Uusi peli'], ['de', 'Neue Partie'], ['fr', 'Nouvelle partie'], ['en', 'New game']]) {
      await page.getByTestId('language').selectOption(id);
      await page.getByTestId('new-game').filter({ hasText: word }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), id);
    }
    // The server's texts change as well: the names of the seats.
    const seat = (name) => page.getByTestId('status').filter({ hasText: name }).waitFor();
    await seat('White');
    await page.getByTestId('language').selectOption('de');
    await seat('Weiß');
    await page.getByTestId('language').selectOption('fi');
    await page.reload();
    await page.getByTestId('new-game').filter({ hasText: 'Uusi peli' }).waitFor();
    await check();
    const swedish = await open(browser, server.url, { locale: 'sv-SE' });
    await swedish.page.getByTestId('new-game').filter({ hasText: 'Nytt parti' }).waitFor();
    await swedish.check();
  },
  'moves and evaluations are announced': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    const says = (text) => page.getByTestId('announcement').filter({ hasText: text }).waitFor({ state: 'attached' });
    await target(page, 'point c3').click();
    await says('c3. Now turn a block.');
    await target(page, 'turn 2 r').click();
    await says('White: c3, then block 2 turned right. Black to move.');
    // The choices appear once the server has listed the moves.
    const isLabelled = (key, label) => page.locator(`.board [data-key="${key}"][aria-label="${label}"]`).waitFor({ state: 'attached' });
    await isLabelled('point c3', 'c3, White marble');
    await isLabelled('point d4', 'd4, empty, can be chosen');
    await page.getByTestId('analysis').check();
    await says('proven');
    await check();
  },
};
