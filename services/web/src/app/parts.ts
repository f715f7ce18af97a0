// The parts of the page, each a file of its own: see `build.mjs`.

import { Part } from './part';

export const puzzlesPart = new Part(() => import('../parts/puzzles/index'));
export const soundsPart = new Part(() => import('../parts/sounds/index'));
export const optionsPart = new Part(() => import('../parts/options/index'));
export const editorPart = new Part(() => import('../parts/editor/index'));
export const notesPart = new Part(() => import('../parts/notes/index'));
