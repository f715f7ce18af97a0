// Runs while the page's own script is loading: requests the game and the position of
// the address, so that both are there when that script starts.

import { preload } from './api/preload';
import { gamePath } from './api/request';
import type { Game, PositionQuestion } from './api/types';
import { storedSettings, storedToken } from './app/stored';
import { firstGame, parseLink, rootQuestion } from './model/link';

const { language } = storedSettings();
const token = storedToken();

function request(path: string, body?: unknown, then?: (response: Response) => Promise<Response>): void {
  preload({ path, body, accept: 'application/json', language, token }, then);
}

function requestGame(game: string, question: PositionQuestion): void {
  request(gamePath(game));
  request(gamePath(game, 'position'), question);
}

const linked = parseLink(location.hash);
if (linked) requestGame(linked.game, rootQuestion(linked));
request('/v1/games', undefined, async (response) => {
  if (linked || !response.ok) return response;
  const text = await response.text();
  const game = firstGame((JSON.parse(text) as { games: Game[] }).games);
  if (game) requestGame(game.id, {});
  return new Response(text, response);
});
