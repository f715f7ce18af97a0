// Creates SVG elements. Texts become text nodes; no markup is parsed.

const NAMESPACE = 'http://www.w3.org/2000/svg';

export type Attributes = Record<string, string | number>;

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Element | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : value);
  }
  element.append(...children);
  return element;
}

/** Creates a text centred at a point. */
export function label(text: string, x: number, y: number, size: number, fill: string): SVGTextElement {
  return svg('text', {
    x, y, 'font-size': size, fill, 'text-anchor': 'middle', 'dominant-baseline': 'central',
    'font-family': 'ui-rounded, system-ui, sans-serif',
  }, text);
}

/** Returns the path of an arc with an arrow head at its end. */
export function arcArrow(cx: number, cy: number, r: number, clockwise: boolean, head = r * 0.55): string {
  const sign = clockwise ? 1 : -1;
  const at = (angle: number, radius = r) => `${(cx + sign * radius * Math.sin(angle)).toFixed(3)} ${(cy - radius * Math.cos(angle)).toFixed(3)}`;
  const end = 1.75;
  const back = end - head / r;
  return `M${at(-2.2)}A${r} ${r} 0 1 ${clockwise ? 1 : 0} ${at(end)}`
    + `M${at(back, r - head * 0.85)}L${at(end)}L${at(back, r + head * 0.85)}`;
}
