// The explorer: a table of the moves of the position shown, which can be played from it.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { movesOf } from './support/player.mjs';
import { recordGames, startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

/** White wins at once with e1: two of the three games; the third was lost to e3. */
const POSITION = 'wwww2/6/bbbb2/6/6/6 w';
const LINK = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w';
const GAMES = [['e1'], ['e1'], ['f6-4r', 'e3']].map((moves, id) => ({ game: 'pentago', variant: 'standard', position: POSITION, moves, id: `${id}` }));

const QUIET = { analysis: false };
const ROWS = '[data-testid=explored] tbody tr';
const MOVES = `${ROWS} .move`;

/** The server's answer, in the page size of the table's first list. */
async function explore({ url }, game, question) {
  const answer = await fetch(`${url}/v1/games/${game}/explorer`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ pageSize: 12, ...question }),
  });
  const explored = await answer.json();
  assert.ok(answer.ok, JSON.stringify(explored));
  return explored;
}

/** Waits until the table lists these moves, in this order. */
const lists = (page, { moves }) => until(page, ([selector, wanted]) => {
  const listed = [...document.querySelectorAll(selector)].map((it) => it.textContent).join(' ');
  return listed === wanted && !document.querySelector('.explored.left-behind');
}, [MOVES, moves.map((it) => it.move).join(' ')]);

async function openExplorer(browser, server, link, options = {}) {
  const opened = await open(browser, `${server.url}/${link}`, { settings: QUIET, ...options });
  await opened.page.getByTestId('tab-explorer').click();
  return opened;
}

export const tests = {
  'a move is played from the table, which follows': async ({ browser, server }) => {
    const { page, check } = await openExplorer(browser, server, '#pentago/standard');
    const start = await explore(server, 'pentago', {});
    await lists(page, start);
    assert.equal(await page.getByTestId('explorer-games').textContent(), 'No recorded game came through this position.');
    assert.match(await page.locator('.explored caption').textContent(), /Most played first, then best for White/);
    // The start is solved: all but the corners win.
    assert.match((await page.locator(ROWS).first().innerText()).replace(/\s+/g, ' '), /✓ \+\d* proven 100 %/);

    // The keyboard shows a move on the board, and plays it.
    await page.locator(MOVES).first().focus();
    await until(page, () => document.querySelectorAll('.board .piece').length === 1);
    assert.deepEqual(movesOf(page), []);
    await page.keyboard.press('Enter');
    const [{ move: first }] = start.moves;
    await until(page, (move) => location.hash.endsWith(`m=${move}`), first);
    const second = await explore(server, 'pentago', { moves: [first] });
    await lists(page, second);
    assert.match(await page.locator('.explored caption').textContent(), /best for Black/);
    assert.ok(await page.evaluate((rows) => document.activeElement.closest(rows) !== null, ROWS), 'the keyboard stays in the table');

    // So does the mouse.
    const { move: reply } = second.moves[1];
    await page.locator(MOVES).nth(1).hover();
    await until(page, () => document.querySelectorAll('.board .piece').length === 2);
    await page.locator(MOVES).nth(1).click();
    await until(page, (moves) => location.hash.endsWith(`m=${moves}`), `${first}.${reply}`);
    await lists(page, await explore(server, 'pentago', { moves: [first, reply] }));
    await page.getByTestId('undo').click();
    await lists(page, second);
    await check();
  },
  'recorded games are counted, with their results': async ({ browser }) => {
    const server = await startServer('--store', recordGames(GAMES));
    const { page, check } = await openExplorer(browser, server, LINK);
    await lists(page, await explore(server, 'pentago', { position: POSITION }));
    assert.equal(await page.getByTestId('explorer-games').textContent(), '3 recorded games came through this position.');
    const row = async (n) => (await page.locator(ROWS).nth(n).innerText()).replace(/\s+/g, ' ');
    assert.match(await row(0), /^e1 .*2 100 0 White 100 %, Black 0 % ✓ \+.* proven 100 %$/);
    // The lost game's move, shown as the first of its equivalents.
    assert.match(await row(1), /^d4-4l \+ 3 alike 1 0 100 White 0 %, Black 100 % /);
    await page.locator(MOVES).nth(1).click();
    await page.getByTestId('explorer-games').filter({ hasText: '1 recorded game came' }).waitFor();
    assert.match(await row(0), /^e3 .*1 0 100 /);
    assert.deepEqual(await findings(page), []);
    await check();
    await server.stop();
  },
  'more moves are listed on request': async ({ browser, server }) => {
    const moves = ['c3-2r', 'd4-1l'];
    const { page, check } = await openExplorer(browser, server, `#pentago/standard?m=${moves.join('.')}`);
    const first = await explore(server, 'pentago', { moves });
    assert.ok(first.total > 12 && first.moves.length === 12, `${first.moves.length} of ${first.total}`);
    await lists(page, first);
    const listed = [...first.moves];
    for (let token = first.nextPageToken; token !== ''; ) {
      const next = await explore(server, 'pentago', { moves, pageSize: 100, pageToken: token });
      listed.push(...next.moves);
      await page.getByTestId('explorer-more').click();
      await lists(page, { moves: listed });
      token = next.nextPageToken;
    }
    assert.equal(listed.length, first.total);
    assert.equal(await page.getByTestId('explorer-more').count(), 0);
    await check();
  },
  'a finished game has no moves to list': async ({ browser, server }) => {
    const { page, check } = await openExplorer(browser, server, `${LINK}&m=e1`);
    await page.getByTestId('explorer-games').filter({ hasText: 'Game over' }).waitFor();
    assert.equal(await page.locator(ROWS).count(), 0);
    await page.getByTestId('undo').click();
    await page.locator(ROWS).filter({ hasText: 'e1' }).first().waitFor();
    await check();
  },
  'the table is accessible at every size and in every language': async ({ browser, server }) => {
    for (const [viewport, colorScheme] of [[{ width: 390, height: 844 }, 'light'], [{ width: 1280, height: 800 }, 'dark']]) {
      const { page, check } = await openExplorer(browser, server, '#pentago-xl/ffa4', { viewport, colorScheme });
      await page.locator(ROWS).first().waitFor();
      for (const [id, word] of [['en', 'Games'], ['sv', 'Partier'], ['fi', 'Pelit'], ['de', 'Partien'], ['fr', 'Parties']]) {
        await page.getByTestId('language').selectOption(id);
        await page.locator('.explored th[aria-sort=descending]', { hasText: word }).waitFor();
        const wide = await page.evaluate(() => [document.documentElement, document.querySelector('.explorer'), document.querySelector('[role=tablist]')].map((it) => it.scrollWidth - it.clientWidth));
        assert.deepEqual(wide, [0, 0, 0], `${id} at ${viewport.width} px`);
      }
      assert.deepEqual(await findings(page), []);
      const small = await page.locator(MOVES).evaluateAll((all) => all.map((it) => it.getBoundingClientRect()).filter((box) => box.height < 24 || box.width < 24).length);
      assert.equal(small, 0);
      await check();
    }
  },
  'the layout does not shift while the table follows': async ({ browser, server }) => {
    const { page, check } = await openExplorer(browser, server, '#pentago/standard');
    await page.locator(ROWS).first().waitFor();
    await page.evaluate(() => {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput && entry.value > 0.001) window.shifts.push(...entry.sources.map((it) => `${entry.value.toFixed(4)} ${it.node?.className ?? it.node?.nodeName}`));
      }).observe({ type: 'layout-shift' });
    });
    for (const n of [1, 2]) {
      // The address changes before the table does. Its caption names the seat to move.
      const caption = await page.locator('.explored caption').textContent();
      await page.locator(MOVES).first().click();
      await until(page, ([count, before]) => (/m=([^&]*)/.exec(location.hash)?.[1] ?? '').split('.').length === count
        && document.querySelector('.explored caption')?.textContent !== before && !document.querySelector('.explored.left-behind'), [n, caption]);
    }
    assert.deepEqual(await page.evaluate(() => window.shifts), []);
    await check();
  },
};
