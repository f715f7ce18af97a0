// The board as an app in a chat: a host of the Model Context Protocol shows this page beside
// the result of a tool (extension MCP Apps, revision 2026-01-26). It has no network: pictures
// and answers come from the server through the host. People look at moves and play them;
// the model learns which position they see.

import { Host } from './host';
import { wordsFor } from './words';

/** Parts of a tool's result that the app shows. */
interface Result {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: Shown;
}

interface Shown {
  game?: string;
  variant?: string;
  position?: string;
  toMove?: string;
  outcome?: { text: string } | null;
  diagram?: string;
  legalMoves?: string[];
  hints?: ListedMove[];
  moves?: (ListedMove | string)[];
}

interface ListedMove {
  move: string;
  moveText?: string;
  evaluation?: Evaluation;
}

interface Variant {
  id: string;
  seatNames: Record<string, string>;
}

interface Evaluation {
  certainty: 'proven' | 'estimate';
  scores: Record<string, number>;
}

const host = new Host();
const element = (id: string) => document.getElementById(id)!;
const picture = element('board') as HTMLImageElement;

let words = wordsFor(navigator.language);
/** What the host has shown last, and the number of the picture that was requested last. */
let shown: Shown = {};
let nPictures = 0;

async function draw(moves: string[] = []) {
  const { game, variant, position } = shown;
  if (!game || !position) return;
  const number = ++nPictures;
  const query = new URLSearchParams({ position, size: '360', theme: isDark() ? 'dark' : 'light' });
  if (variant) query.set('variant', variant);
  if (moves.length > 0) {
    query.set('moves', moves.join(' '));
    query.set('lastMove', 'true');
  }
  // Spaces are `%20` in addresses of resources.
  const uri = `pentad://games/${game}/diagram.svg?${query.toString().replaceAll('+', '%20')}`;
  const { contents } = await host.request<{ contents: { text?: string }[] }>('resources/read', { uri });
  // Another picture may have been requested meanwhile.
  if (number !== nPictures || !contents[0]?.text) return;
  picture.src = `data:image/svg+xml,${encodeURIComponent(contents[0].text)}`;
  picture.alt = shown.diagram || position;
  picture.hidden = false;
}

function show(result: Result) {
  const { structuredContent, isError, content } = result;
  if (isError || !structuredContent?.position) {
    fail(content?.find((it) => it.text)?.text ?? words.failed);
    return;
  }
  shown = structuredContent;
  element('problem').hidden = true;
  listMoves();
  void describe().catch(failed);
  void draw().catch(failed);
}

/** Names of seats by game and variant, as far as they were requested. */
const seatNames = new Map<string, Promise<Map<string, string>>>();

function namesOf(game: string, variant: string) {
  const request = async () => {
    const { structuredContent } = await host.request<{ structuredContent?: { games?: { variants: Variant[] }[] } }>('tools/call', { name: 'games', arguments: { game } });
    const found = structuredContent?.games?.[0]?.variants.find((it) => it.id === variant);
    return new Map(Object.entries(found?.seatNames ?? {}));
  };
  const key = `${game}/${variant}`;
  // Where tools cannot be called from here, ids have to do.
  if (!seatNames.has(key)) seatNames.set(key, request().catch(() => new Map<string, string>()));
  return seatNames.get(key)!;
}

/** Writes how the game ended, or whose turn it is. */
async function describe() {
  const { game = '', variant = '', position, outcome, toMove = '' } = shown;
  const text = outcome ? outcome.text : words.toMove((await namesOf(game, variant)).get(toMove) ?? toMove);
  if (shown.position === position) element('state').textContent = text;
}

/** Lists the moves of the result with their values, or else the legal moves. */
function listMoves() {
  const listed = shown.hints ?? shown.moves ?? shown.legalMoves ?? [];
  const items: ListedMove[] = listed.map((it) => (typeof it === 'string' ? { move: it } : it));
  element('moves').replaceChildren(...items.map(({ move, moveText, evaluation }) => {
    const button = document.createElement('button');
    button.dataset.move = move;
    button.append(move);
    if (moveText) button.title = moveText;
    const score = evaluation?.scores[shown.toMove ?? ''];
    if (evaluation && score !== undefined) {
      const small = document.createElement('small');
      small.textContent = ` ${evaluation.certainty === 'proven' ? '✓' : '≈'} ${Math.round(score * 100)} %`;
      button.append(small);
    }
    button.onpointerenter = button.onfocus = () => void draw([move]).catch(failed);
    button.onpointerleave = button.onblur = () => void draw().catch(failed);
    button.onclick = () => void play(move).catch(failed);
    return button;
  }));
  element('moves').hidden = items.length === 0 || Boolean(shown.outcome);
}

async function play(move: string) {
  const { game, variant, position } = shown;
  const before = position;
  const result = await host.request<Result>('tools/call', { name: 'position', arguments: { game, variant, position, moves: [move] } });
  show(result);
  if (shown.position === before) return;
  const text = `The person played ${move} on the board. Position now: ${shown.position}`;
  await host.request('ui/update-model-context', { content: [{ type: 'text', text }], structuredContent: { game, variant, position: shown.position } });
}

function fail(message: string) {
  element('problem').textContent = message;
  element('problem').hidden = false;
}

function failed(error: unknown) {
  fail(error instanceof Error ? error.message : words.failed);
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

interface HostContext {
  theme?: 'light' | 'dark';
  locale?: string;
  styles?: { variables?: Record<string, string | undefined> };
}

function adopt({ theme, locale, styles }: HostContext) {
  const { documentElement: root } = document;
  if (theme) root.dataset.theme = theme;
  if (locale) words = wordsFor(locale);
  root.lang = words.language;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) if (value) root.style.setProperty(name, value);
  void draw().catch(failed);
}

host.on('ui/notifications/tool-result', (params) => show(params as Result));
host.on('ui/notifications/tool-cancelled', () => fail(words.cancelled));
host.on('ui/notifications/host-context-changed', (params) => adopt(params as HostContext));
// Nothing is kept that could be lost.
host.answer('ui/resource-teardown', () => ({}));
host.answer('ping', () => ({}));

const initialized = await host.request<{ hostContext?: HostContext }>('ui/initialize', {
  protocolVersion: '2026-01-26', appInfo: { name: 'pentad', version: '1' }, appCapabilities: { availableDisplayModes: ['inline'] },
});
adopt(initialized.hostContext ?? {});
host.notify('ui/notifications/initialized', {});
new ResizeObserver(() => {
  const { width, height } = document.body.getBoundingClientRect();
  host.notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
}).observe(document.body);
