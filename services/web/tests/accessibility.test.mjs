// Accessibility: no serious findings of axe in either theme at any size, the server's
// texts shown as text, targets large enough, no layout shifts.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { findings } from './support/axe.mjs';
import { open, target, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { outputDir, plugins, startServer } from './support/server.mjs';

const SIZES = [[344, 882], [390, 844], [768, 1024], [1280, 800], [1920, 1080], [2560, 1440]];
const PAGES = {
  pentago: '#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-4l(e4-2l)',
  'pentago-xl': '#pentago-xl/ffa4?m=e5-1l.d4-2r.f6-3l',
  pentagame: '#pentagame/2p?m=a-A3c.c-C2e',
  pentaflip: '#pentaflip/standard?m=c2.c5.~L',
};

/** Theme in which each game starts; axe checks the other one as well. */
const THEMES = { pentago: 'light', 'pentago-xl': 'dark', pentagame: 'light', pentaflip: 'dark' };

export async function before() {
  const dir = plugins('services/web/tests/hostile_names.c', 'tests/plugins/tictactoe.c');
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', dir) };
}
export const after = ({ server }) => server.stop();

/** Records animations from now on. */
function countAnimations(page) {
  return page.evaluate(() => {
    window.turned = 0;
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function count(...args) {
      window.turned += 1;
      window.moved.push(JSON.stringify(args[0]));
      return animate.apply(this, args);
    };
  });
}

async function settled(page) {
  await page.waitForSelector('.board [data-choice]');
  await page.locator('[data-testid=certainty] .tag').waitFor();
  await page.locator('.progress', { hasText: 'finished' }).waitFor();
}

export const tests = Object.fromEntries([
  ...Object.entries(PAGES).map(([name, link]) => [name, link, THEMES[name]]).map(([name, link, colorScheme]) => [
    `axe finds nothing serious: ${name}, ${colorScheme}`,
    async ({ browser, server }) => {
      const { page, check } = await open(browser, `${server.url}/${link}`, { colorScheme, settings: { analysis: true, seconds: 1 } });
      await settled(page);
      assert.deepEqual(await findings(page), []);
      await page.getByTestId('tab-share').click();
      await page.locator('.rules summary').click();
      await page.getByTestId('hint-line').click();
      await page.getByTestId('hint').waitFor();
      assert.deepEqual(await findings(page), []);
      await page.getByTestId('theme').selectOption(colorScheme === 'light' ? 'dark' : 'light');
      assert.deepEqual(await findings(page), []);
      await check();
    },
  ]),
  ...SIZES.map(([width, height]) => [`screens of ${width} × ${height}`, async ({ browser, server }) => {
    const dir = outputDir('screens');
    for (const [name, link] of Object.entries(PAGES)) {
      const colorScheme = THEMES[name];
      const { page, check } = await open(browser, `${server.url}/${link}`, {
        viewport: { width, height }, colorScheme, hasTouch: width < 500, settings: { analysis: true, seconds: 1 },
      });
      await settled(page);
      await page.screenshot({ path: join(dir, `${name}-${width}-${colorScheme}.png`) });
      const { overflow, board, small } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        board: document.querySelector('.board').getBoundingClientRect().toJSON(),
        small: [...document.querySelectorAll('button, select, input, summary, a')].map((it) => [it, it.getBoundingClientRect()])
          .filter(([it, box]) => box.width > 0 && (box.height < 24 || box.width < 24) && !it.closest('.columns, .toggle'))
          .map(([it, box]) => `${it.outerHTML.slice(0, 80)} ${box.width}x${box.height}`),
      }));
      assert.ok(overflow <= 0, `${name} is ${overflow} px too wide`);
      assert.ok(board.right <= width && board.bottom <= height, `${name}: the board is not whole: ${JSON.stringify(board)}`);
      assert.deepEqual(small, [], name);
      await check();
    }
  }]),
  ['the buttons for lines keep the focus', async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${PAGES.pentago}`, { settings: { analysis: false, lines: 2 } });
    await page.waitForSelector('.board [data-choice]');
    for (const [name, lines] of [['Fewer lines', 1], ['More lines', 6]]) {
      const button = page.getByRole('button', { name });
      await button.focus();
      for (let i = 0; i < 7; i += 1) await page.keyboard.press('Enter');
      await page.getByText(`${lines} Lines`, { exact: true }).waitFor();
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      assert.ok(await button.evaluate((it) => it === document.activeElement), name);
    }
    await check();
  }],
  ['moves by touch', async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, settings: { analysis: false } });
    await page.waitForSelector('.board [data-choice]');
    await target(page, 'point c3').tap();
    await target(page, 'turn 2 r').tap();
    await until(page, () => location.hash.includes('m=c3-2r'));
    await check();
  }],
  ...[[390, 844], [1000, 700], [1280, 800]].map(([width, height]) => [`nothing jumps while it is loaded, analysed and played, at ${width} × ${height}`, async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, { viewport: { width, height }, settings: { analysis: true, seconds: 2 } });
    await page.evaluate(() => {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          // A text that changes its length shifts less than a thousandth.
          if (!entry.hadRecentInput && entry.value > 0.001) window.shifts.push(...entry.sources.map((it) => `${entry.value.toFixed(4)} ${it.node?.className ?? it.node?.nodeName}`));
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await settled(page);
    await target(page, 'point c3').click();
    await target(page, 'turn 2 r').click();
    await until(page, () => location.hash.includes('m=c3-2r'));
    await settled(page);
    assert.deepEqual(await page.evaluate(() => window.shifts), []);
    await check();
  }]),
  ['moves are animated unless motion is reduced', async ({ browser, server }) => {
    for (const reducedMotion of ['no-preference', 'reduce']) {
      const { page, check } = await open(browser, `${server.url}/#pentago/standard`, { reducedMotion, settings: { analysis: false } });
      await page.waitForSelector('.board [data-choice]');
      await countAnimations(page);
      await target(page, 'point c3').click();
      await target(page, 'turn 2 r').click();
      await until(page, () => location.hash.includes('m=c3-2r') && !document.querySelector('.board.moving') && document.querySelector('.board [data-choice]'));
      assert.equal((await page.evaluate(() => window.turned)) > 0, reducedMotion === 'no-preference');
      assert.equal(await page.locator('.board .piece').count(), 1);
      await check();
    }
  }],
  ['flips and moving pieces are animated', async ({ browser, server }) => {
    for (const [link, move, kind] of [['#pentaflip/standard?m=c2.c5', '~L', 'scale'], ['#pentagame/2p', 'a-A3c', 'translate']]) {
      const { page, check } = await open(browser, `${server.url}/${link}`, { reducedMotion: 'no-preference', settings: { analysis: false } });
      await page.waitForSelector('.board [data-choice]');
      const pieces = await page.locator('.board .piece').count();
      await countAnimations(page);
      await enter(page, move, byMouse);
      await until(page, () => !document.querySelector('.board.moving') && document.querySelector('.board [data-choice]'));
      assert.ok((await page.evaluate(() => window.moved)).some((frame) => frame.includes(kind)), move);
      assert.equal(await page.locator('.board .piece').count(), pieces);
      await check();
    }
  }],
  ['a rotated screen gets its own layout', async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?m=c2`, { viewport: { width: 844, height: 390 }, settings: { analysis: false } });
    await page.waitForSelector('.board [data-choice]');
    const isWide = () => page.evaluate(() => document.querySelector('.board').viewBox.baseVal.width > document.querySelector('.board').viewBox.baseVal.height);
    assert.equal(await isWide(), true);
    const pieces = await page.locator('.board .piece').count();
    await page.setViewportSize({ width: 390, height: 844 });
    await until(page, () => document.querySelector('.board').viewBox.baseVal.width < document.querySelector('.board').viewBox.baseVal.height);
    await page.waitForSelector('.board [data-choice]');
    assert.equal(await page.locator('.board .piece').count(), pieces);
    const outside = await page.evaluate(() => {
      const board = document.querySelector('.board').getBoundingClientRect();
      const middles = [...document.querySelectorAll('.board [data-key] .hit')].map((it) => it.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
      return middles.filter(([x, y]) => x < board.left || x > board.right || y < board.top || y > board.bottom).length;
    });
    assert.equal(outside, 0, 'places to choose lie on the board');
    await check();
  }],
  ['hostile names are shown as text', async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#hostile-names/standard`, { settings: { analysis: true, seconds: 1, values: true } });
    await settled(page);
    const text = await page.locator('body').innerText();
    for (const what of ['variant', 'summary', 'ann', 'reason']) assert.ok(text.includes(`<script>window.attacked='${what}'</script>${what}`), `${what} in ${text}`);
    assert.ok((await page.getByTestId('game').locator('option').allTextContents()).some((it) => it.includes('onerror')));
    for (const detail of ['nudge', 'area', 'move', 'line']) {
      await page.getByTestId(`hint-${detail}`).click();
      await page.locator(`[data-testid=hint-${detail}][aria-pressed=true]`).waitFor();
    }
    while ((await page.locator('.board [data-choice]').count()) > 0) {
      const before = page.url();
      await page.locator('.board [data-choice]').first().click();
      await page.waitForURL((url) => String(url) !== before);
      await until(page, () => document.querySelector('.board [data-choice]') || document.querySelector('.status').textContent.includes('outcome'));
    }
    await page.getByTestId('tab-share').click();
    await page.getByTestId('save-png').click();
    assert.equal(await page.evaluate(() => window.attacked), undefined);
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
    await check();
  }],
]);
