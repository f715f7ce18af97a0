// Games as text, for copying, saving and pasting: tags in brackets, numbered turns,
// variations in parentheses, comments in braces.
//
//   [Game "pentago"]
//   [Variant "standard"]
//
//   1. c3-2r d4-1l (1... e5-2r) 2. b2-1r

import { hasNote, noteText, readNote } from './notes';
import { Node, Tree } from './tree';

export interface GameText {
  game: string | null;
  variant: string | null;
  /** Null for the start. */
  position: string | null;
  tree: Tree;
}

/** What is written about a move: a comment, and a line that was better. */
export interface Remark {
  comment: string;
  better: string[];
}

export function writeGame(
  tags: { game: string; variant: string; position: string | null; result?: string | null; date?: string; accuracy?: string },
  tree: Tree,
  nSeats: number,
  remarkOn: (node: Node) => Remark | null = () => null,
): string {
  const tag = (name: string, value: string) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]\n`;
  let text = tag('Game', tags.game) + tag('Variant', tags.variant);
  if (tags.position !== null) text += tag('Position', tags.position);
  if (tags.date) text += tag('Date', tags.date);
  if (tags.result) text += tag('Result', tags.result);
  if (tags.accuracy) text += tag('Accuracy', tags.accuracy);
  return `${text}\n${wrap(`${noteOf(tree.root).trimStart()} ${turns(tree.root, nSeats, true, remarkOn)}`.trim())}\n`;
}

function turns(node: Node, nSeats: number, numbered: boolean, remarkOn: (node: Node) => Remark | null): string {
  const [main, ...others] = node.children;
  if (!main) return '';
  const words = [numberFor(main, nSeats, numbered) + main.move + noteOf(main)];
  const remark = remarkOn(main);
  // A game that was read from a text with remarks has them as its comments.
  if (remark?.comment && !main.note.comment.includes(remark.comment)) words.push(`{${remark.comment.replace(/[{}]/g, '')}}`);
  if (remark?.better[0] && !others.some((other) => other.move === remark.better[0])) {
    words.push(`(${remark.better.map((move, i) => numberAt(node.ply + i, nSeats, i === 0) + move).join(' ')})`);
  }
  for (const other of others) {
    const rest = turns(other, nSeats, false, remarkOn);
    words.push(`(${numberFor(other, nSeats, true)}${other.move}${noteOf(other)}${rest ? ` ${rest}` : ''})`);
  }
  const rest = turns(main, nSeats, others.length > 0 || remark !== null, remarkOn);
  if (rest) words.push(rest);
  return words.join(' ');
}

const noteOf = (node: Node): string => (hasNote(node) ? ` ${noteText(node.note)}` : '');

/** Returns `2. ` before the first seat's move, `2... ` if a line begins with another's. */
const numberFor = (node: Node, nSeats: number, always: boolean): string => numberAt(node.ply - 1, nSeats, always);

function numberAt(ply: number, nSeats: number, always: boolean): string {
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
  const words = body.match(/\{[^}]*\}|[()]|[^\s(),;{}]+/g) ?? [];
  for (const word of words) {
    if (word.startsWith('{')) {
      at.note = readNote(word);
    } else if (word === '(') {
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
