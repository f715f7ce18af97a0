// Games as files, loaded when one is made.

export { filmOf } from './film';
export { labelledText } from './labelled-text';
export { reportOf } from './report';
