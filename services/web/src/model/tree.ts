// A game with its variations: a tree of moves. The first child of a node is the
// main continuation.

import type { Note } from './notes';

export class Node {
  readonly children: Node[] = [];
  /** What people have added to the position after the move. */
  note: Note = { comment: '', marks: [] };

  constructor(
    readonly move: string,
    readonly parent: Node | null,
  ) {}

  get ply(): number {
    return this.path.length - 1;
  }

  /** The moves from the root to here. */
  get moves(): string[] {
    return this.path.slice(1).map((node) => node.move);
  }

  /** This node and its ancestors, starting with the root. */
  get path(): Node[] {
    const path: Node[] = [];
    for (let node: Node | null = this; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  get next(): Node | null {
    return this.children[0] ?? null;
  }

  get isMainLine(): boolean {
    return this.path.every((node) => !node.parent || node.parent.next === node);
  }
}

export class Tree {
  readonly root = new Node('', null);

  /** Returns the child with this move, adding it if necessary. */
  play(node: Node, move: string): Node {
    const known = node.children.find((child) => child.move === move);
    if (known) return known;
    const child = new Node(move, node);
    node.children.push(child);
    return child;
  }

  playAll(node: Node, moves: readonly string[]): Node {
    return moves.reduce((at, move) => this.play(at, move), node);
  }

  /** Makes the line that leads to `node` the main one. */
  promote(node: Node): void {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Removes a node and all its descendants; returns its parent. */
  remove(node: Node): Node {
    if (!node.parent) return node;
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    return node.parent;
  }

  /** Returns the last node of the main continuation from here. */
  tip(node: Node = this.root): Node {
    let tip = node;
    while (tip.next) tip = tip.next;
    return tip;
  }

  /** Returns all nodes in preorder. */
  all(): Node[] {
    const nodes: Node[] = [];
    const left: Node[] = [this.root];
    for (let node = left.pop(); node; node = left.pop()) {
      nodes.push(node);
      left.push(...[...node.children].reverse());
    }
    return nodes;
  }
}

// As text: moves separated by `.`, variations in parentheses after the move that
// they replace: `c3-2r.d4-1l(e5-2r.a1-3l).b2-1r`.

const escapeMove = (move: string) => encodeURIComponent(move).replace(/[.()!'*]/g, escapeCharacter);
const escapeCharacter = (c: string) => (c === '!' || c === '*' || c === "'" ? c : `%${c.charCodeAt(0).toString(16)}`);

export function formatTree(tree: Tree): string {
  const line = (from: Node): string => {
    const parts: string[] = [];
    for (let node = from; node.next; node = node.next) {
      const variations = node.children.slice(1).map((other) => `(${continued(other)})`).join('');
      parts.push(escapeMove(node.next.move) + variations);
    }
    return parts.join('.');
  };
  const continued = (node: Node): string => {
    const rest = line(node);
    return escapeMove(node.move) + (rest ? `.${rest}` : '');
  };
  return line(tree.root);
}

/** Parses the output of `formatTree`; malformed parts are left out. */
export function parseTree(text: string): Tree {
  const tree = new Tree();
  const stack: Node[] = [];
  let at: Node = tree.root;
  for (const token of text.match(/[().]|[^().]+/g) ?? []) {
    if (token === '(') {
      stack.push(at);
      at = at.parent ?? at;
    } else if (token === ')') {
      at = stack.pop() ?? at;
    } else if (token !== '.') {
      try {
        at = tree.play(at, decodeURIComponent(token));
      } catch {
        // A broken escape: the rest of this line cannot be trusted.
        break;
      }
    }
  }
  return tree;
}
