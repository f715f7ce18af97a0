// Loads the stored puzzles of a server.

import { INDEX_FILE, setFile, type PuzzleIndex, type PuzzleSet } from './puzzle-set';

/** The sets below an address, each loaded once. */
export class PuzzleFiles {
  private index: Promise<PuzzleIndex> | null = null;
  private readonly sets = new Map<string, Promise<PuzzleSet | null>>();

  constructor(private readonly base: string) {}

  /** Returns the set of a game and variant; null if there is none. */
  async set(game: string, variant: string): Promise<PuzzleSet | null> {
    const key = `${game} ${variant}`;
    let set = this.sets.get(key);
    if (!set) {
      set = this.load(game, variant);
      this.sets.set(key, set);
      set.catch(() => this.sets.delete(key));
    }
    return set;
  }

  private async load(game: string, variant: string): Promise<PuzzleSet | null> {
    this.index ??= this.json<PuzzleIndex>(INDEX_FILE);
    this.index.catch(() => (this.index = null));
    if (!(await this.index)[game]?.[variant]) return null;
    return this.json<PuzzleSet>(setFile(game, variant));
  }

  private async json<T>(file: string): Promise<T> {
    const response = await fetch(`${this.base}/embed/v1/${file}`);
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    return (await response.json()) as T;
  }
}
