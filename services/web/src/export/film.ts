// A game as an animated picture: a frame per move, with the move, its label and the
// expected result below the board.

import type { App } from '../app/app';
import { svgText } from '../board/export';
import { GifWriter } from './gif';
import { Painter, stillsOf, type Still } from './frames';
import { Mapper, paletteOf } from './palette';

const WIDTH = 480;
const GROUND = '#f7f1e6';
const STRIP = 44;
const DELAY = 110;
const DELAY_MISTAKE = 260;
const DELAY_END = 400;
/** Pictures from which the colours are taken. */
const SAMPLES = 6;
const COLOURS = 255;

/** Returns the film; `progress` hears how many frames are done. */
export async function filmOf(app: App, progress: (done: number, total: number) => void): Promise<Blob> {
  const stills = await stillsOf(app);
  const painter = new Painter(app);
  const { width, height } = painter.draw(stills[0]!, false).viewBox.baseVal;
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * height) / width) + STRIP;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const picture = async (still: Still) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svgText(painter.draw(still, true), WIDTH))}`;
    await image.decode();
    context.fillStyle = GROUND;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, WIDTH, canvas.height - STRIP);
    caption(context, still, app, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const step = Math.max(1, Math.floor(stills.length / SAMPLES));
  const samples: Uint8ClampedArray[] = [];
  for (const still of stills.filter((_, i) => i % step === 0 || i === stills.length - 1)) samples.push(await picture(still));
  const palette = paletteOf(samples, COLOURS);
  const mapper = new Mapper(palette);
  const writer = new GifWriter(canvas.width, canvas.height, palette);
  for (const [i, still] of stills.entries()) {
    const delay = i === stills.length - 1 ? DELAY_END : still.isMistake ? DELAY_MISTAKE : DELAY;
    writer.add({ pixels: mapper.map(await picture(still)), delay });
    progress(i + 1, stills.length);
    // The page stays usable meanwhile.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return writer.finish();
}

/** Writes the move and its label below the board, and the expected results as a bar. */
function caption(context: CanvasRenderingContext2D, still: Still, app: App, height: number): void {
  const { session } = app;
  const { variant, details } = session.table.value!;
  const top = height - STRIP;
  context.font = '600 17px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = still.isMistake ? '#a81f2b' : '#2b231b';
  const seat = still.view.mover === null ? '' : `${session.seatName(still.view.mover)} `;
  const outcome = still.view.position.outcome?.text ?? '';
  const text = still.move ? `${seat}${still.move} ${still.label}` : `${details.name} · ${variant.name}`;
  context.fillText([text.trim(), outcome].filter(Boolean).join(' · '), 12, top + 14, WIDTH - 24);
  const scores = still.reviewed?.after.scores;
  if (!scores) return;
  let x = 12;
  for (const [i, id] of variant.seats.entries()) {
    const width = (WIDTH - 24) * (scores[id] ?? 0);
    context.fillStyle = barColour(session.layout?.pieces.find((piece) => piece.seat === id)?.fill ?? '', i);
    context.fillRect(x, top + 28, width, 11);
    x += width;
  }
  context.strokeStyle = '#8d7c67';
  context.strokeRect(12.5, top + 28.5, WIDTH - 25, 10);
  context.fillStyle = '#2b231b';
}

const BARS = ['#d9cdb8', '#4a3b2c', '#3c9a4b', '#2f6fc4'];

const barColour = (fill: string, i: number): string => fill || BARS[i % BARS.length]!;
