// Plays whole games on the page, by mouse or by keyboard, with moves that the
// server suggests or with given ones.

import { until } from './browser.mjs';

/** Returns the moves of the main line, from the address. */
export function movesOf(page) {
  const field = /[?&]m=([^&]*)/.exec(new URL(page.url()).hash.replace('#', ''));
  return field ? field[1].split('.').map(decodeURIComponent) : [];
}

/** Chooses the steps of a move, one after the other, then waits until it is played. */
export async function enter(page, move, chooser) {
  const before = movesOf(page).length;
  let prefix = '';
  while (movesOf(page).length === before) {
    const step = await until(page, ([text, at]) => {
      const word = document.querySelector('.status code')?.textContent ?? '';
      if (word !== at && location.hash.includes(encodeURIComponent(text))) return 'played';
      const all = [...document.querySelectorAll('.board [data-choice]')].map((it) => it.dataset.choice);
      const fits = all.filter((choice) => text.startsWith(word + choice)).sort((a, b) => b.length - a.length);
      return word === at && fits.length > 0 ? fits[0] : null;
    }, [move, prefix]).then((handle) => handle.jsonValue());
    if (step === 'played') break;
    await chooser(page, step);
    prefix += step;
    // The page waits for the next step, plays the move, or adds steps without alternatives.
    prefix = await until(page, ([text, at, n]) => {
      const field = /[?&]m=([^&]*)/.exec(location.hash);
      if ((field ? field[1].split('.').length : 0) > n) return 'played';
      const word = document.querySelector('.status code')?.textContent ?? '';
      return word.length >= at.length && text.startsWith(word) ? word : null;
    }, [move, prefix, before]).then((handle) => handle.jsonValue());
    if (prefix === 'played') break;
  }
}

export async function byMouse(page, choice) {
  const element = page.locator(`.board [data-choice=${JSON.stringify(choice)}]`);
  const box = await element.locator('.hit').first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Moves the focus to the choice by arrow keys in its direction and, where those do not
 * get closer, by the key for the next possible place. */
export async function byKeyboard(page, choice) {
  const where = () => page.evaluate((text) => {
    const middle = (element) => {
      const box = element.querySelector('.hit').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const goal = [...document.querySelectorAll('.board [data-choice]')].find((it) => it.dataset.choice === text);
    const at = document.activeElement?.closest('.board [data-key]');
    return { at: at ? middle(at) : null, goal: middle(goal), isThere: at === goal };
  }, choice);
  let previous = '';
  for (let presses = 0; presses < 300; presses += 1) {
    const { at, goal, isThere } = await where();
    if (isThere) {
      await page.keyboard.press('Enter');
      return;
    }
    if (!at) {
      await page.locator('.board [tabindex="0"]').focus();
      continue;
    }
    const [dx, dy] = [goal[0] - at[0], goal[1] - at[1]];
    const key = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'ArrowRight' : 'ArrowLeft') : dy > 0 ? 'ArrowDown' : 'ArrowUp';
    const isStuck = previous === at.join() || presses > 25;
    previous = at.join();
    await page.keyboard.press(isStuck ? 'n' : key);
  }
  throw new Error(`the keyboard does not reach ${choice}`);
}

/** Plays to the end with moves that the server suggests. */
export async function playOut(page, url, game, variant, chooser, pliesMax = 200) {
  for (let ply = 0; ply < pliesMax; ply += 1) {
    const moves = movesOf(page);
    const answer = await fetch(`${url}/v1/games/${game}/hints`, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ variant, moves, limits: { nodes: 3000 }, level: 6, seed: 1 }),
    }).then((it) => it.json());
    if (answer.reason === 'game_over') return moves;
    await enter(page, answer.hints[0].move, chooser);
  }
  throw new Error(`${game} does not end within ${pliesMax} plies`);
}
