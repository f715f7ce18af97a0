// Writes animated GIFs: one palette for all frames, and of each frame only the rectangle
// that differs from the one before, with equal pixels transparent.

export interface Frame {
  /** Indices into the palette, row by row. */
  pixels: Uint8Array;
  /** How long the frame is shown, in hundredths of a second. */
  delay: number;
}

/** Index of the palette for pixels that stay as they are. */
const TRANSPARENT = 255;
const CODE_SIZE = 8;
const CODES_MAX = 4096;

export class GifWriter {
  private readonly parts: Uint8Array[] = [];
  private before: Uint8Array | null = null;

  /** The palette has at most 255 colours, as 0xRRGGBB. */
  constructor(private readonly width: number, private readonly height: number, palette: readonly number[]) {
    const header = [...bytesOf('GIF89a'), ...word(width), ...word(height), 0xf7, 0, 0];
    for (let i = 0; i < 256; i += 1) {
      const colour = palette[i] ?? 0;
      header.push(colour >> 16, (colour >> 8) & 255, colour & 255);
    }
    // Repeats without end.
    header.push(0x21, 0xff, 11, ...bytesOf('NETSCAPE2.0'), 3, 1, 0, 0, 0);
    this.parts.push(Uint8Array.from(header));
  }

  add({ pixels, delay }: Frame): void {
    const { left, top, width, height } = this.changed(pixels);
    const cut = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = (top + y) * this.width + left + x;
        cut[y * width + x] = this.before?.[at] === pixels[at] ? TRANSPARENT : pixels[at]!;
      }
    }
    // Frames stay below the next one; 255 is transparent.
    const control = [0x21, 0xf9, 4, 0x05, ...word(delay), TRANSPARENT, 0];
    const image = [0x2c, ...word(left), ...word(top), ...word(width), ...word(height), 0, CODE_SIZE];
    this.parts.push(Uint8Array.from([...control, ...image]), ...blocks(compress(cut)));
    this.before = pixels;
  }

  finish(): Blob {
    return new Blob([...this.parts, Uint8Array.of(0x3b)] as BlobPart[], { type: 'image/gif' });
  }

  /** Returns the rectangle that differs from the frame before; one pixel if none does. */
  private changed(pixels: Uint8Array): { left: number; top: number; width: number; height: number } {
    const { before } = this;
    if (!before) return { left: 0, top: 0, width: this.width, height: this.height };
    let [left, right, top, bottom] = [this.width, -1, this.height, -1];
    for (let i = 0; i < pixels.length; i += 1) {
      if (pixels[i] === before[i]) continue;
      const [x, y] = [i % this.width, Math.floor(i / this.width)];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
    return right < 0 ? { left: 0, top: 0, width: 1, height: 1 } : { left, top, width: right - left + 1, height: bottom - top + 1 };
  }
}

const bytesOf = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));
const word = (n: number): number[] => [n & 255, n >> 8];

/** Cuts data into blocks of at most 255 bytes, ended by an empty one. */
function blocks(data: Uint8Array): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    cut.push(Uint8Array.of(part.length), part);
  }
  return [...cut, Uint8Array.of(0)];
}

/** Known strings: the code of a string and one more pixel, 0 if it has none. */
const table = new Uint16Array(CODES_MAX << 8);

/** Compresses pixels as GIF does: LZW with codes of 9 to 12 bits, the lowest bits first. */
export function compress(pixels: Uint8Array): Uint8Array {
  const [clear, end] = [1 << CODE_SIZE, (1 << CODE_SIZE) + 1];
  const out: number[] = [];
  let [bits, nBits, size, next] = [0, 0, CODE_SIZE + 1, end + 1];
  const write = (code: number) => {
    bits |= code << nBits;
    nBits += size;
    for (; nBits >= 8; nBits -= 8, bits >>>= 8) out.push(bits & 255);
  };
  table.fill(0);
  write(clear);
  let prefix = pixels[0]!;
  for (let i = 1; i < pixels.length; i += 1) {
    const key = (prefix << 8) | pixels[i]!;
    const known = table[key]!;
    if (known !== 0) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = pixels[i]!;
    if (next === CODES_MAX) {
      write(clear);
      table.fill(0);
      [size, next] = [CODE_SIZE + 1, end + 1];
      continue;
    }
    if (next === 1 << size) size += 1;
    table[key] = next;
    next += 1;
  }
  write(prefix);
  // With this code the reader adds the string that the writer has added before it.
  if (next === 1 << size && size < 12) size += 1;
  write(end);
  if (nBits > 0) out.push(bits & 255);
  return Uint8Array.from(out);
}
