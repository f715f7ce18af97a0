// Runs while the page's own script is still on its way: asks for the game and the
// position of the address, so that they are there when that script is.

import { askEarly } from './api/early';
import { gamePath } from './api/request';
import type { Game, PositionQuestion } from './api/types';
import { storedSettings, storedToken } from './app/stored';
import { firstGame, parseLink, rootQuestion } from './model/link';

const { language } = storedSettings();
const token = storedToken();

function ask(path: string, body?: unknown, then?: (response: Response) => Promise<Response>): void {
  askEarly({ path, body, accept: 'application/json', language, token }, then);
}

function askGame(game: string, question: PositionQuestion): void {
  ask(gamePath(game));
  ask(gamePath(game, 'position'), question);
}

const linked = parseLink(location.hash);
if (linked) askGame(linked.game, rootQuestion(linked));
ask('/v1/games', undefined, async (response) => {
  if (linked || !response.ok) return response;
  const text = await response.text();
  const game = firstGame((JSON.parse(text) as { games: Game[] }).games);
  if (game) askGame(game.id, {});
  return new Response(text, response);
});
