// Games as text, for copying, saving and pasting: tags in brackets, numbered turns,
// variations in parentheses, comments in braces.
//
//   [Game "pentago"]
//   [Variant "standard"]
//
//   1. c3-2r d4-1l (1... e5-2r) 2. b2-1r

import { Node, Tree } from './tree';

export interface GameText {
  game: string | null;
  variant: string | null;
  /** Null for the start. */
  position: string | null;
  tree: Tree;
}

export function writeGame(
  tags: { game: string; variant: string; position: string | null; result?: string | null; date?: string },
  tree: Tree,
  nSeats: number,
): string {
  const tag = (name: string, value: string) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]\n`;
  let text = tag('Game', tags.game) + tag('Variant', tags.variant);
  if (tags.position !== null) text += tag('Position', tags.position);
  if (tags.date) text += tag('Date', tags.date);
  if (tags.result) text += tag('Result', tags.result);
  return `${text}\n${wrap(turns(tree.root, nSeats, true))}\n`;
}

function turns(node: Node, nSeats: number, numbered: boolean): string {
  const [main, ...others] = node.children;
  if (!main) return '';
  const words = [numberFor(main, nSeats, numbered) + main.move];
  for (const other of others) {
    const rest = turns(other, nSeats, false);
    words.push(`(${numberFor(other, nSeats, true)}${other.move}${rest ? ` ${rest}` : ''})`);
  }
  const rest = turns(main, nSeats, others.length > 0);
  if (rest) words.push(rest);
  return words.join(' ');
}

/** Returns `2. ` before the first seat's move, `2... ` if a line begins with another's. */
function numberFor(node: Node, nSeats: number, always: boolean): string {
  const ply = node.ply - 1;
  const turn = Math.floor(ply / nSeats) + 1;
  if (ply % nSeats === 0) return `${turn}. `;
  return always ? `${turn}... ` : '';
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > 90 && line) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line].join('\n');
}

/** Parses a game or a bare list of moves. The server checks whether the moves are legal. */
export function readGame(text: string): GameText {
  const tags = new Map<string, string>();
  const body = text.replace(/^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$/gm, (_, name: string, value: string) => {
    tags.set(name.toLowerCase(), value.replace(/\\(.)/g, '$1'));
    return '';
  });
  const tree = new Tree();
  const stack: Node[] = [];
  let at: Node = tree.root;
  const words = body.replace(/\{[^}]*\}/g, ' ').match(/[()]|[^\s(),;]+/g) ?? [];
  for (const word of words) {
    if (word === '(') {
      stack.push(at);
      at = at.parent ?? at;
    } else if (word === ')') {
      at = stack.pop() ?? at;
    } else if (!/^\d+\.+$/.test(word)) {
      at = tree.play(at, word.replace(/^\d+\.+(?=.)/, ''));
    }
  }
  return {
    game: tags.get('game') ?? null,
    variant: tags.get('variant') ?? null,
    position: tags.get('position') ?? null,
    tree,
  };
}
