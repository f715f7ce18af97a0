// Export and import of positions and games, as text and pictures.

import { useState } from 'preact/hooks';

import { ApiError } from '../api/client';
import { exportPng, exportSvg, save } from '../board/export';
import { readGame, writeGame } from '../model/game-text';
import { Tree } from '../model/tree';
import { useApp, type App } from './app';
import { useObservable } from './observable';
import { settings, words } from './settings';

export function SharePanel() {
  const app = useApp();
  const { session, announcement, board } = app;
  const view = useObservable(session.view);
  useObservable(session.revision);
  useObservable(settings);
  const [pasted, setPasted] = useState('');
  const w = words();
  if (!view) return null;
  const game = gameText(app);
  const name = session.table.value!.details.id;
  const copy = async (text: string) => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    announcement.value = w.copied;
  };
  return (
    <div class="share">
      <Field label={w.position} text={view.position.position} copy={copy} testid="position" />
      <Field label={w.gameText} text={game} copy={copy} testid="game-text" rows={4} />
      <Field label={w.link} text={sharedAddress()} copy={copy} testid="link" />
      <Field label={w.embedCode} text={embedCode(app)} copy={copy} testid="embed-code" rows={3} />
      <p class="muted"><a href="/embed/v1/example.html">{w.embedMore}</a></p>
      <div class="row" role="group" aria-label={w.download}>
        <span>{w.download}</span>
        <button type="button" data-testid="save-svg" onClick={() => save(exportSvg(board.element), `${name}.svg`)}>SVG</button>
        <button type="button" data-testid="save-png" onClick={() => void exportPng(board.element).then((png) => save(png, `${name}.png`))}>PNG</button>
        <button type="button" data-testid="save-text" onClick={() => save(new Blob([game], { type: 'text/plain' }), `${name}.txt`)}>{w.gameText}</button>
      </div>
      <form onSubmit={(e) => { e.preventDefault(); void load(app, pasted); }}>
        <label><span>{w.paste}</span>
          <textarea rows={3} data-testid="paste" value={pasted} maxLength={100_000} spellcheck={false} onInput={(e) => setPasted(e.currentTarget.value)} />
        </label>
        <button type="submit" data-testid="load" disabled={pasted.trim() === ''}>{w.load}</button>
      </form>
    </div>
  );
}

/** Longer addresses are not sent to servers: proxies refuse them. */
const ADDRESS_LEN_MAX = 2000;

/** Returns the address of the game, with `/s/` in place of `#`: services that preview links ask
 * the server for it, which leads people on to the board. */
function sharedAddress(): string {
  const { href, hash } = location;
  const address = hash.slice(1);
  const shared = new URL(`s/${address}`, href.slice(0, href.length - hash.length)).href;
  return address === '' || shared.length > ADDRESS_LEN_MAX ? href : shared;
}

function Field(props: { label: string; text: string; copy: (text: string) => void; testid: string; rows?: number }) {
  const w = words();
  return (
    <label class="copyfield">
      <span>{props.label}</span>
      {props.rows
        ? <textarea readOnly rows={props.rows} value={props.text} data-testid={props.testid} />
        : <input readOnly type="text" value={props.text} data-testid={props.testid} />}
      <button type="button" aria-label={`${w.copy}: ${props.label}`} onClick={() => props.copy(props.text)}>{w.copy}</button>
    </label>
  );
}

/** HTML that shows the game on a page of another site, or the puzzle that is being solved. */
function embedCode({ session }: App): string {
  const { details, variant, position, puzzle } = session.table.value!;
  const { moves } = session.view.value!.node;
  const attributes = { game: details.id, variant: variant.id, ...(puzzle ? { puzzle } : { ...(position === null ? {} : { position }), ...(moves.length > 0 ? { moves: moves.join(' ') } : {}) }) };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`).join(' ');
  return `<script type="module" src="${location.origin}/embed/v1/pentad-board.js"></script>\n<pentad-board ${written} interactive controls></pentad-board>`;
}

function gameText(app: App): string {
  const { details, variant, position, tree } = app.session.table.value!;
  const outcome = app.session.view.value!.position.outcome;
  return writeGame({ game: details.id, variant: variant.id, position, result: outcome?.text ?? null }, tree, variant.seats.length);
}

/** Shows a pasted position or game; a text that names no game belongs to the one shown. */
async function load(app: App, text: string): Promise<void> {
  const { session, client } = app;
  const table = session.table.value!;
  const line = text.trim();
  if (!line.includes('\n') && !line.startsWith('[')) {
    const position = await client.position(table.details.id, { variant: table.variant.id, position: line }).catch(() => null);
    if (position) return session.start(table.details.id, table.variant.id, table.seats, position.position);
  }
  const read = readGame(text);
  const game = read.game ?? table.details.id;
  const variant = read.variant ?? (read.game === null ? table.variant.id : '');
  const start = read.position === null ? {} : { position: read.position };
  try {
    if (!read.tree.root.next && read.position === null) throw new Error(words().notUnderstood);
    const moves = read.tree.tip().moves;
    await client.position(game, { ...(variant ? { variant } : {}), ...start, moves });
    const tree: Tree = read.tree;
    await session.follow({ game, variant, position: read.position, tree, node: tree.tip(), seats: [] }, 'push');
  } catch (error) {
    const at = error instanceof ApiError ? error.index ?? 0 : 0;
    session.connection.report(error, read.tree.tip().moves[at] ?? null);
  }
}
