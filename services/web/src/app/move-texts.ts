// Moves in a player's words: those that come with other answers, and the rest on request.

import { useEffect } from 'preact/hooks';

import { isAbort } from '../api/client';
import type { PositionQuestion } from '../api/types';
import type { Node } from '../model/tree';
import { useApp } from './app';
import { afterFrame } from './frame';
import { Observable, useObservable } from './observable';
import type { Session } from './session';
import { settings } from './settings';

/** A legal move and its words, as answers have them. */
interface Worded {
  move: string;
  moveText: string;
}

/** Moves whose words are remembered. */
const TEXTS_MAX = 5000;
/** Moves that may begin with the text of another one. */
const PAGE_SIZE = 20;
/** Requests at the same time; the rest of the page should not wait for them. */
const REQUESTS_MAX = 2;
/** Moves that wait to be requested, and moves after the last known position, at most: links may
 * have thousands. */
const QUEUE_MAX = 300;
const MOVES_MAX = 200;
/** How long a move on the board waits for its words. */
const WAIT_MS = 150;

export class MoveTexts {
  /** Changes when words have arrived. */
  readonly revision = new Observable(0);
  /** An empty text where a move has none. */
  private readonly texts = new Map<string, string>();
  private readonly pending = new Map<string, Promise<void>>();
  private readonly queue: (() => Promise<void>)[] = [];
  /** Games that have no words for their moves. */
  private readonly wordless = new Set<string>();
  private readonly worded = new Set<string>();
  private nRunning = 0;
  private isChanging = false;

  constructor(private readonly session: Session) {}

  /** Whether moves of the game shown may have words that the reader wants to see. */
  get isOn(): boolean {
    return settings.value.moveWords && !this.wordless.has(this.gameId);
  }

  /** Returns the words for the last of some moves from a position: null as long as they are
   * unknown, empty if they would say no more than the notation. */
  known(from: PositionQuestion, moves: readonly string[]): string | null {
    if (!this.isOn || moves.length === 0) return '';
    const text = this.texts.get(this.keyOf(from, moves));
    return text === moves.at(-1) ? '' : text ?? null;
  }

  /** Returns the words for the move that led to a node, if they are known. */
  ofNode(node: Node): string {
    const start = this.startOf(node);
    return (start && this.known(start.from, start.moves)) ?? '';
  }

  /** Remembers the words that an answer about a position has. */
  keep(from: PositionQuestion, answered: readonly Worded[]): void {
    for (const { move, moveText } of answered) if (move !== '') this.set(this.keyOf(from, [move]), moveText);
  }

  /** Loads the words for the last of some moves, after those requested before. */
  ask(from: PositionQuestion, moves: readonly string[]): Promise<void> {
    if (this.known(from, moves) !== null) return Promise.resolve();
    const key = this.keyOf(from, moves);
    let asked = this.pending.get(key);
    if (!asked && this.queue.length >= QUEUE_MAX) return Promise.resolve();
    if (!asked) {
      asked = this.enqueue(async () => {
        if (this.isOn) await this.load(from, moves.slice(0, -1), moves.at(-1)!, PAGE_SIZE);
      }).finally(() => this.pending.delete(key));
      this.pending.set(key, asked);
    }
    return asked;
  }

  async askNode(node: Node): Promise<void> {
    const start = this.startOf(node);
    if (start) await this.ask(start.from, start.moves);
  }

  /** Loads the words for the first legal moves with a prefix. */
  askPrefix(from: PositionQuestion, prefix: string, count: number): Promise<void> {
    return this.isOn ? this.load(from, [], prefix, count) : Promise.resolve();
  }

  /** Loads the words for a move that is being made, for a moment at most. */
  async askSoon(from: PositionQuestion, move: string): Promise<void> {
    if (this.known(from, [move]) !== null) return;
    await Promise.race([this.load(from, [], move, PAGE_SIZE), new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
  }

  /** Returns the moves that lead to a node from the last position before it that is known; null
   * if that is far away. */
  startOf(node: Node): { from: PositionQuestion; moves: string[] } | null {
    const { table } = this.session;
    const moves: string[] = [];
    for (let at = node; at.parent && moves.length < MOVES_MAX; at = at.parent) {
      moves.unshift(at.move);
      const before = this.session.positionAt(at.parent);
      if (before && table.value) return { from: { variant: table.value.variant.id, position: before.position }, moves };
    }
    return null;
  }

  private get gameId(): string {
    return this.session.table.value?.details.id ?? '';
  }

  private keyOf({ variant, position }: PositionQuestion, moves: readonly string[]): string {
    return JSON.stringify([settings.value.language, this.gameId, variant, position, moves]);
  }

  private set(key: string, text: string): void {
    if (this.texts.get(key) === text) return;
    if (this.texts.size >= TEXTS_MAX) this.texts.clear();
    this.texts.set(key, text);
    if (this.isChanging) return;
    this.isChanging = true;
    // Many arrive at once; the page is drawn once.
    void afterFrame().then(() => {
      this.isChanging = false;
      this.revision.value += 1;
    });
  }

  private async load(from: PositionQuestion, before: string[], prefix: string, pageSize: number): Promise<void> {
    const { connection: { client } } = this.session;
    const { gameId } = this;
    try {
      const page = await client.moves(gameId, { ...from, moves: before, prefix, pageSize, texts: true });
      if (gameId !== this.gameId) return;
      page.moves.forEach((move, i) => this.set(this.keyOf(from, [...before, move]), page.moveTexts[i] ?? ''));
      // A game may leave out the words for some of its moves.
      if (page.moveTexts.some((text) => text !== '')) this.worded.add(gameId);
      else if (page.moves.length > 0 && !this.worded.has(gameId)) this.wordless.add(gameId);
    } catch (error) {
      // The notation says the same.
      if (isAbort(error)) throw error;
    }
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push(() => task().then(resolve, reject));
      this.next();
    });
  }

  private next(): void {
    if (this.nRunning >= REQUESTS_MAX) return;
    const task = this.queue.shift();
    if (!task) return;
    this.nRunning += 1;
    void task().finally(() => {
      this.nRunning -= 1;
      this.next();
    });
  }
}

/** Returns the words for the last of some moves from a position, and loads them; empty if
 * there are none. */
export function useMoveText(from: PositionQuestion | null, moves: readonly string[]): string {
  const { moveTexts } = useApp();
  useObservable(moveTexts.revision);
  const { language, moveWords } = useObservable(settings);
  const text = from ? moveTexts.known(from, moves) : '';
  useEffect(() => {
    if (from && text === null) void moveTexts.ask(from, moves);
  }, [language, moveWords, from?.position, moves.join(' ')]);
  return text ?? '';
}

export function useNodeText(node: Node): string {
  const start = useApp().moveTexts.startOf(node);
  return useMoveText(start?.from ?? null, start?.moves ?? []);
}

/** A move within a sentence: "b2-1l (b2, then block 1 turned left)". */
export const inWords = (move: string, text: string): string => (settings.value.moveWords && text && text !== move ? `${move} (${text})` : move);

/** A move for the ear. */
export const spoken = (move: string, text: string): string => (settings.value.moveWords && text) || move;
