// Whole games of each kind, by mouse, by finger and by keyboard.

import assert from 'node:assert/strict';

import { open, until } from './support/browser.mjs';
import { byFinger, byKeyboard, byMouse, enter, movesOf, playOut } from './support/player.mjs';
import { plugins, startServer } from './support/server.mjs';

// White completes five in the first row; the turns do not affect it.
const PENTAGO = ['a1-4r', 'a6-4l', 'b1-4r', 'c6-4l', 'c1-4r', 'b5-4l', 'd1-4r', 'a4-4l', 'e1'];
const PENTAGO_XL = ['a1-9r', 'a9-9l', 'b1-9r', 'c9-9l', 'c1-9r', 'b8-9l', 'd1-9r', 'a7-9l', 'e1'];
const PENTAFLIP = ['~4', 'c5', 'c2', 'c6', 'b2', 'b6', 'a2', 'a6', 'd2', '~R', '~L', '~R'];
const TICTACTOE = ['b2', 'a1', 'c1', 'a3', 'a2', 'c2', 'b1', 'b3', 'c3'];

export async function before() {
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', plugins('tests/plugins/tictactoe.c')) };
}
export const after = ({ server }) => server.stop();

const QUIET = { analysis: false };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const screenOf = (chooser) => (chooser === byFinger ? PHONE : {});

async function play({ browser, server }, link, moves, chooser) {
  const { page, check } = await open(browser, `${server.url}/${link}`, { settings: QUIET, ...screenOf(chooser) });
  await page.waitForSelector('.board [data-choice]');
  for (const move of moves) await enter(page, move, chooser);
  assert.deepEqual(movesOf(page), moves);
  const status = await page.getByTestId('status').textContent();
  await check();
  return status;
}

async function finish({ browser, server }, link, game, variant, chooser) {
  const { page, check } = await open(browser, `${server.url}/${link}`, { settings: QUIET, ...screenOf(chooser) });
  await page.waitForSelector('.board [data-choice]');
  const moves = await playOut(page, server.url, game, variant, chooser);
  const status = await page.getByTestId('status').textContent();
  await check();
  return { moves, status };
}

export const tests = {
  'a whole game against a level': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#tictactoe/standard?seats=person,1`, { settings: QUIET });
    for (;;) {
      // While the page is loading it has neither choices nor a result.
      const state = await until(page, () => {
        if (/wins|draw/i.test(document.querySelector('.status')?.textContent ?? '')) return 'over';
        return document.querySelector('.board [data-choice]') && 'choose';
      }).then((handle) => handle.jsonValue());
      if (state === 'over') break;
      const played = movesOf(page).length;
      await page.locator('.board [data-choice]').first().click();
      await until(page, (n) => (/[?&]m=([^&]*)/.exec(location.hash)?.[1].split('.').length ?? 0) > n, played);
    }
    assert.ok(movesOf(page).length >= 5);
    assert.match(await page.getByTestId('status').textContent(), /wins|draw/i);
    await check();
  },
  'Pentago by mouse': async (it) => assert.match(await play(it, '#pentago/standard', PENTAGO, byMouse), /white/i),
  'Pentago by finger': async (it) => assert.match(await play(it, '#pentago/standard', PENTAGO, byFinger), /white/i),
  'Pentago by keyboard': async (it) => assert.match(await play(it, '#pentago/standard', PENTAGO, byKeyboard), /white/i),
  'Pentago XL by mouse': async (it) => assert.match(await play(it, '#pentago-xl/ffa2', PENTAGO_XL, byMouse), /red/i),
  'Pentago XL by finger': async (it) => assert.match(await play(it, '#pentago-xl/ffa2', PENTAGO_XL, byFinger), /red/i),
  'Pentago XL by keyboard': async (it) => assert.match(await play(it, '#pentago-xl/ffa2', PENTAGO_XL, byKeyboard), /red/i),
  'Pentaflip by mouse, with flips': async (it) => {
    await play(it, '#pentaflip/standard', PENTAFLIP, byMouse);
    assert.match((await finish(it, '#pentaflip/standard', 'pentaflip', 'standard', byMouse)).status, /white|black|draw/i);
  },
  'Pentaflip by finger, with flips': async (it) => play(it, '#pentaflip/standard', PENTAFLIP, byFinger),
  'Pentaflip by keyboard': async (it) => play(it, '#pentaflip/standard', PENTAFLIP, byKeyboard),
  'Pentagame by mouse': async (it) => {
    const { moves, status } = await finish(it, '#pentagame/2p', 'pentagame', '2p', byMouse);
    assert.ok(moves.some((move) => move.includes('@')) && moves.some((move) => move.includes('+')), moves.join(' '));
    assert.match(status, /player/i);
  },
  'Pentagame by finger': async (it) => assert.match((await finish(it, '#pentagame/2p', 'pentagame', '2p', byFinger)).status, /player/i),
  'Pentagame by keyboard': async (it) => assert.match((await finish(it, '#pentagame/2p', 'pentagame', '2p', byKeyboard)).status, /player/i),
  'tic-tac-toe in C by mouse, without a layout': async (it) => assert.match(await play(it, '#tictactoe/standard', TICTACTOE, byMouse), /draw/i),
  'tic-tac-toe in C by finger': async (it) => assert.match(await play(it, '#tictactoe/standard', TICTACTOE, byFinger), /draw/i),
  'tic-tac-toe in C by keyboard': async (it) => assert.match(await play(it, '#tictactoe/standard', TICTACTOE, byKeyboard), /draw/i),
};
