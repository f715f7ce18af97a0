// Moves in a player's words, beside their notation: on the page, in every language, and not
// where a game has none.

import assert from 'node:assert/strict';

import { open, target, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { plugins, startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', plugins('tests/plugins/tictactoe.c')) };
}
export const after = ({ server }) => server.stop();

const QUIET = { analysis: false };
const GAME = '#pentago/standard?m=c3-2r.d4-1l.b2-3r';

export const tests = {
  'the last move, the list and the lines have words': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${GAME}`);
    const caption = page.getByTestId('caption');
    await caption.getByText('b2, then block 3 turned right').waitFor();
    assert.match(await page.getByTestId('status').textContent(), /White played b2-3r/, 'the notation stays');
    await page.getByTestId('moves').getByText('d4, then block 1 turned left').waitFor();
    assert.match(await page.getByTestId('moves').textContent(), /d4-1l/);
    await page.locator('.lines .words').first().waitFor();
    const [words, notation] = await page.locator('.lines li').first().evaluate((row) => [row.querySelector('.words').textContent, row.querySelector('.move').textContent]);
    const turn = notation.endsWith('l') ? 'left' : 'right';
    assert.equal(words, `${notation.slice(0, 2)}, then block ${notation[3]} turned ${turn}`);
    // A move of a line that has the focus is shown on the board and below it.
    const second = page.locator('.lines li').first().locator('.move').nth(1);
    if (await second.count()) {
      await second.focus();
      await caption.filter({ hasText: `${(await second.textContent()).slice(0, 2)}, then block` }).waitFor();
    }
    await page.getByTestId('move-words').uncheck();
    await page.locator('.words').first().waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.lines .move').first().waitFor();
    assert.equal(await page.locator('.words').count(), 0, 'the choice is kept');
    await check();
  },
  'words are those of the language, for every game': async ({ browser, server }) => {
    const links = {
      [GAME]: { en: 'b2, then block 3 turned right', sv: 'b2, sedan block 3 åt höger', fi: 'b2, sitten lohko 3 oikealle', de: 'b2, dann Block 3 nach rechts', fr: 'b2, puis quadrant 3 vers la droite' },
      '#pentago-xl/ffa4?m=e5-1l': { en: 'e5, then block 1 turned left', fr: 'e5, puis bloc 1 vers la gauche' },
      '#pentaflip/standard?m=~T': { en: 'flip the top half', de: 'umdrehen' },
      '#pentagame/2p?m=a-c%40A1B': { en: 'White to c, black block to A1B', sv: 'Vita till c, svart block till A1B' },
    };
    for (const [link, texts] of Object.entries(links)) {
      const { page, check } = await open(browser, `${server.url}/${link}`, { settings: QUIET });
      for (const [language, text] of Object.entries(texts)) {
        await page.getByTestId('language').selectOption(language);
        await page.getByTestId('caption').getByText(text).waitFor();
        await page.getByTestId('moves').getByText(text).waitFor();
      }
      await check();
    }
  },
  'hints, typed moves and mistakes have words': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w`, { settings: QUIET });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('move-box').fill('f6-');
    await page.locator('#move-list li', { hasText: 'f6-1l' }).getByText('f6, then block 1 turned left').waitFor();
    await page.getByTestId('move-box').fill('');
    await page.getByTestId('hint-nudge').click();
    await page.getByTestId('hint').waitFor();
    assert.equal(await page.getByTestId('hint').locator('.words').count(), 0, 'a nudge does not tell the move');
    await page.getByTestId('hint-move').click();
    await page.getByTestId('announcement').filter({ hasText: /^e1\. / }).waitFor({ state: 'attached' });
    await enter(page, 'f6-4r', byMouse);
    await page.getByTestId('how-good').click();
    assert.match(await page.getByTestId('why-not').textContent(), /f6-4r \(f6, then block 4 turned right\) is worse than e1/);
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('accuracy').waitFor();
    await page.getByTestId('story').getByText('f6, then block 4 turned right').waitFor();
    await page.getByTestId('next-mistake').click();
    await page.getByTestId('learn').click();
    await page.getByTestId('mistakes').getByText('White played f6-4r (f6, then block 4 turned right) here.').waitFor();
    await check();
    const other = await open(browser, `${server.url}/${GAME}`, { settings: QUIET });
    await other.page.waitForSelector('.board [data-choice]');
    await other.page.getByTestId('hint-move').click();
    await other.page.getByTestId('hint').getByText(/^.., then block \d turned/).waitFor();
    await other.page.getByTestId('announcement').filter({ hasText: /^.., then block/ }).waitFor({ state: 'attached' });
    await other.check();
  },
  'a game without words is asked once, and shows its notation': async ({ browser, server }) => {
    const { page, check } = await open(browser, null, { settings: QUIET });
    let nAsked = 0;
    page.on('request', (request) => (nAsked += request.postData()?.includes('"texts":true') ? 1 : 0));
    await page.goto(`${server.url}/#tictactoe/standard?m=a1.b2.c3.a2`);
    await page.waitForSelector('.board [data-choice]');
    await until(page, () => document.querySelectorAll('.movelist .move').length === 4);
    await target(page, 'point c2').click();
    await page.getByTestId('status').filter({ hasText: 'c2' }).waitFor();
    assert.equal(await page.locator('.words').count(), 0);
    assert.ok(nAsked <= 2, `${nAsked} requests`);
    await check();
  },
  'depth, positions and speed are details': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentagame/2p`);
    await page.locator('.lines .move').first().waitFor();
    assert.doesNotMatch(await page.locator('.progress').textContent(), /Depth|Positions|\/s/);
    await page.getByTestId('details').check();
    await page.locator('.progress').getByText(/Depth \d/).waitFor();
    await page.reload();
    await page.locator('.progress').getByText(/Depth \d/).waitFor();
    await check();
  },
  'lines with words fit a phone, and nothing moves when they arrive': async ({ browser, server }) => {
    const { page, check } = await open(browser, null, { viewport: { width: 390, height: 844 } });
    await page.addInitScript(() => {
      window.shifts = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((it) => { if (!it.hadRecentInput) window.shifts += it.value; })).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${server.url}/${GAME}`);
    await page.locator('.lines .words').first().waitFor();
    await page.getByTestId('caption').waitFor();
    const heights = await page.locator('.lines li').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(heights.every((it) => it < 50), heights.join());
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok((await page.evaluate(() => window.shifts)) < 0.02, String(await page.evaluate(() => window.shifts)));
    await check();
  },
};
