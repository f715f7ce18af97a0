// The editor of positions, comments and drawings, turned boards, looks, the evaluation bar,
// sounds and shortcuts.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { open, position, target, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { plugins, startServer } from './support/server.mjs';

export async function before() {
  const dir = plugins('tests/plugins/tictactoe.c');
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', dir) };
}
export const after = ({ server }) => server.stop();

const QUIET = { settings: { analysis: false } };
/** Impossible positions are answered with 400. */
const REFUSED = { ...QUIET, allowFailures: true };
const place = (page, id) => page.locator(`.board.edited [data-key="point ${id}"]`);
const isLegal = (page, is) => page.locator(`[data-testid=verdict][data-legal="${is}"]`).waitFor();

async function openEditor(page) {
  await page.waitForSelector('.board [data-choice]');
  await page.getByTestId('edit').click();
  await page.locator('[data-testid=editor] [data-testid=tray-remove]').waitFor();
}

async function drag(page, from, to) {
  const middle = async (locator) => {
    const box = await locator.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle(from));
  await page.mouse.down();
  const [x, y] = Array.isArray(to) ? to : await middle(to);
  await page.mouse.move(x - 9, y - 9, { steps: 4 });
  await page.mouse.move(x, y);
  await page.mouse.up();
}

/** Positions of each game, its pieces taken from the board one by one and put back. */
const GAMES = {
  'pentago/standard': ['w', 'c3', 'b', '6/6/2w3/6/6/6 b'],
  'pentago-xl/ffa4': ['r', 'e5', 'y', '9/9/9/9/4r4/9/9/9/9 y -'],
  'pentaflip/standard': ['w', 'c2', 'b', '6/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 b -'],
  'tictactoe/standard': ['x', 'b2', 'o', '3/1x1/3 o'],
};

export const tests = {
  'positions are set up by mouse, and judged at once': async ({ browser, server }) => {
    for (const [game, [piece, point, next, expected]] of Object.entries(GAMES)) {
      const { page, check } = await open(browser, `${server.url}/#${game}`, REFUSED);
      await openEditor(page);
      await page.getByTestId(`tray-${piece}`).check();
      await place(page, point).click();
      // The wrong seat to move is refused in words, the right one accepted.
      await page.getByTestId(`to-move-${next}`).check();
      await isLegal(page, true).catch(async (error) => { throw new Error(`${game}: ${await page.getByTestId('setup-text').inputValue()} ${await page.getByTestId('verdict').textContent()} ${error}`); });
      await page.getByTestId('use-position').click();
      await page.waitForSelector('[data-testid=editor]', { state: 'detached' });
      await until(page, () => location.hash.includes('p='));
      await page.waitForSelector('.board [data-choice]');
      assert.equal(await position(page), expected, game);
      await check();
    }
  },
  'pieces are dragged from the tray, on the board and off it; impossible positions say so': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentagame/2p`, REFUSED);
    await openEditor(page);
    const text = () => page.getByTestId('setup-text').inputValue();
    await drag(page, place(page, 'a'), place(page, 'A3c'));
    await isLegal(page, true);
    assert.equal(await text(), 'A,B,C,D,E/A,B,C,D,E b,c,d,e,A3c - 1 -');
    await drag(page, page.locator('[data-tray="1a"]'), place(page, 'a'));
    await isLegal(page, true);
    assert.equal(await text(), 'a,B,C,D,E/A,B,C,D,E b,c,d,e,A3c - 1 -', 'a figure stands in one place only');
    await drag(page, place(page, 'b'), [5, 300]);
    await isLegal(page, false);
    assert.match(await page.getByTestId('verdict').textContent(), /not possible/);
    assert.ok(await page.getByTestId('use-position').isDisabled());
    await page.getByTestId('start-position').click();
    await isLegal(page, true);
    assert.equal(await text(), 'A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -');
    assert.deepEqual(await findings(page), []);
    await check();
  },
  'the editor by keyboard, and from a text': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard`, { ...REFUSED, colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await openEditor(page);
    await page.getByTestId('tray-w').focus();
    await page.keyboard.press('Space');
    await place(page, 'a1').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('[data-testid=setup-text]').value.startsWith('1w4/'));
    await isLegal(page, false);
    await page.keyboard.press('Delete');
    await isLegal(page, true);
    await page.getByTestId('setup-text').fill('wwww2/6/bbbb2/6/6/6 w');
    await isLegal(page, true);
    await place(page, 'a3').and(page.locator('[aria-label*="Black"]')).waitFor();
    assert.deepEqual(await findings(page), []);
    const { overflow } = await page.evaluate(() => ({ overflow: document.documentElement.scrollWidth - innerWidth }));
    assert.ok(overflow <= 0);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-testid=editor]', { state: 'detached' });
    await check();
  },
  'a position that pieces alone cannot give is written as text': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard`, QUIET);
    await page.waitForSelector('.board [data-choice]');
    // A notation that has nothing to do with the board.
    await page.route('**/position', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...await answer.json(), position: 'x1' } });
    });
    await page.getByTestId('edit').click();
    await page.getByTestId('text-only').waitFor();
    assert.equal(await page.getByTestId('tray-remove').count(), 0);
    assert.ok(await page.getByTestId('setup-text').isEditable());
    await check();
  },
  'comments, circles and arrows stay with their moves, in links and game texts': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.d4-1l`, QUIET);
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('comment').fill('Why not {b2}? Höyry & co; ~50 %');
    const box = async (id) => target(page, `point ${id}`).locator('.hit').boundingBox();
    const [a, b] = [await box('a6'), await box('f6')];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 3 });
    await page.mouse.up({ button: 'right' });
    await page.locator('.mark-arrow.drawn.green').waitFor();
    // With the switch, an ordinary press draws and plays nothing.
    await page.getByTestId('draw').click();
    await page.getByTestId('pen-red').check();
    await target(page, 'point b2').locator('.hit').click();
    await page.locator('.mark-ring.drawn.red').waitFor();
    await page.getByTestId('draw').click();
    assert.equal(await page.locator('.status code').count(), 0, 'no move was begun');
    await target(page, 'point e5').focus();
    await page.keyboard.press('c');
    await until(page, () => document.querySelectorAll('.mark-ring.drawn').length === 2);
    await page.getByTestId('undo').click();
    await until(page, () => document.querySelectorAll('.drawn').length === 0);
    await page.getByTestId('redo').click();
    await page.reload();
    await page.locator('.mark-arrow.drawn.green').waitFor();
    assert.equal(await page.locator('.mark-ring.drawn').count(), 2);
    assert.equal(await page.getByTestId('comment').inputValue(), 'Why not {b2}? Höyry & co; ~50 %');
    await page.getByTestId('tab-share').click();
    const text = await page.getByTestId('game-text').inputValue();
    assert.match(text, /d4-1l \{\[%marks g:a6>f6,r:b2,r:e5\] Why not \(b2\)\?/);
    await page.goto(`${server.url}/?2#pentago/standard`);
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('tab-share').click();
    await page.getByTestId('paste').fill(text);
    await page.getByTestId('load').click();
    await page.locator('.mark-arrow.drawn.green').waitFor();
    await page.getByTestId('tab-moves').click();
    await page.locator('.movelist .comment', { hasText: 'Why not (b2)?' }).waitFor();
    // The same again removes a drawing.
    await page.getByTestId('pen-red').check();
    await target(page, 'point e5').focus();
    await page.keyboard.press('c');
    await until(page, () => document.querySelectorAll('.mark-ring.drawn').length === 1);
    await page.getByTestId('erase').click();
    await until(page, () => document.querySelectorAll('.drawn').length === 0);
    await check();
  },
  'the board can be turned: play, flips and drawings turn with it, also after a reload': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?m=c2.d2`, QUIET);
    await page.waitForSelector('.board [data-choice]');
    const at = (key) => target(page, key).locator('.hit').first().boundingBox().then(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
    const before = { a1: await at('point a1'), f1: await at('point f1'), left: await at('side L'), under: await at("point a1'") };
    assert.ok(before.a1.x < before.f1.x && before.left.x < (before.a1.x + before.f1.x) / 2);
    await page.getByTestId('turn-board').click();
    await until(page, (x) => document.querySelector('.board [data-key="point a1"] .hit').getBoundingClientRect().x > x + 20, before.a1.x);
    const turned = { a1: await at('point a1'), f1: await at('point f1'), left: await at('side L'), under: await at("point a1'") };
    assert.ok(Math.abs(turned.a1.x - turned.f1.x) < 2 && turned.a1.y < turned.f1.y, 'a quarter, clockwise');
    assert.ok(turned.left.y < (turned.a1.y + turned.f1.y) / 2, 'the left half is above');
    assert.ok(turned.under.x > turned.a1.x, 'the side underneath stays on the right');
    await page.reload();
    await page.waitForSelector('.board [data-choice]');
    assert.ok(Math.abs((await at('point a1')).x - (await at('point f1')).x) < 2);
    await enter(page, '~L', byMouse);
    await until(page, () => location.hash.includes('~L'));
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('f');
    await until(page, () => JSON.parse(localStorage.getItem('pentad')).turns.pentaflip === 0);
    await check();
  },
  'looks of the board and the evaluation bar': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago-xl/ffa4?m=e5-1l`, { settings: { analysis: true, seconds: 1 }, viewport: { width: 344, height: 740 } });
    await page.getByTestId('evalbar').waitFor();
    const bar = await page.getByTestId('evalbar').boundingBox();
    const board = await page.locator('.board').boundingBox();
    assert.ok(bar.x + bar.width <= board.x + 1 && bar.y < board.y + board.height && bar.x >= 0, 'beside the board, also on a small screen');
    await until(page, () => /estimate|proven/.test(document.querySelector('[data-testid=evalbar]').getAttribute('aria-label')));
    assert.equal(await page.locator('.evalbar .share').count(), 4);
    const shares = await page.locator('.evalbar .share').evaluateAll((all) => all.map((it) => {
      const [top, , bottom = top] = it.style.clipPath.match(/[\d.]+/g).map(Number);
      return (100 - top - bottom) / 100;
    }));
    assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 1) < 0.02, shares.join());
    await page.waitForSelector('.board [data-choice]');
    const fill = () => page.locator('.board .block rect').first().evaluate((it) => [...document.querySelector('.board defs').children].find((def) => it.getAttribute('fill').includes(def.id)).outerHTML);
    const own = await fill();
    await page.getByTestId('look').click();
    await page.getByTestId('look-slate').check();
    assert.deepEqual(await findings(page), []);
    await page.getByTestId('evaluation-bar').uncheck();
    await page.getByTestId('close').click();
    await until(page, () => document.querySelector('.board').dataset.look === 'slate');
    assert.notEqual(await fill(), own);
    await page.reload();
    await page.waitForSelector('.board[data-look=slate] [data-choice]');
    assert.equal(await page.getByTestId('evalbar').count(), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await check();
  },
  'sounds are off until they are switched on': async ({ browser, server }) => {
    const { page, check } = await open(browser, null, { ...QUIET, reducedMotion: 'no-preference' });
    await page.addInitScript(() => {
      window.sounds = 0;
      for (const name of ['createOscillator', 'createBufferSource']) {
        const make = AudioContext.prototype[name];
        AudioContext.prototype[name] = function count() {
          window.sounds += 1;
          return make.call(this);
        };
      }
    });
    await page.goto(`${server.url}/#pentago/standard`);
    await page.waitForSelector('.board [data-choice]');
    await enter(page, 'c3-2r', byMouse);
    assert.equal(await page.evaluate(() => window.sounds), 0);
    await page.getByTestId('look').click();
    await page.getByTestId('sounds').check();
    await page.getByTestId('close').click();
    await page.waitForSelector('.board [data-choice]');
    await enter(page, 'd4-1l', byMouse);
    await until(page, () => window.sounds > 0);
    await check();
  },
  'keys: the help on ?, letters, and no letters for those who need them': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard`, QUIET);
    await page.waitForSelector('.board [data-choice]');
    const values = () => page.evaluate(() => JSON.parse(localStorage.getItem('pentad')).values);
    await page.keyboard.press('v');
    await until(page, () => JSON.parse(localStorage.getItem('pentad')).values === true);
    await page.keyboard.press('?');
    await page.getByTestId('keys-dialog').waitFor();
    assert.deepEqual(await findings(page), []);
    await page.getByTestId('letter-keys').uncheck();
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-testid=keys-dialog]', { state: 'detached' });
    await page.keyboard.press('v');
    await page.keyboard.press('?');
    assert.equal(await values(), true, 'v does nothing now');
    assert.equal(await page.getByTestId('keys-dialog').count(), 0);
    // Letters typed into a field are no shortcuts either.
    await page.getByTestId('keys').click();
    await page.getByTestId('letter-keys').check();
    await page.getByTestId('close').click();
    await page.getByTestId('move-box').pressSequentially('v');
    assert.equal(await values(), true);
    await check();
  },
};
