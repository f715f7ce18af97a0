// Comments, circles and arrows that people add to the positions of a game.

import type { Node, Tree } from './tree';

export const COLOURS = ['green', 'red', 'blue', 'yellow'] as const;
export type Colour = (typeof COLOURS)[number];

/** A circle around a point, or an arrow from it to another one. */
export interface Mark {
  colour: Colour;
  from: string;
  to: string | null;
}

export interface Note {
  comment: string;
  marks: Mark[];
}

/** Longest comment. */
export const COMMENT_LEN_MAX = 1000;
const MARKS_MAX = 60;
/** Room for all notes in a link. */
export const NOTES_LEN_MAX = 30_000;

export const hasNote = ({ note }: { note: Note }): boolean => note.comment !== '' || note.marks.length > 0;

/** Adds a mark; an equal one is removed, one of another colour is replaced. */
export function withMark(marks: Mark[], mark: Mark): Mark[] {
  const same = (it: Mark) => it.from === mark.from && it.to === mark.to;
  const old = marks.find(same);
  const others = marks.filter((it) => !same(it));
  return (old?.colour === mark.colour ? others : [...others, mark]).slice(-MARKS_MAX);
}

/** Writes marks for links and game texts: `g:a1,r:a1>b2`. */
export function formatMarks(marks: readonly Mark[]): string {
  return marks.map(({ colour, from, to }) => `${colour[0]}:${from}${to === null ? '' : `>${to}`}`).join(',');
}

export function parseMarks(text: string): Mark[] {
  return text.split(',').flatMap((part) => {
    const [, letter, from, to] = /^([a-z]):([^>,]{1,20})(?:>([^>,]{1,20}))?$/.exec(part) ?? [];
    const colour = COLOURS.find((it) => it[0] === letter);
    return colour && from !== undefined ? [{ colour, from, to: to ?? null }] : [];
  }).slice(0, MARKS_MAX);
}

/** Writes all notes of a tree, with the numbers of their nodes in preorder. */
export function formatNotes(tree: Tree): string {
  const escape = (text: string) => encodeURIComponent(text).replace(/[~;()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`).replace(/%20/g, '_');
  return tree.all().flatMap((node, i) => {
    if (!hasNote(node)) return [];
    return [[i, escape(formatMarks(node.note.marks)), escape(node.note.comment.replace(/_/g, ' '))].join('~')];
  }).join(';');
}

/** Reads notes into the nodes of a tree; malformed ones are left out. */
export function parseNotes(text: string, tree: Tree): void {
  const nodes: Node[] = tree.all();
  for (const part of text.split(';')) {
    const [number = '', marks = '', comment = ''] = part.split('~');
    const node = /^\d+$/.test(number) ? nodes[Number(number)] : undefined;
    if (!node) continue;
    try {
      node.note = {
        marks: parseMarks(decodeURIComponent(marks)),
        comment: decodeURIComponent(comment.replace(/_/g, ' ')).slice(0, COMMENT_LEN_MAX),
      };
    } catch {
      // A broken escape.
    }
  }
}

/** Writes a note for a game text: `{[%marks g:a1] A good place.}`. */
export function noteText({ comment, marks }: Note): string {
  const parts = [marks.length > 0 ? `[%marks ${formatMarks(marks)}]` : '', comment.replace(/[{}]/g, (c) => (c === '{' ? '(' : ')')).trim()];
  return `{${parts.filter(Boolean).join(' ')}}`;
}

export function readNote(text: string): Note {
  const body = text.replace(/^\{|\}$/g, '');
  const marks = /\[%marks ([^\]]*)\]/.exec(body)?.[1] ?? '';
  return { marks: parseMarks(marks), comment: body.replace(/\[%marks [^\]]*\]/, '').replace(/\s+/g, ' ').trim().slice(0, COMMENT_LEN_MAX) };
}
