// A review as one web page that needs nothing else: the story, the boards of its turning
// points, the moves with their labels, and a board to step through.

import type { App } from '../app/app';
import { percent } from '../app/evaluation';
import { inWords } from '../app/move-texts';
import { LABEL_GLYPHS } from '../app/moves-panel';
import { LABELS } from '../app/review/labels';
import { sentencesOf, turningNodes } from '../app/review/sentences';
import { settings, words } from '../app/settings';
import { svgText } from '../board/export';
import { learnWords } from '../text/learn';
import { Painter, stillsOf, type Still } from './frames';
import { SCRIPT, SHEET } from './report-parts';

const TURN_WIDTH = 320;
const BOARD_WIDTH = 640;

export async function reportOf(app: App): Promise<Blob> {
  const stills = await stillsOf(app);
  const { details, variant } = app.session.table.value!;
  const title = `${details.name} · ${variant.name}`;
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  const page = `<!doctype html>
<html lang="${settings.value.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(`${title}: ${words().review}`)}</title>
<style>${SHEET}</style>
</head>
<body>
<header><h1>${escape(title)}</h1><p><a href="${escape(location.href)}">${escape(learnWords().review.openGame)}</a></p></header>
<main>
${board(app, stills)}
<div>
${story(app)}
${labels(app)}
</div>
${turns(app, stills)}
</main>
<script type="application/json" id="frames">${JSON.stringify(framesOf(app, stills)).replace(/</g, '\\u003c')}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return new Blob([page], { type: 'text/html' });
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function story(app: App): string {
  const sentences = sentencesOf(app.reviewer.current()!, app.session);
  const paragraphs = sentences.map(({ text, node }) => `<p>${node ? `<b>${escape(inWords(node.move, app.moveTexts.ofNode(node)))}</b> ` : ''}${escape(text)}</p>`);
  return `<section><h2>${escape(learnWords().review.story)}</h2>${paragraphs.join('\n')}</section>`;
}

/** The board to step through, and the moves; without scripts it shows the end. */
function board(app: App, stills: Still[]): string {
  const w = words();
  const last = new Painter(app).draw(stills.at(-1)!, false);
  const buttons = [['first', w.first, '|◀'], ['previous', w.previous, '◀'], ['next', w.next, '▶'], ['last', w.last, '▶|']]
    .map(([id, name, sign]) => `<button type="button" id="${id}" aria-label="${escape(name!)}">${sign}</button>`).join('');
  const moves = stills.slice(1).map((still, i) => `<li><a href="#${i + 1}" data-frame="${i + 1}" class="${still.reviewed?.label ?? ''}">${escape(still.move)} <span>${escape(still.label)}</span></a></li>`);
  return `<section class="play"><div id="board">${svgText(last, BOARD_WIDTH)}</div>
<p id="caption" role="status"></p>
<nav aria-label="${escape(w.moves)}">${buttons}</nav>
<ol class="moves">${moves.join('\n')}</ol></section>`;
}

function labels(app: App): string {
  const { session, reviewer } = app;
  const w = words();
  const r = learnWords().review;
  const seats = Object.entries(reviewer.current()!.summary!.seats);
  const row = (name: string, cells: string[]) => `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const used = LABELS.filter((label) => seats.some(([, it]) => it.labels[label]));
  const head = `<tr><td></td>${seats.map(([seat]) => `<th scope="col">${escape(session.seatName(seat))}</th>`).join('')}</tr>`;
  const accuracy = row(escape(w.accuracy), seats.map(([, it]) => (it.accuracy === null ? '–' : percent(it.accuracy / 100))));
  const counts = used.map((label) => row(`${LABEL_GLYPHS[label]} ${escape(w.labels[label])}`, seats.map(([, it]) => String(it.labels[label] ?? 0))));
  const legend = used.map((label) => `<dt>${LABEL_GLYPHS[label]} ${escape(w.labels[label])}</dt><dd>${escape(r.meanings[label])}</dd>`);
  return `<section><table>${head}${accuracy}${counts.join('')}</table>
<h2>${escape(r.legend)}</h2><dl>${legend.join('')}</dl><p>${escape(r.accuracyMeaning)}</p></section>`;
}

/** The positions after the turning points, with the moves that were better. */
function turns(app: App, stills: Still[]): string {
  const painter = new Painter(app);
  const w = words();
  const figures = turningNodes(app.reviewer.current()!).flatMap((node) => {
    const still = stills.find((it) => it.node === node);
    if (!still) return [];
    const better = still.reviewed?.bestMove ? ` ${w.better}: ${inWords(still.reviewed.bestMove, still.reviewed.bestMoveText)}` : '';
    return [`<figure>${svgText(painter.draw(still, true), TURN_WIDTH)}<figcaption>${escape(`${inWords(still.move, app.moveTexts.ofNode(still.node))} ${still.label}.${better}`)}</figcaption></figure>`];
  });
  return figures.length > 0 ? `<section class="turns"><h2>${escape(w.turningPoints)}</h2><div>${figures.join('\n')}</div></section>` : '';
}

/** Each frame's pieces and marks; equal markup is stored once. */
function framesOf(app: App, stills: Still[]): { points: string[]; markup: string[]; frames: { pieces: number[]; marks: number; text: string }[] } {
  const painter = new Painter(app);
  const markup: string[] = [];
  const known = new Map<string, number>();
  const indexOf = (text: string) => {
    const index = known.get(text) ?? markup.push(text) - 1;
    known.set(text, index);
    return index;
  };
  let points: string[] = [];
  const frames = stills.map((still) => {
    const drawn = painter.draw(still, true);
    const layers = [...drawn.querySelectorAll<SVGGElement>('[data-point]')];
    points = layers.map((layer) => layer.dataset.point!);
    const seat = still.view.mover === null ? '' : `${app.session.seatName(still.view.mover)}: `;
    return { pieces: layers.map((layer) => indexOf(layer.innerHTML)), marks: indexOf(drawn.querySelector('.marks')!.innerHTML), text: `${seat}${inWords(still.move, app.moveTexts.ofNode(still.node))} ${still.label}`.trim() };
  });
  // The pictures of the page were drawn by another painter, whose gradients have other names.
  const own = /url\(#b\d+-/.exec(markup.join(''))?.[0];
  return { points, markup: own ? markup.map((text) => text.replaceAll(own, 'url(#BOARD-')) : markup, frames };
}
