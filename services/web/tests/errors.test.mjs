// What goes wrong, in a player's words; and what used to be lost, cut or out of sight.

import assert from 'node:assert/strict';

import { open, target, until } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

const settings = { analysis: false };
const BLUNDER = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=f6-4r.e3';

export const tests = {
  'wrong moves are explained, and the message leaves': async ({ browser, server }) => {
    const { page, check } = await open(browser, null, { settings, allowFailures: true });
    await page.clock.install();
    await page.goto(`${server.url}/#pentago/standard`);
    await page.waitForSelector('.board [data-choice]');
    const problem = page.getByTestId('problem');
    const type = async (move) => {
      await page.getByTestId('move-box').fill(move);
      await page.getByTestId('move-box').press('Enter');
    };
    await type('hello');
    await problem.getByText('h is not a column; columns are a to f.').waitFor();
    await type('c9-2r');
    await problem.getByText('9 is not a row; rows are 1 to 6.').waitFor();
    await type('c3-7x');
    await problem.getByText('“c3-7x” is not a move of this game.').waitFor();
    await page.clock.fastForward(9000);
    await problem.waitFor({ state: 'detached' });
    await page.getByTestId('tab-share').click();
    await page.getByTestId('paste').fill('zz9');
    await page.getByTestId('load').click();
    await problem.getByText('z is not a column').waitFor();
    // A game that loads takes the message with it.
    await page.getByTestId('paste').fill('c3-2r d4-1l');
    await page.getByTestId('load').click();
    await problem.waitFor({ state: 'detached' });
    await check();
  },
  'links that lead nowhere open the list of games': async ({ browser, server }) => {
    const links = {
      '#nonsense/foo': /does not have this game/, '#pentago/standard?p=%E0%A4%A': /cannot be read/,
      [`#pentago/standard?m=${'c3-2r.'.repeat(170_000)}`]: /link is damaged/,
    };
    for (const [link, sentence] of Object.entries(links)) {
      const { page, check } = await open(browser, `${server.url}/${link}`, { settings, allowFailures: true });
      const games = page.getByTestId('games');
      await games.getByRole('button', { name: 'Pentaflip' }).waitFor();
      assert.match(await games.textContent(), sentence);
      await games.getByRole('button', { name: 'Pentaflip' }).click();
      await page.waitForSelector('.board [data-choice]');
      await check();
    }
  },
  'a review survives a reload, with the numbers of the list': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${BLUNDER}`, { settings });
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('accuracy').waitFor();
    await until(page, () => sessionStorage.getItem('pentad-review'));
    await page.reload();
    await page.getByTestId('tab-review').click();
    await page.getByTestId('accuracy').waitFor();
    assert.match(await page.getByTestId('story').textContent(), /f6-4r f6, then block 4 turned right \(move 1\): White/);
    assert.deepEqual(await page.getByTestId('turning').allTextContents(), ['f6-4r']);
    await check();
  },
  'a wrong answer is refuted by one arrow': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${BLUNDER}`, { settings: { analysis: true, seconds: 1 } });
    await page.getByTestId('tab-review').click();
    await page.getByTestId('review').click();
    await page.getByTestId('next-mistake').click();
    await page.getByTestId('retry').click();
    await page.locator('[data-testid=attempt][data-state=open]').waitFor();
    await target(page, 'point f5').and(page.locator('.choosable')).click();
    await target(page, 'turn 4 r').click();
    await page.locator('.mark-ring.bad').waitFor();
    await page.locator('.progress', { hasText: 'finished' }).waitFor();
    assert.equal(await page.locator('.mark-ring.hint').count(), 0);
    await check();
  },
  'hints are read in full, and rules without marks of their source': async ({ browser, server }) => {
    for (const language of ['en', 'fi', 'de']) {
      const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-4l`, { settings: { ...settings, language } });
      await page.getByTestId('hint-line').click();
      await page.getByTestId('hint').waitFor();
      const [whole, seen] = await page.locator('.answers').evaluate((it) => [it.scrollHeight, it.clientHeight]);
      assert.ok(whole <= seen, `${language}: ${whole} of ${seen} pixels`);
      await page.locator('.rules summary').click();
      const rules = await page.locator('.rules .prose').textContent();
      assert.doesNotMatch(rules, /`/);
      const { width } = await page.locator('.rules .prose').boundingBox();
      assert.ok(width > 350, `the rules are ${width} pixels wide`);
      await check();
    }
  },
  'the board is whole on a phone held sideways, and large at 1280': async ({ browser, server }) => {
    const phone = await open(browser, `${server.url}/#pentago/standard`, { viewport: { width: 844, height: 390 }, settings });
    await phone.page.waitForSelector('.board [data-choice]');
    const board = await phone.page.locator('.board').boundingBox();
    assert.ok(board.y + board.height <= 390 && board.height > 250, JSON.stringify(board));
    await phone.check();
    const wide = await open(browser, `${server.url}/#pentaflip/standard`, { settings });
    await wide.page.waitForSelector('.board [data-choice]');
    await until(wide.page, () => document.querySelector('.board').getBoundingClientRect().width > 800);
    await wide.check();
  },
  'names of languages fit on a small phone': async ({ browser, server }) => {
    for (const language of ['en', 'sv', 'fi', 'de', 'fr']) {
      const { page, check } = await open(browser, `${server.url}/#pentago/standard`, { viewport: { width: 344, height: 800 }, settings: { ...settings, language } });
      await page.waitForSelector('.board [data-choice]');
      for (const testid of ['language', 'theme']) {
        const [width, needed] = await page.getByTestId(testid).evaluate((select) => {
          const copy = select.cloneNode(true);
          copy.replaceChildren(select.selectedOptions[0].cloneNode(true));
          copy.style.cssText = 'position: absolute; min-width: max-content';
          select.parentNode.append(copy);
          const natural = copy.getBoundingClientRect().width;
          copy.remove();
          return [select.getBoundingClientRect().width, natural];
        });
        assert.ok(width >= needed - 1, `${language} ${testid}: ${width} of ${needed} pixels`);
      }
      await check();
    }
  },
};
