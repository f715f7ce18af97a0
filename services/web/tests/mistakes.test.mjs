// Learn from your mistakes: the loop from the end of a game to the result, and the better
// move of a review.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

/** Both sides have four in a row and miss the fifth: White twice, Black once. */
const GAME = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=f6-4r.f5-3l.f1-4r.e3&seats=person,3';
const QUIET = { settings: { analysis: false } };

const verdict = (page, state) => page.locator(`[data-testid=attempt-verdict][data-state=${state}]`);
const count = (page, text) => page.getByTestId('mistake-count').filter({ hasText: text }).waitFor();

/** Plays a move on the board, step by step. */
async function play(page, ...steps) {
  for (const step of steps) await page.locator(`.board [data-choice="${step}"]`).click();
}

export const tests = {
  'mistakes are tried again, one after the other': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${GAME}`, QUIET);
    await page.getByTestId('learn-mistakes').click();
    // The person's mistakes only.
    await count(page, '1 of 2');
    assert.match(await page.getByTestId('mistakes').textContent(), /White played f6-4r \(f6, then block 4 turned right\) here.*(blunder|missed win).*Find a better move/s);
    assert.equal(await page.locator('section.help').count(), 0, 'no hint gives the answer away');
    await page.locator('.mark-ring.bad').waitFor();
    // A move that fails is refuted on the board, and leaves no variation behind.
    await play(page, 'f5', '-4r');
    await verdict(page, 'wrong').waitFor();
    await page.getByTestId('mistakes').locator('.move', { hasText: 'e3' }).waitFor();
    await page.locator('.mark-ring.bad').waitFor();
    assert.match(await page.getByTestId('announcement').textContent(), /f5-4r \(f5, then block 4 turned right\) does not do it/);
    await page.getByTestId('mistake-again').click();
    await until(page, () => !location.hash.includes('f5-4r'));
    // The move of the game is no better the second time.
    await play(page, 'f6', '-4r');
    await verdict(page, 'same').waitFor();
    await page.getByTestId('undo').click();
    await verdict(page, 'same').waitFor({ state: 'detached' });
    await play(page, 'e1');
    await verdict(page, 'right').waitFor();
    await page.getByTestId('why-better').getByText('makes five in a row').waitFor();
    await page.getByTestId('why-worse').getByText('loses at once to e3').waitFor();
    await until(page, () => location.hash.includes('f6-4r(e1)'));
    // The refutation is played on the board.
    await page.getByTestId('why-worse').locator('.move', { hasText: 'e3' }).click();
    await page.locator('.status', { hasText: 'Black has five in a row' }).waitFor();
    await page.getByTestId('mistake-next').click();
    await count(page, '2 of 2');
    await page.getByTestId('mistake-show').click();
    await page.getByTestId('why-better').waitFor();
    await page.getByTestId('mistake-next').click();
    assert.match(await page.getByTestId('mistakes-result').textContent(), /1 out of 2/);
    await page.getByTestId('mistake-leave').click();
    await page.getByTestId('mistakes').waitFor({ state: 'detached' });
    await check();
  },
  'the mistakes go on after a reload, and for another seat': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${GAME}`, { ...QUIET, viewport: { width: 390, height: 844 } });
    await page.getByTestId('learn-mistakes').click();
    await count(page, '1 of 2');
    await play(page, 'e1');
    await page.getByTestId('mistake-next').waitFor();
    await page.reload();
    await count(page, '1 of 2');
    await page.getByTestId('why-worse').getByText('loses at once to e3').waitFor();
    await page.getByTestId('mistake-next').click();
    await count(page, '2 of 2');
    await play(page, 'e5', '-4r');
    await verdict(page, 'wrong').waitFor();
    await page.reload();
    // A failed try is forgotten, and the question open again.
    await count(page, '2 of 2');
    await page.locator('.board [data-choice="e1"]').waitFor();
    await until(page, () => !location.hash.includes('e5-4r'));
    assert.equal(await verdict(page, 'wrong').count(), 0);
    await page.getByTestId('whose').selectOption({ label: 'Black' });
    await count(page, '1 of 1');
    assert.match(await page.getByTestId('mistakes').textContent(), /Black played f5-3l/);
    assert.deepEqual(await findings(page), []);
    // Another game ends it.
    await page.goto(`${server.url}/#pentaflip/standard`);
    await page.getByTestId('mistakes').waitFor({ state: 'detached' });
    await check();
  },
  'the better move of a review is an arrow and a line': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${GAME}`, QUIET);
    await page.getByTestId('end-review').click();
    await page.getByTestId('accuracy').waitFor();
    await page.getByTestId('turning').first().click();
    await page.locator('.mark-ring.better').waitFor();
    await page.getByTestId('better-line').locator('.move').first().click();
    await until(page, () => /\([^)]*e1/.test(location.hash));
    await page.locator('.status', { hasText: 'White has five in a row' }).waitFor();
    await check();
  },
};
