// The buttons below an embedded board, and the bar beside it.

import type { Evaluation, Layout } from '../api/types';
import { svg } from '../board/svg';
import type { EmbedTexts } from './text';

export type Control = 'first' | 'previous' | 'next' | 'last' | 'hint' | 'turn';

const ICONS: Record<Control, string> = {
  first: 'M6 5v14M19 5l-9 7 9 7z', previous: 'M16 5l-9 7 9 7z', next: 'M8 5l9 7-9 7z', last: 'M18 5v14M5 5l9 7-9 7z',
  hint: 'M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-1 1-1 2-1 2H9s0-1-1-2z', turn: 'M4 12a8 8 0 1 1 3 6.2M4 12l-2.4-2.6M4 12l3-1.8',
};

/** Creates the buttons; `run` is called with the one that is pressed. */
export function controlBar(texts: EmbedTexts, names: Control[], run: (control: Control) => void): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'controls';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', texts.controls);
  bar.append(...names.map((name) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.control = name;
    button.title = texts[name];
    button.setAttribute('aria-label', texts[name]);
    const isSolid = name !== 'hint' && name !== 'turn';
    button.append(svg('svg', { viewBox: '0 0 24 24', width: 20, height: 20, 'aria-hidden': 'true' }, svg('path', {
      d: ICONS[name], fill: isSolid ? 'currentColor' : 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linejoin': 'round', 'stroke-linecap': 'round',
    })));
    button.addEventListener('click', () => run(name));
    return button;
  }));
  return bar;
}

/** Draws the expected scores of the seats, the first at the bottom; none while unknown. */
export function drawBar(bar: HTMLElement, seats: string[], layout: Layout, evaluation: Pick<Evaluation, 'scores' | 'certainty'> | null, texts: EmbedTexts): void {
  const scores = evaluation?.scores;
  const percent = (seat: string) => Math.round((scores?.[seat] ?? 0) * 100);
  bar.className = `bar ${evaluation?.certainty ?? 'estimate'}`;
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', `${texts.evaluation}: ${scores ? seats.map((seat) => `${seat} ${percent(seat)} %`).join(', ') : '…'}`);
  bar.replaceChildren(...seats.map((seat, i) => {
    const share = document.createElement('span');
    const fills = new Set(layout.pieces.filter((piece) => piece.seat === seat).map((piece) => piece.fill));
    share.className = `share share-${i}`;
    share.style.flexGrow = String(scores ? Math.max(0.001, scores[seat] ?? 0) : 1);
    if (fills.size === 1) share.style.background = [...fills][0]!;
    return share;
  }));
}
