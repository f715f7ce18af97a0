// A start for newcomers: entry points, opponents, the end of a game, practice, lessons.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findings } from './support/axe.mjs';
import { isFirefox, open, until } from './support/browser.mjs';
import { byMouse, enter } from './support/player.mjs';
import { load } from './support/sources.mjs';
import { startServer } from './support/server.mjs';

export async function before() {
  const [opponents, lessons, learn] = await Promise.all(['model/opponents.ts', 'lessons/index.ts', 'text/learn/tables.ts'].map(load));
  return { server: await startServer(), opponents, lessons, learn };
}
export const after = ({ server }) => server.stop();

const LANGUAGES = ['en', 'sv', 'fi', 'de', 'fr'];
const GAMES = ['pentago', 'pentago-xl', 'pentagame', 'pentaflip'];
const QUIET = { settings: { analysis: false } };
const repository = process.env.PENTAD_REPOSITORY ?? join(import.meta.dirname, '../../..');

const post = (server, path, body) => fetch(`${server.url}/v1/games/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((it) => it.json());

/** Returns whether a move does what a step of a lesson asks for. */
async function fulfils(server, game, step, move) {
  const question = { variant: step.variant, ...(step.position === null ? {} : { position: step.position }) };
  const { toMove } = await post(server, `${game}/position`, question);
  const after = await post(server, `${game}/position`, { ...question, moves: [move] });
  assert.ok(after.position, `${game}: ${move} is legal`);
  const wins = (after.outcome?.scores[toMove] ?? 0) > 0.99;
  if (step.goal.kind === 'matches') return step.goal.moves.test(move);
  if (step.goal.kind === 'wins') return wins;
  const { evaluation } = await post(server, `${game}/hints`, { ...question, moves: [move], count: 1, limits: { nodes: 3000 } });
  return !(evaluation.certainty === 'proven' && evaluation.pliesToEnd === 1);
}

export const tests = {
  'strengths are those that were measured': ({ opponents }) => {
    const text = readFileSync(join(repository, 'services/LEVELS.md'), 'utf8');
    const rows = new Map(text.split('\n').map((line) => line.split('|').map((cell) => cell.trim())).filter((cells) => cells.length === 13).map(([, name, ...cells]) => [name, cells.slice(0, 10).map(Number)]));
    const expected = { 'pentago 2': 'Pentago', 'pentaflip 2': 'Pentaflip', 'pentago-xl 4': 'Pentago XL, four players', 'pentago-xl 2': 'Pentago XL, two players', 'pentagame 2': 'Pentagame' };
    for (const [key, name] of Object.entries(expected)) {
      const [game, nSeats] = key.split(' ');
      assert.deepEqual(opponents.strengthsOf(game, Number(nSeats)), rows.get(name), name);
    }
    assert.equal(opponents.strengthsOf('pentago-xl', 3), null);
    assert.equal(opponents.strengthsOf('tictactoe', 2), null);
  },
  'the steps of all lessons can be done, and not by every move': async ({ server, lessons }) => {
    for (const game of GAMES) {
      const { steps } = await lessons.lessonOf(game);
      for (const [i, step] of steps.entries()) {
        assert.ok(await fulfils(server, game, step, step.solution), `${game} ${i}: ${step.solution}`);
        const { layout, variantLayouts } = await fetch(`${server.url}/v1/games/${game}`).then((it) => it.json());
        const points = new Set((variantLayouts[step.variant] ?? layout).points.map((point) => point.id));
        for (const point of step.look) assert.ok(points.has(point), `${game} ${i}: ${point}`);
        for (const language of LANGUAGES) assert.ok(step.text[language].task.length > 20 && step.text[language].done.length > 10, `${game} ${i} ${language}`);
      }
    }
    const [, win, , threat] = (await lessons.lessonOf('pentago')).steps;
    assert.equal(await fulfils(server, 'pentago', win, 'f6-4r'), false);
    assert.equal(await fulfils(server, 'pentago', threat, 'f6-4r'), false);
    assert.equal(await lessons.lessonOf('tictactoe'), null);
  },
  'every language has all texts of the new parts': ({ learn }) => {
    const shape = (value) => (typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, shape(it)])) : `${typeof value} ${value.length > 0}`);
    const withoutLengths = (value) => JSON.stringify(shape(value));
    for (const language of LANGUAGES) {
      assert.equal(withoutLengths(learn.TABLES[language]), withoutLengths(learn.TABLES.en), language);
      assert.equal(learn.TABLES[language].play.about.length, 10);
    }
  },
  'a game against an opponent with a name, and a rematch': async ({ browser, server }) => {
    const { page, check } = await open(browser, server.url, QUIET);
    await page.waitForSelector('.board [data-choice]');
    await page.getByTestId('mode-play').click();
    await page.getByTestId('play-form').waitFor();
    assert.match(await page.locator('.opponent', { hasText: 'Pip' }).textContent(), /Strength 0.*rules/s);
    assert.match(await page.locator('.opponent', { hasText: 'Bruno' }).textContent(), /Strength 831/);
    assert.deepEqual(await findings(page), []);
    await page.getByTestId('play-game').selectOption('pentago-xl');
    assert.match(await page.locator('.opponent', { hasText: 'Bruno' }).textContent(), /Strength 284/);
    await page.getByTestId('play-variant').selectOption('ffa3');
    assert.equal(await page.getByTestId('strength').count(), 0, 'what was not measured is not shown');
    await page.getByTestId('play-game').selectOption('pentago');
    await page.getByTestId('opponent-1').check();
    await page.getByTestId('play-seat').selectOption('b');
    await page.getByTestId('play-start').click();
    await until(page, () => location.hash.includes('seats=1,person') && location.hash.includes('m='));
    assert.match(await page.getByTestId('seat-w').locator('option:checked').textContent(), /Pip, strength 0/);
    assert.equal(await page.getByTestId('mode-play').getAttribute('aria-current'), 'true');
    // While the next game is loading, nobody moves in the former one for it.
    await page.route('**/position', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    // At the end of a game the same opponent can be played again, with the other colour.
    await page.goto(`${server.url}/#pentago/standard?m=a1-4l.a6-4l.b1-4l.b6-4l.c1-4l.c6-4l.d1-4l.a5-4l.e1&seats=person,1`);
    await page.getByTestId('rematch').click();
    await until(page, () => location.hash.includes('seats=1,person'));
    await page.getByTestId('mode-analyse').click();
    await until(page, () => !location.hash.includes('seats='));
    await check();
  },
  'practise from here': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=c3-2r.d4-1l`, QUIET);
    await page.getByTestId('practise').click();
    await page.getByTestId('opponent-2').check();
    await page.getByTestId('play-start').click();
    await until(page, () => location.hash.includes('p=') && location.hash.includes('seats=person,2'));
    await enter(page, 'f6-4r', byMouse);
    await until(page, () => (/[?&]m=([^&]*)/.exec(location.hash)?.[1] ?? '').split('.').length === 2);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await until(page, () => location.hash.includes('m=c3-2r.d4-1l'));
    await check();
  },
  'a lesson is played on the board': async ({ browser, server }) => {
    const { page, check } = await open(browser, `${server.url}/#pentago/standard?m=a1-3l`, QUIET);
    const state = (name) => page.locator(`[data-testid=lesson][data-state=${name}]`);
    const step = (n) => page.locator(`[data-testid=lesson][data-step="${n}"][data-state=open]`).waitFor();
    await page.getByTestId('mode-learn').click();
    await page.getByTestId('lesson-pentago').waitFor();
    assert.equal(await page.locator('.lessonlist button').count(), GAMES.length);
    if (!isFirefox) assert.deepEqual(await findings(page), []);
    await page.getByTestId('lesson-pentago').click();
    await step(0);
    await enter(page, 'c3-2r', byMouse);
    await state('done').waitFor();
    await page.getByTestId('lesson-next').click();
    await step(1);
    await enter(page, 'f6-4r', byMouse);
    await state('wrong').waitFor();
    await page.getByTestId('lesson-again').click();
    await step(1);
    // The step is still there after a reload, also in another language.
    await page.reload();
    await step(1);
    await page.getByTestId('language').selectOption('sv');
    await page.getByTestId('lesson').getByText('Fem i rad vinner').waitFor();
    await page.waitForSelector('.board [data-choice="e1"]');
    await page.locator('.board [data-choice="e1"]').click();
    await state('done').waitFor();
    await page.getByTestId('lesson-next').click();
    await step(2);
    await page.getByTestId('lesson-show').click();
    await state('done').waitFor();
    await page.getByTestId('lesson-next').click();
    await step(3);
    await page.waitForSelector('.board [data-choice="f6"]');
    await enter(page, 'f6-2r', byMouse);
    await state('wrong').filter({ hasText: 'e4' }).waitFor();
    await page.locator('.mark-ring.bad').first().waitFor();
    await page.getByTestId('lesson-show').click();
    await state('done').waitFor();
    await page.getByTestId('lesson-next').click();
    await state('over').waitFor();
    await page.getByTestId('lesson-leave').click();
    await until(page, () => location.hash.includes('m=a1-3l'));
    await page.getByTestId('mode-learn').click();
    await page.getByTestId('lesson-pentago').filter({ hasText: '✓' }).waitFor();
    await check();
  },
};
