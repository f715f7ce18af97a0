// Exports the board as a picture, without targets.

import { svg } from './svg';

const PNG_WIDTH = 1200;

/** For pictures that stand alone. */
export const STYLE = '.table{fill:#fbf6ea;stroke:#c9b590;stroke-width:.06}.edges line,.edges path{stroke:#6b5640;stroke-width:.09;stroke-linecap:round}.labels{color:#4a3b2c}'
  + '.mark-last{fill:none;stroke:#ffd84d;stroke-width:.07}.mark-ring{fill:none;stroke:#e02d8b;stroke-width:.08}'
  + '.mark-turn{fill:none;stroke:#e02d8b;stroke-width:.12;stroke-linecap:round}'
  + '.mark-arrow line{stroke:#e02d8b;stroke-width:.12}.mark-arrow path{fill:#e02d8b}.mark-arrow .casing,.mark-turn.casing{stroke:#fff;stroke-width:.2}.mark-arrow path.casing{fill:#fff;stroke-width:.1}'
  + '.mark-last-block,.mark-last-turn{fill:none;stroke:#ffd84d;stroke-width:.06}.mark-winning{fill:none;stroke:#12a45b;stroke-width:.14}'
  + '.mark-ring.better{stroke:#12a45b}.mark-turn.better{stroke:#12a45b}.mark-arrow.better line:not(.casing){stroke:#0f8a4c}.mark-arrow.better path:not(.casing){fill:#0f8a4c}'
  + '.mark-ring.bad,.mark-turn.bad{stroke:#d61f1f}.legal,.movable{display:none}'
  + '.mark-ring.drawn{stroke:var(--drawn);stroke-width:.11}.mark-arrow.drawn line:not(.casing){stroke:var(--drawn)}.mark-arrow.drawn path:not(.casing){fill:var(--drawn)}'
  + '.drawn.green{--drawn:#0f8a3c}.drawn.red{--drawn:#c4161c}.drawn.blue{--drawn:#1550c8}.drawn.yellow{--drawn:#d99400}'
  + '.badge rect,.badge circle{fill:#fff;stroke:#333;stroke-width:.03}.badge{color:#111}';

/** Returns a board as the text of an SVG file. */
export function svgText(board: SVGSVGElement, width = PNG_WIDTH): string {
  const view = board.viewBox.baseVal;
  const copy = board.cloneNode(true) as SVGSVGElement;
  copy.querySelector('.targets')?.remove();
  const ground = svg('rect', { width: view.width, height: view.height, rx: 0.3, fill: '#f7f1e6' });
  copy.prepend(svg('style', {}, STYLE), ground);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(Math.round((width * view.height) / view.width)));
  for (const name of ['class', 'role', 'aria-label']) copy.removeAttribute(name);
  for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style');
  return new XMLSerializer().serializeToString(copy);
}

export function exportSvg(board: SVGSVGElement): Blob {
  return new Blob([svgText(board)], { type: 'image/svg+xml' });
}

export async function exportPng(board: SVGSVGElement): Promise<Blob> {
  const { width, height } = board.viewBox.baseVal;
  const canvas = document.createElement('canvas');
  canvas.width = PNG_WIDTH;
  canvas.height = Math.round((PNG_WIDTH * height) / width);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgText(board))}`;
  await image.decode();
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png');
  });
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
