// The parts of the page, each a file of its own: see `build.mjs`.

/** Loads a part once; a failure is reported, and the next call tries again. */
export class Part<T> {
  private loading: Promise<T> | null = null;
  loaded: T | null = null;

  constructor(private readonly source: () => Promise<T>) {}

  load(): Promise<T> {
    this.loading ??= this.source().then(
      (part) => (this.loaded = part),
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }
}

export const learnPart = new Part(() => import('../parts/learn/index'));
export const filesPart = new Part(() => import('../parts/files/index'));
export const puzzlesPart = new Part(() => import('../parts/puzzles/index'));
export const soundsPart = new Part(() => import('../parts/sounds/index'));
export const optionsPart = new Part(() => import('../parts/options/index'));
export const editorPart = new Part(() => import('../parts/editor/index'));
export const notesPart = new Part(() => import('../parts/notes/index'));
