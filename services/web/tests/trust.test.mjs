// Numbers and advice that do not contradict each other: lines, threats, places, proofs.

import assert from 'node:assert/strict';

import { open, until } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

const PLACES = '#pentago-xl/places3?m=g2-9l.a7-3r.h7-9r.e3-9l.d9-2l.h6-8l.d4-8l.d7-2l.b8-8r.g5-4r.a1-6l.g6-6l.g5-3r.f4-7r.f6-3l.d3-4r.e7-6l.i5-7r.c1-8r.e9-3r.h5-6r.c7-2r.g8-3r.i1-3l.a4-2r.e1-3r.h8';
const finished = (page) => page.locator('.progress', { hasText: 'finished' }).waitFor();

/** Opens a position with its threats, once the defences are known. */
async function threats(browser, url) {
  const opened = await open(browser, url, { settings: { analysis: false, threats: true } });
  const list = opened.page.getByTestId('threat-list');
  await list.getByText(/Stopped by|No move holds/).first().waitFor();
  return { ...opened, text: await list.textContent() };
}

export const tests = {
  'lines are in the order of their values, also with a book': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?m=c2.d2`, { settings: { analysis: true, seconds: 2, values: true } });
    await finished(page);
    const values = (await page.locator('.lines .value').allTextContents()).map((text) => Number.parseInt(text.slice(1), 10));
    assert.equal(values.length, 3);
    assert.deepEqual(values, values.toSorted((a, b) => b - a));
    assert.match(await page.locator('.lines li').first().textContent(), /opening book.*c1/);
    const bar = await page.locator('.bar .score').first().textContent();
    assert.equal(Number.parseInt(bar, 10), values[0], 'the bar shows the value of the first line');
    // The badge of a move is the number of its line, and no other badge is higher.
    await until(page, () => document.querySelectorAll('.badge').length > 3);
    const badges = (await page.locator('.badge text').allTextContents()).map(Number).filter(Number.isFinite);
    assert.ok(Math.max(...badges) <= values[0], `${badges} beside ${values}`);
    await check();
  },
  'a threat is stopped by moves that hold, best first': async ({ browser, server }) => {
    const { text, check } = await threats(browser, `${server.url}/#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w`);
    assert.match(text, /Black threatens e3 Stopped by e1 \(\+1\) e3-/);
    assert.match(text, /and \d+ more/);
    assert.doesNotMatch(text, /a2-/);
    await check();
  },
  'a threat that nothing stops is called so': async ({ browser, server }) => {
    const { text, check } = await threats(browser, `${server.url}/#pentago/standard?p=w1w1w1/6/bbbb2/w1w1w1/bbbb2/1w1w2_w`);
    assert.match(text, /Black threatens.*No move holds\./);
    assert.doesNotMatch(text, /Stopped by/);
    await check();
  },
  'a forced win behind quiet moves is named': async ({ browser, server }) => {
    const link = '#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-2l.a4-1l.f2-4r.b5-3l.e4-2r.b3-1r.d2-4l';
    const { text, check } = await threats(browser, `${server.url}/${link}`);
    assert.match(text, /Black threatens \S+ to win by force in \d+ moves? Stopped by/);
    await check();
  },
  'a seat that has finished is shown with its place': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/${PLACES}`, { settings: { analysis: true, seconds: 1 } });
    await finished(page);
    assert.match(await page.getByTestId('status').textContent(), /Red to move.*Green: place 1/);
    assert.match(await page.locator('.setup label', { hasText: 'Green' }).textContent(), /Green\s*place 1/);
    assert.match(await page.getByTestId('bars').textContent(), /Green\s*place 1/);
    assert.match(await page.getByTestId('certainty').textContent(), /Yellow: place 2 in 1 move/);
    assert.equal(await page.locator('.mark-winning').count(), 5);
    await page.locator('.lines .move').nth(1).click();
    await until(page, () => !document.querySelector('[data-testid=status]').textContent.includes('to move'));
    const places = await page.getByTestId('finished').allTextContents();
    assert.deepEqual(places.map((text) => text.trim()), ['Green: place 1', 'Yellow: place 2', 'Red: place 3']);
    await check();
  },
  'moves are counted by rounds of the seats': async ({ browser, server }) => {
    for (const [link, name, rounds] of [['#pentago-xl/ffa4', 'Red', 1], ['#pentago-xl/ffa3', 'Red', 2], ['#pentago/standard', 'White', 2]]) {
      const { page, check } = await open(browser, null, { settings: { analysis: true } });
      await page.route('**/analysis', async (route) => {
        const seats = link.endsWith('standard') ? ['w', 'b'] : ['r', 'y', 'g', 'b'].slice(0, link.endsWith('4') ? 4 : 3);
        const scores = Object.fromEntries(seats.map((seat, i) => [seat, i === 0 ? 1 : 0]));
        const evaluation = { certainty: 'proven', outcome: 'win', pliesToEnd: 4, scores, source: 'solver', depth: 4 };
        const hint = { move: 'c3-2r', moveText: '', line: [], reasons: [], equivalents: [], area: [], evaluation };
        const answer = { hints: [hint], evaluation, depth: 4, nodes: 1, elapsedMs: 1, cached: false, final: true, stopReason: 'proven', policy: [] };
        await route.fulfill({ contentType: 'text/event-stream', body: `event: final\nid: 1\ndata: ${JSON.stringify(answer)}\n\n` });
      });
      await page.goto(`${server.url}/${link}`);
      await page.getByTestId('certainty').getByText(`${name}: win in ${rounds} move`).waitFor();
      assert.match(await page.locator('.lines .value').first().textContent(), new RegExp(`\\+${rounds}$`));
      await check();
    }
  },
  'a proven result without a proven move says so': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-2l.a4-1l.f2-4r`, { settings: { analysis: true, seconds: 1 } });
    await finished(page);
    assert.match(await page.getByTestId('certainty').textContent(), /proven.*win/);
    assert.match(await page.locator('.lines .value').first().textContent(), /%/);
    assert.match(await page.locator('.why').textContent(), /proven, but not which move keeps it/);
    await check();
  },
};
