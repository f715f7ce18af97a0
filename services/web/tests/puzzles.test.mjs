// The stored puzzles: each is legal and proven, and they are offered one after the other,
// with a streak, a puzzle of the day and an explanation that survive a reload.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { plugins, startServer } from './support/server.mjs';

const repository = process.env.PENTAD_REPOSITORY ?? join(import.meta.dirname, '../../..');
const dir = join(repository, 'services/web/puzzles');
const sets = readdirSync(dir).filter((name) => name.endsWith('.json')).map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));

export async function before() {
  const tictactoe = plugins('tests/plugins/tictactoe.c');
  return { server: await startServer('--rulesets', 'bundled', '--rulesets', tictactoe) };
}
export const after = ({ server }) => server.stop();

/** Asks many questions at once; returns the answers in order. */
async function batch(server, items) {
  const lines = items.map((item, id) => `${JSON.stringify({ id: String(id), ...item })}\n`).join('');
  const reply = await fetch(`${server.url}/v1/batch`, {
    method: 'POST', headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' }, body: lines,
  });
  const answers = (await reply.text()).split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return items.map((_, id) => answers.find((it) => it.id === String(id)));
}

/** Checks by the rules that the line is legal and wins, and by a search that the first move does against any reply. */
async function faultsOf(server, { game, variant, puzzles }) {
  const about = ({ position }, moves) => ({ game, variant, position, moves });
  const played = await batch(server, puzzles.map((it) => ({ kind: 'position', ...about(it, it.line) })));
  const after = await batch(server, puzzles.map((it) => (it.pliesToEnd === 1
    ? { kind: 'position', ...about(it, [it.firstMoves[0]]) } : { kind: 'evaluation', ...about(it, [it.firstMoves[0]]), limits: { nodes: 400_000 } })));
  return puzzles.flatMap((it, i) => {
    const what = `${game}/${variant} ${it.id} ${it.position}`;
    const wins = (scores) => scores?.[it.toMove] >= 1;
    // Where the others play on, the position ends with the places taken: `y1`.
    const isWon = (answer) => wins(answer?.outcome?.scores) || (answer?.outcome === null && answer.position.split(' ').at(-1) === `${it.toMove}1`);
    const isProven = it.pliesToEnd === 1 ? isWon(after[i].answer)
      : after[i].answer?.evaluation.certainty === 'proven' && wins(after[i].answer.evaluation.scores) && after[i].answer.evaluation.pliesToEnd <= it.pliesToEnd - 1;
    return [
      ...(it.line.length === it.pliesToEnd && isWon(played[i].answer) ? [] : [`${what}: the line ${it.line} does not win: ${JSON.stringify(played[i])}`]),
      ...(isProven ? [] : [`${what}: ${it.firstMoves[0]} is not proven: ${JSON.stringify(after[i])}`]),
      ...(it.prefix === undefined || it.firstMoves[0].startsWith(it.prefix) ? [] : [`${what}: prefix`]),
    ];
  });
}

const attempt = (page, state) => page.locator(`[data-testid=attempt][data-state=${state}]`);
const solvedOf = (page) => page.getByTestId('standing').textContent();
const flips = sets.find((set) => set.game === 'pentaflip');

export const tests = {
  'every stored puzzle is legal and proven': async ({ server }) => {
    const { games } = await fetch(`${server.url}/v1/games`).then((it) => it.json());
    for (const { id, variants } of games.filter((it) => it.id.startsWith('penta'))) {
      const first = sets.find((set) => set.game === id && set.variant === variants[0].id);
      assert.ok(first?.puzzles.length >= 30, `${id}/${variants[0].id}`);
      const without = variants.filter((variant) => !sets.some((set) => set.game === id && set.variant === variant.id)).map((variant) => `${id}/${variant.id}`);
      assert.deepEqual(without, [], 'every variant has a set');
    }
    const ids = sets.flatMap(({ puzzles }) => puzzles.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, 'ids are unique');
    for (const set of sets) {
      assert.ok(set.puzzles.every((it, i) => i === 0 || it.difficulty >= set.puzzles[i - 1].difficulty), 'by rising difficulty');
      assert.deepEqual(await faultsOf(server, set), []);
    }
  },
  'stored puzzles: next, streak, explanation, and all of it after a reload': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?m=c2`, { settings: { analysis: false } });
    await page.getByTestId('tab-puzzles').click();
    assert.match(await solvedOf(page), new RegExp(`0 of ${flips.puzzles.length} solved`));
    await page.getByTestId('next-puzzle').click();
    await attempt(page, 'open').waitFor();
    await page.waitForSelector('.board [data-choice]');
    const [first, second] = flips.puzzles;
    await until(page, (id) => location.hash.includes(`puzzle=${id}`), first.id);
    // The page scrolls from the list of puzzles to the board.
    await until(page, () => {
      const box = document.querySelector('.board').getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight;
    });
    // The link and a reload lead to the same open puzzle.
    await page.reload();
    await attempt(page, 'open').waitFor();
    await enter(page, first.firstMoves[0], byMouse);
    await attempt(page, 'solved').waitFor();
    await page.getByTestId('why-solved').getByText('Solution:').waitFor();
    assert.match(await solvedOf(page), /1 of .*1 in a row/);
    await page.getByTestId('next-puzzle').click();
    await until(page, (id) => location.hash.includes(`puzzle=${id}`), second.id);
    await attempt(page, 'open').waitFor();
    await page.getByTestId('solution').click();
    await attempt(page, 'solved').waitFor();
    assert.match(await page.getByTestId('streak').textContent(), /No streak yet.*best: 1/);
    await page.reload();
    await page.getByTestId('tab-puzzles').click();
    await page.getByTestId('standing').waitFor();
    assert.match(await solvedOf(page), /1 of .*best: 1/);
    await page.locator('.grades summary').click();
    assert.match(await page.getByTestId('stored-puzzle').first().getAttribute('aria-label'), /Puzzle 1, .*solved at once/);
    assert.deepEqual(await findings(page), []);
    await check();
  },
  'a stored puzzle of several moves: any defence is answered, a wrong move refuted': async ({ browser, server }) => {
    const puzzle = flips.puzzles.find((it) => it.pliesToEnd === 3);
    const { page, check } = await open(browser, `${server.url}/#pentaflip/standard?p=${encodeURIComponent(puzzle.position)}&puzzle=${puzzle.id}`, { settings: { analysis: true } });
    await attempt(page, 'open').waitFor();
    await page.waitForSelector('.board [data-choice]');
    assert.equal(await page.locator('.mark-ring.hint, .mark-turn.hint, [data-testid=evalbar]').count(), 0, 'nothing gives the answer away');
    await enter(page, puzzle.line[0], byMouse);
    await attempt(page, 'right').waitFor();
    await page.waitForSelector('.board [data-choice]');
    // A reload in the middle goes on from there.
    await page.reload();
    await attempt(page, 'right').waitFor();
    await page.waitForSelector('.board [data-choice]');
    await enter(page, puzzle.line[2], byMouse);
    await attempt(page, 'solved').waitFor();
    await page.getByTestId('again').click();
    await attempt(page, 'open').waitFor();
    await page.waitForSelector('.board [data-choice]');
    const { moves } = await fetch(`${server.url}/v1/games/pentaflip/legal-moves`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ position: puzzle.position }),
    }).then((it) => it.json());
    await enter(page, moves.find((move) => !puzzle.firstMoves.includes(move)), byMouse);
    await attempt(page, 'wrong').waitFor();
    await check();
  },
  'taking the first place solves a puzzle where the others play on': async ({ browser, server }) => {
    const [puzzle] = sets.find((set) => set.variant === 'places4').puzzles;
    const { page, check } = await open(browser, `${server.url}/#pentago-xl/places4`, { settings: { analysis: false } });
    await page.getByTestId('tab-puzzles').click();
    await page.getByTestId('next-puzzle').click();
    await attempt(page, 'open').waitFor();
    await until(page, (id) => location.hash.includes(`puzzle=${id}`), puzzle.id);
    await page.waitForSelector('.board [data-choice]');
    for (let [rest, text] = [puzzle.line[0], '']; rest !== ''; rest = rest.slice(text.length)) {
      [text] = /^-?[a-z0-9]+/.exec(rest);
      await page.locator(`.board [data-choice="${text}"]`).waitFor();
      await byMouse(page, text);
    }
    await attempt(page, 'solved').waitFor();
    await page.getByTestId('why-solved').getByText(/first place · Win in 1/).waitFor();
    await page.getByTestId('why-solved').getByText(/takes the first place/).waitFor();
    await page.getByTestId('finished').waitFor();
    await check();
  },
  'the puzzle of the day is the same all day, and counts days': async ({ browser, server }) => {
    const { page, context, check } = await open(browser, null, { settings: { analysis: false } });
    await context.clock.setFixedTime(new Date('2026-03-01T06:00:00Z'));
    const dailyAt = async (time) => {
      await context.clock.setFixedTime(new Date(time));
      await page.goto(`${server.url}/?${time}#pentaflip/standard`);
      await page.getByTestId('tab-puzzles').click();
      await page.getByTestId('daily-puzzle').click();
      await attempt(page, 'open').waitFor();
      const id = await until(page, () => /puzzle=(\w+)/.exec(location.hash)?.[1]).then((it) => it.jsonValue());
      return flips.puzzles.find((it) => it.id === id);
    };
    const morning = await dailyAt('2026-03-01T06:00:00Z');
    assert.equal(await dailyAt('2026-03-01T23:00:00Z'), morning);
    assert.notEqual(await dailyAt('2026-03-02T06:00:00Z'), morning);
    await page.evaluate(() => localStorage.setItem('pentad-puzzles', JSON.stringify({ days: { 'pentaflip standard': { last: '2026-03-01', row: 4 } } })));
    const today = await dailyAt('2026-03-02T07:00:00Z');
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('standing').getByText('4 days in a row').waitFor();
    for (let ply = 0; ply < today.line.length; ply += 2) {
      await enter(page, today.line[ply], byMouse);
      if (ply + 2 >= today.line.length) break;
      await attempt(page, 'right').waitFor();
      await until(page, (line) => location.hash.includes(`m=${line}`), today.line.slice(0, ply + 2).join('.'));
    }
    await attempt(page, 'solved').waitFor();
    await page.getByTestId('standing').getByText('5 days in a row').waitFor();
    await check();
  },
  'games without stored puzzles say so, and a damaged link leads to a game': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#tictactoe/standard`, { settings: { analysis: false } });
    await page.getByTestId('tab-puzzles').click();
    await page.getByTestId('no-set').waitFor();
    await page.goto(`${server.url}/?2#pentaflip/standard?puzzle=00000000`);
    await page.waitForSelector('.board [data-choice]');
    await until(page, () => !location.hash.includes('puzzle='));
    await check();
  },
};
