// Lightens and darkens the layout's colours as the server's diagrams do.

export const DEFAULTS = {
  block: '#b98b5e', hole: '#8f6640', cell: '#e9d8bd', stop: '#d9c7a8', piece: '#7d8790',
} as const;

export function orDefault(colour: string, fallback: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : fallback;
}

function channels(colour: string): [number, number, number] {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Mixes in white (`by` up to 1) or black (`by` down to -1). */
export function shade(colour: string, by: number): string {
  const towards = by > 0 ? 255 : 0;
  const mixed = channels(colour).map((channel) => Math.round(channel + (towards - channel) * Math.abs(by)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes two colours: the first at 0, the second at 1. */
export function mix(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  return `#${a.map((channel, i) => Math.round(channel + (b[i]! - channel) * part).toString(16).padStart(2, '0')).join('')}`;
}

/** 0 for black to 1 for white. */
export function lightness(colour: string): number {
  const [r, g, b] = channels(colour);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

export const isDark = (colour: string): boolean => lightness(colour) < 0.549;
