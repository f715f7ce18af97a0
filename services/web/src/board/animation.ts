// Animates turns and flips of blocks and moves of pieces, with the Web Animations API.

import type { Point } from '../api/types';
import type { Drawing } from './drawing';
import type { Motion } from './motion';

const TURN_MS = 380;
const FLIP_MS = 460;
const SLIDE_MS = 340;

export interface Movement {
  done: Promise<void>;
  stop: () => void;
}

export function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Plays a motion. `showAfter` draws the final pieces: after a turn, or in the middle of
 * a flip, when the blocks are seen edge-on. */
export function animate(drawing: Drawing, points: ReadonlyMap<string, Point>, motion: Motion, showAfter: () => void): Movement {
  const animations: Animation[] = [];
  let stopped = false;
  const run = (element: SVGElement, origin: string, frames: Keyframe[], duration: number, easing: string) => {
    element.style.transformOrigin = origin;
    const animation = element.animate(frames, { duration, easing, fill: 'forwards' });
    animations.push(animation);
    return animation.finished.catch(() => undefined);
  };
  const turn = (block: SVGGElement, origin: string, degrees: number) => {
    const frames = [{ transform: 'rotate(0deg)' }, { transform: `rotate(${degrees}deg)` }];
    const ends = [run(block, origin, frames, TURN_MS, 'cubic-bezier(.5,0,.2,1)')];
    // Pieces turn against their block, so that their highlights stay in place.
    for (const piece of block.querySelectorAll<SVGGElement>('.piece')) {
      const box = piece.getBBox();
      const back = [{ transform: 'rotate(0deg)' }, { transform: `rotate(${-degrees}deg)` }];
      ends.push(run(piece, `${box.x + box.width / 2}px ${box.y + box.height / 2}px`, back, TURN_MS, 'cubic-bezier(.5,0,.2,1)'));
    }
    return Promise.all(ends);
  };
  const flip = async (blocks: SVGGElement[], origin: string, axis: number) => {
    const flat = { transform: `rotate(${axis}deg) scale(1, 1) rotate(${-axis}deg)` };
    const edge = { transform: `rotate(${axis}deg) scale(0.02, 1) rotate(${-axis}deg)` };
    await Promise.all(blocks.map((block) => run(block, origin, [flat, edge], FLIP_MS / 2, 'ease-in')));
    if (stopped) return;
    showAfter();
    await Promise.all(blocks.map((block) => run(block, origin, [edge, flat], FLIP_MS / 2, 'ease-out')));
  };
  const all = motion.blocks.map(async ({ blocks, x, y, turn: degrees, axis }) => {
    const groups = blocks.map((id) => drawing.blocks.get(id)).filter((group) => group !== undefined);
    const origin = `${x}px ${y}px`;
    if (degrees !== undefined) await Promise.all(groups.map((group) => turn(group, origin, degrees)));
    else await flip(groups, origin, axis ?? 0);
  });
  const slides = motion.slides.map(async ({ piece, from, to }) => {
    const [start, end, layer] = [points.get(from), points.get(to), drawing.layers.get(to)];
    const moved = [...(layer?.querySelectorAll<SVGGElement>('.piece') ?? [])].find((it) => it.dataset.piece === piece);
    if (!start || !end || !layer || !moved) return;
    // Drawn above everything in its path.
    layer.parentNode?.append(layer);
    layer.classList.remove('arriving');
    const there = { transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` };
    await run(moved, '0 0', [there, { transform: 'translate(0, 0)' }], SLIDE_MS, 'cubic-bezier(.4,0,.2,1)');
  });
  const cancel = () => animations.forEach((animation) => animation.cancel());
  return {
    done: Promise.all([...all, ...slides]).then(() => undefined),
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
