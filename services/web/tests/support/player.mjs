// Plays whole games on the page, by mouse, finger or keyboard, with moves that the
// server suggests or with given ones.

import { until } from './browser.mjs';

/** Returns the moves of the main line, from the address. */
export function movesOf(page) {
  const field = /[?&]m=([^&]*)/.exec(new URL(page.url()).hash.replace('#', ''));
  return field ? field[1].split('.').map(decodeURIComponent) : [];
}

/** Chooses the steps of a move, one after the other, then waits until it is played. */
export async function enter(page, move, chooser) {
  let entered = { prefix: '', ply: null, choice: null };
  for (;;) {
    entered = await until(page, nextStep, [move, entered]).then((handle) => handle.jsonValue());
    if (entered.choice === null) return;
    await chooser(page, entered.choice);
    // The page waits for the next step, plays the move, or adds steps without alternatives.
    entered.prefix += entered.choice;
  }
}

/** In the page: returns the next step of a move, without a choice once it is played, or null
 * as long as the page is busy. The address is that of the position shown as soon as the
 * board has choices, and not before: it tells how many moves there were. */
function nextStep([text, { prefix, ply }]) {
  const field = /[?&]m=([^&]*)/.exec(location.hash);
  const now = field ? field[1].split('.').length : 0;
  if (ply !== null && now > ply) return { prefix, ply, choice: null };
  const word = document.querySelector('.status code')?.textContent ?? '';
  if (word.length < prefix.length || !text.startsWith(word)) return null;
  const fits = [...document.querySelectorAll('.board [data-choice]')].map((it) => it.dataset.choice).filter((choice) => text.startsWith(word + choice));
  const [choice] = fits.sort((a, b) => b.length - a.length);
  return choice === undefined ? null : { prefix: word, ply: now, choice };
}

export async function byMouse(page, choice) {
  const element = page.locator(`.board [data-choice=${JSON.stringify(choice)}]`);
  const box = await element.locator('.hit').first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Taps the middle of the choice, as a finger would. */
export async function byFinger(page, choice) {
  const place = page.locator(`.board [data-choice=${JSON.stringify(choice)}] .hit`).first();
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
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
