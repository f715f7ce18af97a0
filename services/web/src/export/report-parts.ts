// Style sheet and script of a saved review. The script runs in the saved page only, from
// its own data.

export const SHEET = `
:root { color-scheme: light dark; --ink: light-dark(#2b231b, #ece6db); --card: light-dark(#fffdf8, #202226); --muted: light-dark(#6a5c4c, #b3a999); --rule: light-dark(#ddd0bb, #3a3d43); --bad: light-dark(#a81f2b, #ff8f8f); --good: light-dark(#1d6b3a, #7fd69b); --warn: light-dark(#7a5a00, #e3c25c); --accent: light-dark(#a63a27, #f08b72); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: light-dark(#f4eee2, #17181b); color: var(--ink); }
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: .8rem 0 .4rem; } p { margin: .3rem 0; }
main { display: grid; gap: 0 1rem; align-items: start; grid-template-columns: minmax(0, 1fr); } @media (min-width: 46rem) { main { grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); } }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 1rem; margin-bottom: 1rem; }
svg { width: 100%; height: auto; display: block; }
a { color: var(--accent); }
nav { display: flex; gap: .4rem; justify-content: center; margin: .5rem 0; }
nav button { font: inherit; min-width: 3rem; min-height: 2.5rem; border-radius: 8px; border: 1px solid var(--muted); background: none; color: inherit; cursor: pointer; }
#caption { min-height: 1.5em; text-align: center; font-weight: 600; }
.moves { list-style: none; padding: 0; margin: 0; columns: 11rem; }
.moves a { color: inherit; text-decoration: none; display: block; padding: .1rem .3rem; border-radius: 6px; }
.moves a[aria-current] { background: var(--accent); color: light-dark(#fff, #2a0f08); }
.moves a:not([aria-current]):is(.blunder, .mistake, .missed_win) span { color: var(--bad); } .moves a:not([aria-current]):is(.inaccuracy, .slower_win) span { color: var(--warn); } .moves a:not([aria-current]):is(.best, .good, .only_move) span { color: var(--good); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .15rem .4rem; border-top: 1px solid var(--rule); font-weight: 400; } tr:first-child > * { border: 0; font-weight: 600; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem 1.5rem; color: var(--muted); }
.turns { grid-column: 1 / -1; } .turns > div { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); } figure { margin: 0; }
@media print { nav { display: none; } }
`;

export const SCRIPT = `
const { points, markup, frames } = JSON.parse(document.getElementById('frames').textContent);
const board = document.querySelector('#board svg');
const prefix = board.querySelector('defs [id]').id.split('-')[0];
const layers = points.map((point) => board.querySelector('[data-point="' + CSS.escape(point) + '"]'));
const marks = board.querySelector('.marks');
const links = [...document.querySelectorAll('[data-frame]')];
let at = frames.length - 1;
function draw(element, index) {
  if (element.dataset.shown === String(index)) return;
  element.dataset.shown = index;
  element.innerHTML = markup[index].replaceAll('url(#BOARD-', 'url(#' + prefix + '-');
}
function show(n) {
  at = Math.max(0, Math.min(frames.length - 1, n));
  const frame = frames[at];
  layers.forEach((layer, i) => draw(layer, frame.pieces[i]));
  draw(marks, frame.marks);
  document.getElementById('caption').textContent = frame.text;
  links.forEach((link) => (Number(link.dataset.frame) === at ? link.setAttribute('aria-current', 'step') : link.removeAttribute('aria-current')));
}
const steps = { first: () => show(0), previous: () => show(at - 1), next: () => show(at + 1), last: () => show(frames.length - 1) };
for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener('click', step);
const keys = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
addEventListener('keydown', (event) => {
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  steps[keys[event.key]]();
  event.preventDefault();
});
for (const link of links) link.addEventListener('click', (event) => {
  show(Number(link.dataset.frame));
  event.preventDefault();
});
show(frames.length - 1);
`;
