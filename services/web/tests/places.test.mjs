// Places on the board: which can be chosen, by mouse, by finger and by dragging, and which
// the last move changed.

import assert from 'node:assert/strict';

import { open, target, until } from './support/browser.mjs';
import { byMouse } from './support/player.mjs';
import { plugins, startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', plugins('services/web/tests/piles.c')) };
}
export const after = ({ server }) => server.stop();

const settings = { analysis: false };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, settings };

async function start(browser, url, options = { settings }) {
  const opened = await open(browser, url, options);
  await opened.page.waitForSelector('.board [data-choice]');
  return opened;
}

const middle = async (page, key) => {
  const { x, y, width, height } = await target(page, key).locator('.hit').boundingBox();
  return [x + width / 2, y + height / 2];
};

/** Clicks a place that may not be choosable. */
const press = async (page, key) => page.mouse.click(...(await middle(page, key)));

/** Returns a function that sends touches, which Playwright has only as taps. */
async function finger(page) {
  const session = await page.context().newCDPSession(page);
  return (type, x, y) => session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
}

const isPlayed = (page, text) => until(page, (wanted) => location.hash.includes(wanted), text);

export const tests = {
  'possible places and movable pieces are marked': async ({ browser, server }) => {
    const marked = (page, kind) => page.locator(`.board .${kind}:visible`).count();
    const flip = await start(browser, `${server.url}/#pentaflip/standard`);
    assert.equal(await marked(flip.page, 'legal'), 4);
    await flip.check();
    const star = await start(browser, `${server.url}/#pentagame/2p`);
    assert.deepEqual([await marked(star.page, 'movable'), await marked(star.page, 'legal')], [5, 0]);
    await byMouse(star.page, 'a');
    await target(star.page, 'point A3c').and(star.page.locator('.choosable')).waitFor();
    assert.ok((await marked(star.page, 'legal')) > 10, 'the stops that the figure can reach');
    await star.check();
  },
  'each step says what it is for': async ({ browser, server }) => {
    const steps = [
      ['#pentago/standard', [['', 'Place a marble'], ['c3', 'Now turn a block']]],
      ['#pentago/finnish', [['', 'Place a marble'], ['c3', 'Turn a block, or leave the blocks as they are']]],
      ['#pentaflip/standard', [['', 'Place a ring or flip']]],
      ['#pentagame/2p', [['', 'Choose a figure'], ['a', 'Choose the stop where it goes'], ['-c', 'Put the black block on a free stop']]],
      ['#pentagame/2p', [['a', 'Choose the stop where it goes'], ['-B', 'Choose the figure to swap with']]],
      ['#pentagame/2p?p=C5a,B,C,D,E/A,B,C,D,E_b,c,d,e,A2B_-_1_-', [['a', 'Choose the stop where it goes'], ['-a', 'Put a grey block on a free stop']]],
      // Without a grey block off the board, one on it is moved.
      ['#pentagame/4p?p=C5a,B,C,D,*/*,B,C,D,*/*,B,C,D,*/A,B,C,D,*_b,c,d,e,A2B_A1B,A3B,B1C,B2C,B3C_1_-', [['a', 'Choose the stop where it goes'], ['-a', 'Choose the grey block to move'], ['+A1B', 'Put this grey block on a free stop']]],
    ];
    for (const [link, chosen] of steps) {
      const { page, check } = await start(browser, `${server.url}/${link}`);
      for (const [choice, text] of chosen) {
        if (choice !== '') await page.locator(`.board [data-choice="${choice}"]`).waitFor().then(() => byMouse(page, choice));
        await page.getByTestId('status').getByText(text).waitFor();
        if (choice !== '') await page.getByTestId('announcement').filter({ hasText: `${text}.` }).waitFor({ state: 'attached' });
      }
      if (link.includes('finnish')) {
        await page.getByTestId('language').selectOption('de');
        await byMouse(page, 'c3');
        await page.getByTestId('extra-').getByText('Die Blöcke lassen, wie sie sind').click();
        await isPlayed(page, 'm=c3');
      }
      await check();
    }
  },
  'a point chooses its block where no point is a choice': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#piles/standard`);
    // The blocks have no handles: their points are the places to press.
    assert.equal(await page.locator('.board .handle-target').count(), 0);
    assert.equal(await page.locator('.board .choosable').count(), 9);
    await press(page, 'point x7');
    await isPlayed(page, 'm=2');
    await page.waitForSelector('.board [data-choice]');
    // By keyboard, on a place with a piece; an update of the board leaves the focus there.
    await target(page, 'point x3').focus();
    await page.evaluate(() => {
      const language = document.querySelector('[data-testid=language]');
      language.value = 'sv';
      language.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await until(page, () => document.documentElement.lang === 'sv');
    await page.locator('.board [data-key="point x3"][data-choice]').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'point x3');
    await page.keyboard.press('Enter');
    await isPlayed(page, '1');
    await check();
  },
  'a press elsewhere explains itself and keeps the step': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentago/standard?m=c3-2r`);
    const problem = page.getByTestId('problem');
    await press(page, 'point c3');
    await problem.getByText('c3 is taken.').waitFor();
    await target(page, 'point d4').click();
    await page.locator('.status code', { hasText: 'd4' }).waitFor();
    await press(page, 'point c3');
    await problem.getByText('c3 cannot be chosen in this step').waitFor();
    assert.equal(await page.locator('.status code').textContent(), 'd4');
    // Another hole is chosen by one click.
    await press(page, 'point e5');
    await page.locator('.status code', { hasText: 'e5' }).waitFor();
    await target(page, 'turn 1 l').click();
    await isPlayed(page, 'e5-1l');
    await page.waitForSelector('.board [data-choice]');
    await check();
  },
  'the last move marks its block, its marble and its seat': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentago/standard?m=c3-2r`);
    assert.deepEqual([await page.locator('.mark-last-block').count(), await page.locator('.mark-last-turn').count()], [1, 1]);
    assert.match(await page.getByTestId('status').textContent(), /White played c3-2r/);
    await check();
    const flip = await start(browser, `${server.url}/#pentaflip/standard?m=c2.d2.~L`);
    assert.equal(await flip.page.locator('.mark-last-block').count(), 4, 'two panels, seen from both sides');
    await flip.check();
  },
  'the winning five is marked': async ({ browser, server }) => {
    for (const [link, cells] of [['#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=e1', 5], ['#pentaflip/standard?p=wwww2/6/2WB2/2BW2/6/bbb3_6/6/6/6/6/6_w_-&m=e1', 5]]) {
      const { page, check } = await open(browser, `${server.url}/${link}`, { settings });
      await page.locator('.mark-winning').first().waitFor();
      assert.equal(await page.locator('.mark-winning').count(), cells, link);
      await check();
    }
  },
  'the marble of a move being entered never vanishes': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentago/standard`, { settings, reducedMotion: 'no-preference' });
    await target(page, 'point a6').click();
    await target(page, 'turn 2 r').waitFor();
    await page.evaluate(() => {
      const layer = document.querySelector('.pieces[data-point=a6]');
      window.vanished = 0;
      new MutationObserver(() => {
        if (layer.querySelectorAll('.piece').length === 0 || layer.classList.contains('arriving')) window.vanished += 1;
      }).observe(layer, { childList: true, attributes: true });
    });
    await target(page, 'turn 2 r').click();
    await isPlayed(page, 'a6-2r');
    await page.waitForSelector('.board:not(.moving) [data-choice]');
    assert.equal(await page.evaluate(() => window.vanished), 0);
    await check();
  },
  'a finger hits small stops, with a lens': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentagame/2p`, PHONE);
    const touch = await finger(page);
    // Beside a figure and beside a lone stop: 12 pixels from the middle are near enough.
    const [ax, ay] = await middle(page, 'point A');
    await page.touchscreen.tap(ax, ay - 11);
    await page.locator('.status code', { hasText: 'a' }).waitFor();
    const [x, y] = await middle(page, 'point A3c');
    await touch('touchStart', x + 30, y + 40);
    await page.locator('.lens').waitFor();
    await touch('touchMove', x + 3, y + 2);
    await touch('touchEnd');
    await isPlayed(page, 'm=a-A3c');
    assert.equal(await page.locator('.lens').count(), 0);
    await page.waitForSelector('.board [data-choice]');
    await check();
  },
  'figures are dragged by mouse and by finger': async ({ browser, server }) => {
    const mouse = await start(browser, `${server.url}/#pentagame/2p`);
    const [[x, y], [toX, toY]] = [await middle(mouse.page, 'point A'), await middle(mouse.page, 'point A3c')];
    await mouse.page.mouse.move(x, y);
    await mouse.page.mouse.down();
    await mouse.page.mouse.move(toX + 4, toY + 4, { steps: 5 });
    await mouse.page.mouse.up();
    await isPlayed(mouse.page, 'm=a-A3c');
    await mouse.page.waitForSelector('.board [data-choice]');
    // Dropped nowhere, the figure stays chosen in its place.
    const [bx, by] = await middle(mouse.page, 'point B');
    await mouse.page.mouse.move(bx, by);
    await mouse.page.mouse.down();
    await mouse.page.mouse.move(bx - 150, by + 100, { steps: 5 });
    await mouse.page.mouse.up();
    await mouse.page.locator('.status code', { hasText: 'b' }).waitFor();
    await until(mouse.page, () => ![...document.querySelectorAll('.board .piece')].some((piece) => piece.style.transform));
    await mouse.check();
    const phone = await start(browser, `${server.url}/#pentagame/2p`, PHONE);
    const touch = await finger(phone.page);
    const [[px, py], [goalX, goalY]] = [await middle(phone.page, 'point A'), await middle(phone.page, 'point A3c')];
    await touch('touchStart', px, py);
    await touch('touchMove', px + 10, py + 20);
    await touch('touchMove', goalX + 2, goalY + 2);
    await touch('touchEnd');
    await isPlayed(phone.page, 'm=a-A3c');
    await phone.page.waitForSelector('.board [data-choice]');
    await phone.check();
  },
  'signs tell four seats apart without colour': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentago-xl/ffa4?m=e5-1l.d4-2r.f6-3l.b2-1r`);
    const shapes = () => page.locator('.board .sign').evaluateAll((signs) => new Set(signs.map((sign) => sign.getAttribute('d').replace(/[\d.-]+/g, ''))).size);
    assert.equal(await shapes(), 4);
    await page.getByTestId('signs').uncheck();
    await until(page, () => document.querySelectorAll('.board .sign').length === 0);
    await check();
    const two = await start(browser, `${server.url}/#pentago/standard?m=c3-2r`);
    assert.equal(await two.page.locator('.board .sign').count(), 0);
    await two.page.getByTestId('signs').check();
    await two.page.locator('.board .sign').waitFor();
    await two.check();
  },
  'flips have names for the ear': async ({ browser, server }) => {
    const { page, check } = await start(browser, `${server.url}/#pentaflip/standard?m=c2.d2`);
    const name = (choice) => page.locator(`.board [data-choice="${choice}"]`).getAttribute('aria-label');
    assert.deepEqual([await name('~B'), await name('~3')], ['Flip the bottom half', 'Flip panel 3']);
    await check();
  },
  'arrows stand out on every board': async ({ browser, server }) => {
    for (const link of ['#pentago/standard', '#pentago-xl/ffa4?m=e5-1l', '#pentagame/2p']) {
      const { page, check } = await start(browser, `${server.url}/${link}`, { settings: { analysis: true, seconds: 1 } });
      await page.locator('.mark-arrow, .mark-turn').first().waitFor();
      const contrast = await page.evaluate(() => [...document.querySelectorAll('.mark-arrow line.casing, .mark-turn.casing')].map((it) => getComputedStyle(it).stroke));
      assert.ok(contrast.length > 0 && contrast.every((it) => it === 'rgb(255, 255, 255)'), link);
      await check();
    }
  },
};
