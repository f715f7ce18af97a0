// Explanations: why not this move, review, mistakes to try again, puzzles.

import assert from 'node:assert/strict';

import { open, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

/** White has four in a row and plays elsewhere; black then does the same and wins. */
const BLUNDER = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=f6-4r.e3';

/** White wins in three plies with c5 only. */
const PUZZLE = '#pentaflip/standard?p=6/3b2/2WBbb/2WB2/6/6_6/6/ww3b/1w4/2w3/2w3_w_B&m=c5.c2.~1';

/** Yellow wins at once with i4-3l. */
const FOUR_SIDES = '#pentago-xl/ffa4?p=9/6yb1/g5yyr/5rby1/2rgrbr1y/gggrbb2y/2g4b1/2r6/9_y_-&m=i4-3l';

export const tests = {
  'why not the move just tried': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w`, { settings: { analysis: false } });
    await page.waitForSelector('.board [data-choice]');
    await enter(page, 'f6-4r', byMouse);
    // The better move is named unasked only by a running analysis.
    await page.getByTestId('how-good').getByText('How good was f6-4r?').waitFor();
    assert.equal(await page.getByTestId('why-not').count(), 0);
    await page.getByTestId('how-good').click();
    await page.getByTestId('why-not').waitFor();
    assert.match(await page.getByTestId('why-not').textContent(), /Why not f6-4r\?.*worse than.*answered by.*e3/s);
    await check();
  },
  'threats are shown, and what stops them': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?p=www3/6/bbbb2/6/6/w5_w`, { settings: { analysis: false } });
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('threats').check();
    await page.locator('.mark-ring.threat').first().waitFor();
    await page.getByTestId('threat-list').getByText('Stopped by').waitFor();
    assert.match(await page.getByTestId('threat-list').textContent(), /Black threatens.*e3.*Stopped by/s);
    await check();
  },
  'a game is reviewed, and its mistake corrected': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${BLUNDER}`, { settings: { analysis: false } });
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('accuracy').waitFor();
    await until(page, () => document.querySelectorAll('.graph polyline[points]').length > 0);
    await page.getByTestId('next-mistake').click();
    await page.getByTestId('reviewed').waitFor();
    assert.match(await page.getByTestId('reviewed').textContent(), /f6-4r.*(blunder|missed win).*Better: e1/s);
    await page.getByTestId('tab-moves').click();
    await page.locator('.movelist .label.blunder, .movelist .label.missed_win').first().waitFor();
    await page.getByTestId('tab-review').click();
    await page.getByTestId('retry').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await page.locator('.board [data-choice="e1"]').click();
    await page.locator('[data-testid=attempt][data-state=solved]').waitFor();
    await page.getByTestId('leave-puzzle').click();
    await page.getByTestId('tab-review').click();
    await page.getByTestId('accuracy').waitFor();
    await check();
  },
  'a position that is still loading offers no choices of the previous one': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${BLUNDER}`, { settings: { analysis: false } });
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('next-mistake').click();
    await page.locator('.board [data-choice="e1"]').waitFor();
    let answer;
    const answered = new Promise((resolve) => (answer = resolve));
    await page.route('**/position', async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByTestId('retry').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    assert.equal(await page.locator('.board [data-choice]').count(), 0);
    answer();
    await page.locator('.board [data-choice="e1"]').click();
    await page.locator('[data-testid=attempt][data-state=solved]').waitFor();
    await check();
  },
  'a wrong try is refuted': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${BLUNDER}`, { settings: { analysis: false } });
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('next-mistake').click();
    await page.getByTestId('retry').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await page.waitForSelector('.board [data-choice]');
    await page.locator('.board [data-choice="f5"]').click();
    await page.locator('.board [data-choice="-4r"]').click();
    await page.locator('[data-testid=attempt][data-state=wrong] .move', { hasText: 'e3' }).first().waitFor();
    await page.getByTestId('again').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await page.getByTestId('solution').click();
    await page.locator('[data-testid=attempt][data-state=solved]').waitFor();
    await page.getByTestId('leave-puzzle').click();
    await until(page, () => location.hash.includes('m=f6-4r.e3'));
    await check();
  },
  'puzzles are found and solved, line by line': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${PUZZLE}`, { settings: { analysis: false } });
    await page.getByTestId('tab-puzzles').click();
    await page.getByRole('button', { name: 'From this game' }).click();
    await page.getByTestId('puzzle').filter({ hasText: 'double threat · Win in 2.' }).waitFor();
    await page.getByTestId('language').selectOption('sv');
    await page.getByTestId('puzzle').filter({ hasText: 'dubbelhot · Vinst i 2.' }).waitFor();
    await page.getByTestId('language').selectOption('en');
    await page.getByTestId('puzzle').first().click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await page.locator('.board [data-choice="c5"]').waitFor();
    assert.equal(await page.locator('.mark-ring.hint').count(), 0, 'nothing gives the answer away');
    await page.locator('.board [data-choice="~R"]').click();
    // It wins as well, but not in time; a slow server sees only a reply.
    await page.locator('[data-testid=attempt][data-state=wrong]').filter({ hasText: /wins as well|The answer to it/ }).waitFor();
    await page.getByTestId('again').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await page.locator('.board [data-choice="c5"]').click();
    await page.locator('[data-testid=attempt][data-state=right]').waitFor();
    await page.locator('.board [data-choice="~1"]').click();
    await page.locator('[data-testid=attempt][data-state=solved]').waitFor();
    await page.getByTestId('leave-puzzle').click();
    await page.waitForSelector('[data-testid=attempt]', { state: 'detached' });
    await until(page, () => location.hash.includes('m=c5.c2'));
    await check();
  },
  'the back button and other games leave a puzzle': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${PUZZLE}`, { settings: { analysis: false } });
    const attempt = (state) => page.locator(`[data-testid=attempt][data-state=${state}]`);
    const openPuzzle = async () => {
      await page.getByTestId('puzzle').first().click();
      await attempt('open').waitFor();
      await page.locator('.board [data-choice="c5"]').waitFor();
    };
    await page.getByTestId('tab-puzzles').click();
    await page.getByRole('button', { name: 'From this game' }).click();
    await openPuzzle();
    await page.locator('.board [data-choice="c5"]').click();
    await attempt('right').waitFor();
    await page.goBack();
    await attempt('right').waitFor({ state: 'detached' });
    await until(page, () => location.hash.includes('m=c5.c2.~1'));
    await openPuzzle();
    await page.getByTestId('new-game').click();
    await attempt('open').waitFor({ state: 'detached' });
    // The moves are those of the new game.
    await until(page, () => !location.hash.includes('p='));
    await page.locator('.board [data-choice="c2"]').click();
    await until(page, () => location.hash.includes('m=c2'));
    await check();
  },
  'puzzles come from games that the server plays': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard`, { settings: { analysis: false } });
    await page.getByTestId('tab-puzzles').click();
    await page.getByTestId('find-puzzles').click();
    await page.getByText('Looking for puzzles').waitFor();
    await page.waitForSelector('[data-testid=puzzle], .puzzles p');
    await check();
  },
  'puzzles are found with more than two sides: wins at once': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${FOUR_SIDES}`, { settings: { analysis: false } });
    const [request] = await Promise.all([
      page.waitForRequest(/\/puzzles$/),
      page.getByTestId('tab-puzzles').click().then(() => page.getByRole('button', { name: 'From this game' }).click()),
    ]);
    assert.equal(request.postDataJSON().maxPlies, 1);
    await page.getByTestId('puzzle').filter({ hasText: 'Win in 1.' }).first().click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    assert.equal(await page.getByTestId('problem').count(), 0);
    // With two sides the server chooses how far to look.
    await page.goto(`${server.url}/?2${PUZZLE}`);
    const [other] = await Promise.all([
      page.waitForRequest(/\/puzzles$/),
      page.getByTestId('tab-puzzles').click().then(() => page.getByRole('button', { name: 'From this game' }).click()),
    ]);
    assert.equal(other.postDataJSON().maxPlies, undefined);
    await check();
  },
};
