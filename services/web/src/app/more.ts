// The parts of the page that are loaded when they are first needed, as one file.

export { resumeMistakes, startMistakes } from './mistakes/loop';
export { ReviewPanel } from './review/review-panel';
export { resumeLesson } from './start/lesson';
export { StartDialog } from './start/start-dialog';
