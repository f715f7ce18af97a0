// Games as files, loaded when one is made.

export { filmOf } from '../../export/film';
export { labelledText } from '../../export/labelled-text';
export { reportOf } from '../../export/report';
