// What decides by eye: the focused place, and the movement of flips.

import assert from 'node:assert/strict';

import { open, target, until } from './support/browser.mjs';
import { byMouse } from './support/player.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  return { server: await startServer() };
}
export const after = ({ server }) => server.stop();

const QUIET = { analysis: false };

/** Returns the share of pixels that clearly differ between two pictures of the same size. A
 * filter may change how its surroundings are smoothed. */
async function differenceOf(browser, before, after) {
  const page = await browser.newPage();
  const share = await page.evaluate(async (pictures) => {
    const [a, b] = await Promise.all(pictures.map(async (text) => {
      const bytes = Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    let changed = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 48)) changed += 1;
    return changed / (a.length / 4);
  }, [before, after].map((it) => it.toString('base64')));
  await page.close();
  return share;
}

/** Rings on both sides, so that every flip moves some: `a1` is the first cell. */
const RINGS = 'w1b2w/6/b1WB1w/w1BW1b/6/b2w1b_1b4/6/w4b/6/4w1/6_w_-';

export const tests = {
  'the keyboard focus frames one place and covers nothing else': async ({ browser, server }) => {
    for (const link of ['#pentago/standard', '#pentago-xl/ffa4', '#pentagame/2p', '#pentaflip/standard']) {
      const { page, check } = await open(browser, `${server.url}/${link}`, { settings: QUIET });
      await page.waitForSelector('.board [data-choice]');
      await page.waitForSelector('[data-testid=tab-explorer]:not(.absent)');
      const unfocused = await page.screenshot();
      await page.locator('.board [tabindex="0"]').focus();
      await page.keyboard.press('ArrowRight');
      const share = await differenceOf(browser, unfocused, await page.screenshot());
      assert.ok(share > 0.0002, `${link}: the focus is not visible`);
      assert.ok(share < 0.01, `${link}: the focus changes ${(100 * share).toFixed(1)} % of the page`);
      await check();
    }
  },
  'halfway through a flip every ring is between its old and its new place': async ({ browser, server }) => {
    for (const flip of ['~1', '~2', '~3', '~4', '~L', '~R', '~T', '~B']) {
      const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?p=${RINGS}`, { settings: QUIET, reducedMotion: 'no-preference' });
      await page.waitForSelector('.board [data-choice]');
      await page.evaluate(() => {
        window.places = () => [...document.querySelectorAll('.board .piece')].map((piece) => {
          const { x, y, width, height } = piece.getBoundingClientRect();
          const point = piece.closest('[data-point]').dataset.point;
          return { point, x: x + width / 2, y: y + height / 2 };
        });
        // The first half of the animation is replaced by its last frame, and the pieces are
        // measured as soon as all blocks have theirs.
        const { animate } = Element.prototype;
        Element.prototype.animate = function hold(frames) {
          queueMicrotask(() => { window.half ??= window.places(); });
          return animate.call(this, [frames[1], frames[1]], { duration: 1e9 });
        };
      });
      const old = await page.evaluate(() => window.places());
      await byMouse(page, flip);
      await until(page, () => window.half);
      const half = await page.evaluate(() => window.half);
      const moved = old.filter((it) => half.some((other) => other.point === it.point && Math.hypot(other.x - it.x, other.y - it.y) > 1));
      assert.ok(moved.length > 0, `${flip} moves no ring`);
      for (const ring of moved) {
        const middle = half.find((it) => it.point === ring.point);
        const goal = destination(flip, ring.point);
        const end = await target(page, `point ${goal}`).locator('.hit').boundingBox();
        const wanted = [(ring.x + end.x + end.width / 2) / 2, (ring.y + end.y + end.height / 2) / 2];
        assert.ok(Math.hypot(middle.x - wanted[0], middle.y - wanted[1]) < 6, `${flip}: ${ring.point} to ${goal} is at ${middle.x}, ${middle.y} instead of ${wanted}`);
      }
      await check();
    }
  },
};

/** Returns the cell a ring's cell is reflected to, on the same picture of the board. */
function destination(flip, cell) {
  const side = cell.slice(2);
  const [file, rank] = ['abcdef'.indexOf(cell[0]), Number(cell[1]) - 1];
  const reflected = {
    '~1': [rank, file], '~4': [rank, file], '~2': [5 - rank, 5 - file], '~3': [5 - rank, 5 - file],
    '~L': [file, 5 - rank], '~R': [file, 5 - rank], '~T': [5 - file, rank], '~B': [5 - file, rank],
  }[flip];
  return `${'abcdef'[reflected[0]]}${reflected[1] + 1}${side}`;
}
