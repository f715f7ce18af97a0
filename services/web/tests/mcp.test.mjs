// The board in a chat: an app of the Model Context Protocol, shown by a host that forwards
// its messages to the server as real hosts do, in a sandbox with their default policy.

import assert from 'node:assert/strict';

import { findings } from './support/axe.mjs';
import { open, until } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
const POSITION = 'wwww2/6/bbbb2/6/6/6 w';

export async function before() {
  return { server: await startServer('--mcp') };
}
export const after = ({ server }) => server.stop();

/** Sends a request to the server's tools. */
async function ask({ url }, method, params) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return answer.json();
}

/** Opens a host that calls a tool and shows the app that the tool names. */
async function openHost(browser, server, tool, args, context = {}) {
  const { tools } = (await ask(server, 'tools/list', {})).result;
  const uri = tools.find((it) => it.name === tool)._meta.ui.resourceUri;
  const [content] = (await ask(server, 'resources/read', { uri })).result.contents;
  assert.equal(content.mimeType, 'text/html;profile=mcp-app');
  const html = content.text.replace('<meta charset', `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta charset`);
  const { result } = await ask(server, 'tools/call', { name: tool, arguments: args });
  const opened = await open(browser, undefined, { viewport: { width: 480, height: 720 } });
  await opened.page.exposeFunction('askServer', (method, params) => ask(server, method, params));
  await opened.page.setContent('<!doctype html><html lang="en"><title>A chat</title><iframe sandbox="allow-scripts" title="app" style="width:460px;height:700px;border:0"></iframe></html>');
  await opened.page.evaluate(({ html, args, result, context }) => {
    const frame = document.querySelector('iframe');
    window.log = [];
    const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
    window.notifyApp = (method, params) => send({ method, params });
    addEventListener('message', async ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      window.log.push(data);
      if (data.method === 'ui/initialize') {
        send({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' }, hostCapabilities: { serverTools: {}, serverResources: {} }, hostContext: context } });
      } else if (data.method === 'ui/notifications/initialized') {
        send({ method: 'ui/notifications/tool-input', params: { arguments: args } });
        send({ method: 'ui/notifications/tool-result', params: result });
      } else if (data.method === 'ui/update-model-context') {
        send({ id: data.id, result: {} });
      } else if (data.method && data.id !== undefined) {
        const { result, error } = await window.askServer(data.method, data.params);
        send({ id: data.id, ...(error ? { error } : { result }) });
      }
    });
    frame.srcdoc = html;
  }, { html, args, result, context });
  return { ...opened, app: opened.page.frameLocator('iframe') };
}

const sent = (page, method) => page.evaluate((wanted) => window.log.filter((it) => it.method === wanted).map((it) => it.params), method);

export const tests = {
  'a hint is a board with its moves, and a move can be played': async ({ browser, server }) => {
    const { page, app, check } = await openHost(browser, server, 'hint', { game: 'pentago', position: POSITION, count: 3, limits: { nodes: 2000 } });
    await app.locator('#board').waitFor();
    assert.equal(await app.locator('#state').textContent(), 'White to move');
    const best = app.locator('#moves button').first();
    assert.equal(await best.textContent(), 'e1 ✓ 100 %');
    // The alternative text is the board.
    assert.match(await app.locator('#board').getAttribute('alt'), /1 w w w w \. \./);
    assert.ok((await app.locator('#board').evaluate((it) => it.naturalWidth)) > 0, 'the picture is drawn');
    const before = await app.locator('#board').getAttribute('src');
    await best.hover();
    await until(page, () => window.log.some((it) => it.params?.uri?.includes('moves=e1')));
    await app.locator(`#board:not([src=${JSON.stringify(before)}])`).waitFor();
    await best.click();
    await app.locator('#state', { hasText: 'White has five in a row and wins.' }).waitFor();
    await until(page, () => window.log.some((it) => it.method === 'ui/update-model-context'));
    const [update] = await sent(page, 'ui/update-model-context');
    assert.equal(update.structuredContent.position, 'wwwww1/6/bbbb2/6/6/6 b');
    assert.match(update.content[0].text, /The person played e1/);
    assert.ok(!(await app.locator('#moves').isVisible()), 'the game is over');
    assert.ok((await sent(page, 'ui/notifications/size-changed')).every(({ width, height }) => width > 0 && height > 0));
    await check();
  },
  'the legal moves of a position are played one after the other': async ({ browser, server }) => {
    const { page, app, check } = await openHost(browser, server, 'position', { game: 'pentaflip' }, { theme: 'dark', locale: 'de-AT' });
    await app.locator('#state', { hasText: 'am Zug' }).waitFor();
    await app.locator('[data-move="b3"]').click();
    await until(page, () => window.log.filter((it) => it.method === 'ui/update-model-context').length === 1);
    await app.locator('#moves button:not([data-move="b3"])').first().click();
    await until(page, () => window.log.filter((it) => it.method === 'ui/update-model-context').length === 2);
    const uris = (await sent(page, 'resources/read')).map((it) => it.uri);
    assert.ok(uris.every((uri) => uri.includes('theme=dark')), uris.join(' '));
    assert.deepEqual(await findings(page), []);
    await check();
  },
  'what cannot be shown is said': async ({ browser, server }) => {
    const { page, app, check } = await openHost(browser, server, 'position', { game: 'pentago', moves: ['z9'] });
    await app.locator('#problem').waitFor();
    assert.match(await app.locator('#problem').textContent(), /bad_move in `moves\[0\]`/);
    await page.evaluate(() => window.notifyApp('ui/notifications/tool-cancelled', { reason: 'stopped' }));
    await app.locator('#problem', { hasText: 'Cancelled.' }).waitFor();
    await check();
  },
};
