// Reduces pictures to a palette: the colours that occur are split into boxes at the median
// of their widest channel.

/** Returns at most `max` colours, as 0xRRGGBB, for pixels of red, green, blue and alpha. */
export function paletteOf(pictures: Uint8ClampedArray[], max: number): number[] {
  const counts = new Map<number, number>();
  for (const data of pictures) {
    // Five bits per channel are enough to find the boxes.
    for (let i = 0; i < data.length; i += 4) {
      const key = ((data[i]! >> 3) << 10) | ((data[i + 1]! >> 3) << 5) | (data[i + 2]! >> 3);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const boxes: Box[] = [boxOf([...counts].map(([key, n]) => ({ channels: [(key >> 10) << 3, ((key >> 5) & 31) << 3, (key & 31) << 3], n })))];
  while (boxes.length < max) {
    const widest = boxes.reduce((a, b) => (b.weight > a.weight ? b : a));
    if (widest.weight === 0) break;
    boxes.splice(boxes.indexOf(widest), 1, ...split(widest));
  }
  return boxes.map(mean);
}

interface Colour {
  channels: number[];
  n: number;
}

interface Box {
  colours: Colour[];
  channel: number;
  /** Width of the widest channel times the root of the number of pixels; 0 if there is one
   * colour. */
  weight: number;
}

function boxOf(colours: Colour[]): Box {
  const widths = [0, 1, 2].map((channel) => {
    const values = colours.map((colour) => colour.channels[channel]!);
    return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255);
  });
  const channel = widths.indexOf(Math.max(...widths));
  const n = colours.reduce((sum, colour) => sum + colour.n, 0);
  return { colours, channel, weight: colours.length > 1 ? widths[channel]! * Math.sqrt(n) : 0 };
}

function split({ colours, channel }: Box): [Box, Box] {
  const sorted = [...colours].sort((a, b) => a.channels[channel]! - b.channels[channel]!);
  const half = sorted.reduce((sum, colour) => sum + colour.n, 0) / 2;
  let at = 0;
  for (let sum = 0; at < sorted.length - 1 && (at === 0 || sum + sorted[at]!.n <= half); at += 1) sum += sorted[at]!.n;
  return [boxOf(sorted.slice(0, at)), boxOf(sorted.slice(at))];
}

function mean({ colours }: Box): number {
  const n = colours.reduce((sum, colour) => sum + colour.n, 0);
  const of = (channel: number) => Math.min(255, Math.round(colours.reduce((sum, colour) => sum + colour.channels[channel]! * colour.n, 0) / n) + 4);
  return (of(0) << 16) | (of(1) << 8) | of(2);
}

/** Finds the nearest colours of a palette. */
export class Mapper {
  private readonly known = new Int16Array(1 << 15).fill(-1);

  constructor(private readonly palette: readonly number[]) {}

  map(data: Uint8ClampedArray): Uint8Array {
    const pixels = new Uint8Array(data.length / 4);
    for (let i = 0; i < pixels.length; i += 1) {
      const [r, g, b] = [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!];
      const key = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
      let index = this.known[key]!;
      if (index < 0) this.known[key] = index = this.nearest(r, g, b);
      pixels[i] = index;
    }
    return pixels;
  }

  private nearest(r: number, g: number, b: number): number {
    let [best, bestDistance] = [0, Infinity];
    this.palette.forEach((colour, i) => {
      const distance = 2 * ((colour >> 16) - r) ** 2 + 4 * (((colour >> 8) & 255) - g) ** 2 + 3 * ((colour & 255) - b) ** 2;
      if (distance < bestDistance) [best, bestDistance] = [i, distance];
    });
    return best;
  }
}
