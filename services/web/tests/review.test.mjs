// A review that can be shared: its story, graph, labels and files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { load } from './support/sources.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  const [story, gif, palette, tree, gameText] = await Promise.all(['model/story.ts', 'export/gif.ts', 'export/palette.ts', 'model/tree.ts', 'model/game-text.ts'].map(load));
  return { server: await startServer(), story, gif, palette, tree, gameText };
}
export const after = ({ server }) => server.stop();

const GAME = '#pentago/standard?p=wwww2/6/bbbb2/6/6/6_w&m=f6-4r.f5-3l.f1-4r.e3';
const FOUR_SEATS = '#pentago-xl/ffa4?m=a5-1l.i4-4r.e5-1l.g4-6r.a4-4r.a4-6l.g5-6r.f5-6l';
const QUIET = { settings: { analysis: false } };

/** A reviewed move that takes the mover from one expected score to another. */
const move = (seat, text, from, to, label, certainty = 'estimate') => ({
  seat, move: text, bestMove: 'a1', label, loss: from - to,
  before: { certainty, scores: { w: seat === 'w' ? from : 1 - from, b: seat === 'w' ? 1 - from : from } },
  after: { certainty, scores: { w: seat === 'w' ? to : 1 - to, b: seat === 'w' ? 1 - to : to } },
});

/** Opens a game, and its review once it is finished. */
async function review(browser, url, options) {
  const opened = await open(browser, url, { ...QUIET, ...options });
  await opened.page.getByTestId('tab-review').click();
  await opened.page.getByTestId('review').click();
  await opened.page.getByTestId('accuracy').waitFor();
  return opened;
}

async function download(page, testid) {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByTestId(testid).click()]);
  return { path: await saved.path(), name: saved.suggestedFilename() };
}

/** Expands what the writer of GIFs has compressed. */
function expand(data) {
  let [bits, nBits, size, at] = [0, 0, 9, 0];
  const next = () => {
    for (; nBits < size; nBits += 8) bits |= data[at++] << nBits;
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    nBits -= size;
    return code;
  };
  let table = [];
  const out = [];
  let previous = null;
  for (let code = next(); code !== 257; code = next()) {
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, i) => [i]);
      [size, previous] = [9, null];
      continue;
    }
    const string = table[code] ?? [...previous, previous[0]];
    if (previous) table.push([...previous, string[0]]);
    out.push(...string);
    previous = string;
    if (table.length === 1 << size && size < 12) size += 1;
  }
  return out;
}

export const tests = {
  'a story has the three largest turning points, in playing order': ({ story }) => {
    const moves = [
      move('w', 'm0', 0.5, 0.5, 'best'), move('b', 'm1', 0.6, 0.48, 'mistake'), move('w', 'm2', 0.5, 0.1, 'blunder'), move('b', 'm3', 0.9, 0.3, 'blunder'),
      move('w', 'm4', 0.7, 0.45, 'blunder'), move('b', 'm5', 0.55, 0.5, 'inaccuracy'), move('w', 'm6', 1, 0, 'missed_win', 'proven'),
    ];
    const scores = [{ w: 0.5, b: 0.5 }, ...moves.map((it) => it.after.scores)];
    const told = story.storyOf({ seats: ['w', 'b'], moves, scores, turningPoints: [3, 6] });
    assert.deepEqual(told.turns.map((turn) => turn.move), ['m2', 'm3', 'm6']);
    assert.deepEqual([told.turns[2].before, told.turns[2].after], ['win', 'loss']);
    assert.equal(told.firstMistake, 1);
    assert.equal(told.leader, null);
    assert.deepEqual(told.last, { seat: 'b', score: 1 });
    assert.deepEqual(told.mistakes, [{ seat: 'w', n: 3 }, { seat: 'b', n: 2 }]);
    // Equal ones: those that gave the lead away, then the later ones.
    const equal = [0, 1, 2, 3, 4].map((i) => move('w', `m${i}`, 1, 0, 'blunder'));
    assert.deepEqual(story.largestTurns(equal, [0]).map((turn) => turn.move), ['m0', 'm3', 'm4']);
  },
  'compressed pictures can be expanded': ({ gif, palette }) => {
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647);
    for (const length of [1, 2, 255, 4000, 300_000]) {
      const pixels = Uint8Array.from({ length }, (_, i) => (length > 4000 && i % 3 ? 7 : random() % 255));
      assert.deepEqual(Uint8Array.from(expand(gif.compress(pixels))), pixels, `${length} pixels`);
    }
    const colours = [[250, 10, 10], [10, 250, 10], [10, 10, 250]];
    const data = Uint8ClampedArray.from(Array.from({ length: 300 }, (_, i) => [...colours[i % 3], 255]).flat());
    const found = palette.paletteOf([data], 255);
    const pixels = new palette.Mapper(found).map(data);
    assert.equal(found.length, 3);
    for (const [i, [r, g, b]] of colours.entries()) {
      const colour = found[pixels[i]];
      assert.ok(Math.abs((colour >> 16) - r) < 9 && Math.abs(((colour >> 8) & 255) - g) < 9 && Math.abs((colour & 255) - b) < 9);
    }
  },
  'a game with labels can be read again': ({ gameText, tree }) => {
    const played = tree.parseTree('c3-2r.d4-1l(e5-2r).b2-1r');
    const remarks = { 'd4-1l': { comment: '?? blunder} {', better: ['a1-1l', 'b1-1l'] } };
    const text = gameText.writeGame({ game: 'pentago', variant: 'standard', position: null }, played, 2, (node) => remarks[node.move] ?? null);
    assert.match(text, /1\. c3-2r d4-1l \{\?\? blunder \} \(1\.\.\. a1-1l 2\. b1-1l\) \(1\.\.\. e5-2r\)\s2\. b2-1r/);
    const again = gameText.readGame(text).tree;
    assert.deepEqual(again.tip().moves, ['c3-2r', 'd4-1l', 'b2-1r']);
    assert.equal(tree.formatTree(again), 'c3-2r.d4-1l(a1-1l.b1-1l)(e5-2r).b2-1r');
  },
  'a review tells the game and explains its labels': async ({ browser, server }) => {
    const { page, check } = await review(browser, `${server.url}/${GAME}`);
    const story = page.getByTestId('story');
    assert.match(await story.textContent(), /first mistake came as early as move 1\..*\(move \d\): .* was better\..*Black has five in a row.*ended in move 2\. Mistakes: White \d, Black \d\./s);
    assert.ok((await page.getByTestId('turning').count()) <= 3);
    assert.match(await page.getByTestId('graphs').textContent(), /White wins.*even.*Black wins.*Start.*Move 2.*turning points/s);
    assert.match(await page.getByTestId('accuracy').textContent(), /White.*Black.*Accuracy.*blunder/s);
    await page.getByTestId('legend').locator('summary').click();
    assert.match(await page.getByTestId('legend').textContent(), /A proven win was given away/);
    assert.deepEqual(await findings(page), []);
    await page.getByTestId('language').selectOption('fi');
    await story.getByText('Ensimmäinen virhe sattui jo siirrossa 1.').waitFor();
    await check();
  },
  'a review of four seats has a panel for each': async ({ browser, server }) => {
    const { page, check } = await review(browser, `${server.url}/${FOUR_SEATS}`, { viewport: { width: 344, height: 800 } });
    assert.equal(await page.getByTestId('graph').count(), 4);
    assert.match((await page.getByTestId('graph').allTextContents()).join(' '), /Red.*Yellow.*Green.*Blue/s);
    assert.equal(await page.locator('.plot polyline').count(), 4);
    assert.ok((await page.getByTestId('turning').count()) <= 3);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'not too wide');
    await check();
  },
  'a review is saved as a page, a text and a film': async ({ browser, server }) => {
    const { page, context, check } = await review(browser, `${server.url}/${GAME}`);
    const text = await download(page, 'save-labelled');
    assert.equal(text.name, 'pentago-review.txt');
    assert.match(readFileSync(text.path, 'utf8'), /\[Accuracy "White .*"\][^]*1\. f6-4r \{(\?\?|✕) [^}]*\} \(1\. e1\)/);
    const film = await download(page, 'save-film');
    const bytes = readFileSync(film.path);
    assert.equal(film.name, 'pentago-review.gif');
    // Decoded by the browser: a frame per position, and each differs from the one before.
    const frames = await page.evaluate(async (base64) => {
      const decoder = new ImageDecoder({ data: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), type: 'image/gif' });
      await decoder.completed;
      await decoder.tracks.ready;
      const sums = [];
      for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i += 1) {
        const { image } = await decoder.decode({ frameIndex: i });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const drawing = canvas.getContext('2d');
        drawing.drawImage(image, 0, 0);
        const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
        sums.push(data.reduce((sum, value, at) => (sum * 31 + value + at) % 2147483647, 0));
      }
      return sums;
    }, bytes.toString('base64'));
    assert.equal(frames.length, 5);
    assert.equal(new Set(frames).size, 5);
    const report = await download(page, 'save-report');
    assert.equal(report.name, 'pentago-review.html');
    const saved = await context.newPage();
    const faults = [];
    saved.on('pageerror', (error) => faults.push(String(error)));
    saved.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    const requests = [];
    saved.on('request', (request) => requests.push(request.url()));
    await saved.goto(`data:text/html;base64,${readFileSync(report.path).toString('base64')}`);
    const pieces = () => saved.locator('#board .piece').count();
    assert.equal(await pieces(), 12);
    await saved.keyboard.press('Home');
    assert.equal(await pieces(), 8);
    await saved.locator('[data-frame="1"]').click();
    assert.match(await saved.locator('#caption').textContent(), /White: 1\. f6-4r \(f6, then block 4 turned right\) (\?\?|✕)/);
    assert.equal(await saved.locator('#board .mark-ring.better').count(), 1);
    assert.ok((await saved.locator('figure svg').count()) >= 1);
    assert.match(await saved.locator('main').textContent(), /first mistake came as early as move 1/);
    assert.deepEqual(requests.filter((url) => !url.startsWith('data:')), []);
    assert.deepEqual(faults, []);
    await check();
  },
};
