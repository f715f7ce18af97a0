// The parts of the page that are loaded when they are first needed, as one file.

export { resumeMistakes, startMistakes } from '../../app/mistakes/loop';
export { ReviewPanel } from '../../app/review/review-panel';
export { resumeLesson } from '../../app/start/lesson';
export { StartDialog } from '../../app/start/start-dialog';
