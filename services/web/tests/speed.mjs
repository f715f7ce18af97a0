// Measures the page: time to the first board, and frames per second while an analysis
// streams. It judges nothing, because the figures depend on the machine and its load.
//
//   PENTAD=target/release/pentad node tests/speed.mjs [loads per game, 15]

import { launch } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const LOADS = Number(process.argv[2] ?? 15);
const WATCHED_MS = 8000;
const STEP_MS = 1000;
const GAMES = ['pentago', 'pentago-xl', 'pentagame', 'pentaflip'];
/** Positions without a quick proof, so that updates keep coming. */
const ANALYSED = {
  pentago: '#pentago/standard?m=c3-2r.d4-1l.b2-3r.e5-4l.b5-1r.d2-2l.c4-3r.e2-3r',
  'pentago-xl': '#pentago-xl/ffa4?m=e5-1l.d4-2r.f6-3l',
  pentagame: '#pentagame/2p?m=a-A3c.c-C2e',
  pentaflip: '#pentaflip/standard?m=c2.d2.c1.d1',
};

const server = await startServer();
const browser = await launch();
try {
  await firstBoards();
  await frames();
} finally {
  await browser.close();
  await server.stop();
}

/** Time from the start of the navigation to the frame that shows the board, and to the
 * first choice on it. */
async function firstBoards() {
  console.log(`first board, ms after the navigation began (fastest / median / 90 % of ${LOADS})`);
  for (const game of GAMES) {
    const times = { cold: [], warm: [] };
    for (let i = 0; i < LOADS; i += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
      await context.addInitScript(watchBoard);
      const page = await context.newPage();
      times.cold.push(await boardTimes(page, () => page.goto(`${server.url}/#${game}`)));
      times.warm.push(await boardTimes(page, () => page.reload()));
      await context.close();
    }
    for (const [cache, list] of Object.entries(times)) {
      const [shown, playable] = ['shown', 'playable'].map((what) => summary(list.map((it) => it[what])));
      console.log(`  ${game.padEnd(11)} ${cache}  shown ${shown}  playable ${playable}`);
      if (cache === 'cold') console.log(`    ${split(list)}`);
    }
  }
}

function watchBoard() {
  window.times = {};
  const note = (what) => {
    window.times[what] = Infinity;
    // The next frame has begun, so the board is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.times[what] = performance.now();
      if (Number.isFinite(window.times.shown) && Number.isFinite(window.times.playable)) console.debug('the board is playable');
    }));
  };
  new MutationObserver(() => {
    if (!window.times.shown && document.querySelector('.board [data-key]')) note('shown');
    if (!window.times.playable && document.querySelector('.board [data-choice]')) note('playable');
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-choice'] });
}

/** Waits without running a script in the page, which would be compiled on the thread
 * being measured. */
async function boardTimes(page, load) {
  await Promise.all([page.waitForEvent('console', (message) => message.text() === 'the board is playable'), load()]);
  return page.evaluate(() => {
    const resources = performance.getEntriesByType('resource');
    const last = (part) => Math.max(0, ...resources.filter((it) => it.name.includes(part) && it.responseEnd <= window.times.shown).map((it) => it.responseEnd));
    const [navigation] = performance.getEntriesByType('navigation');
    const moves = resources.find((it) => it.name.endsWith('/legal-moves'));
    return {
      ...window.times, html: navigation.responseEnd, assets: last('/assets/page'), position: last('/position'), run: moves?.startTime ?? 0,
    };
  });
}

/** Medians of the phases before the first board, in order. */
function split(list) {
  const steps = { html: 'HTML', assets: 'assets', position: 'position', run: 'script has run', shown: 'shown' };
  return Object.entries(steps).map(([key, name]) => `${name} ${quantile(list.map((it) => it[key]), 0.5).toFixed(0)}`).join(', ');
}

/** Frames while going back and forth in a game, which starts a new stream every second,
 * compared with the same page without analysis. */
async function frames() {
  console.log(`frames in ${WATCHED_MS / 1000} s: per second, time between two (90 % / longest, ms), main thread busy`);
  for (const [game, link] of Object.entries(ANALYSED)) {
    for (const analysis of [false, true]) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
      await context.addInitScript((settings) => localStorage.setItem('pentad', JSON.stringify(settings)), { analysis, seconds: 30, lines: 3 });
      const page = await context.newPage();
      await page.goto(`${server.url}/${link}`);
      await page.waitForSelector(analysis ? '[data-testid=certainty] .tag' : '.board [data-choice]');
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      const before = await busy(cdp);
      const counted = page.evaluate(countFrames, WATCHED_MS);
      for (let i = 0; i < WATCHED_MS / STEP_MS - 1; i += 1) {
        await page.waitForTimeout(STEP_MS);
        await page.keyboard.press(i % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
      }
      const { gaps, updates } = await counted;
      const after = await busy(cdp);
      const perSecond = (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0);
      const share = (100 * (after - before)) / (WATCHED_MS / 1000);
      console.log(`  ${game.padEnd(11)} ${analysis ? `${String(updates).padStart(4)} updates` : '  no analysis'}  ${perSecond.toFixed(1)}/s  `
        + `${quantile(gaps, 0.9).toFixed(1)} / ${Math.max(...gaps).toFixed(1)}  ${share.toFixed(0)} %`);
      await context.close();
    }
  }
}

function countFrames(duration) {
  return new Promise((resolve) => {
    const gaps = [];
    let updates = 0;
    const lines = document.querySelector('.lines');
    new MutationObserver(() => { updates += 1; }).observe(lines.parentElement, { childList: true, subtree: true, characterData: true });
    let last = 0;
    const started = performance.now();
    const frame = (now) => {
      if (last > 0) gaps.push(now - last);
      last = now;
      if (now - started < duration) requestAnimationFrame(frame);
      else resolve({ gaps, updates });
    };
    requestAnimationFrame(frame);
  });
}

/** Busy time of the page's main thread, in seconds. */
async function busy(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration').value;
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

function summary(values) {
  const figures = [Math.min(...values), quantile(values, 0.5), quantile(values, 0.9)];
  return figures.map((it) => it.toFixed(0)).join(' / ').padEnd(15);
}
