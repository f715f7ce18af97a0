// Texts that only the embeddable board has.

import type { BoardWords } from '../board/view';
import type { BoardTexts } from '../text/board-texts';
import type { Language } from '../text/languages';

const en = {
  first: 'To the start', previous: 'Back', next: 'Forward', last: 'To the end', hint: 'Hint', turn: 'Turn the board', controls: 'Controls',
  thinking: (seat: string) => `${seat} is thinking …`,
  evaluation: 'Evaluation',
  find: (seat: string) => `${seat} to move: find the best move.`,
  right: 'Right! Go on.',
  solved: 'Solved!',
  wrong: (move: string) => `${move} does not do it.`,
  again: 'Try again',
  noPuzzle: 'There is no such puzzle.',
};

export type EmbedTexts = typeof en;

const sv: EmbedTexts = {
  first: 'Till början', previous: 'Tillbaka', next: 'Framåt', last: 'Till slutet', hint: 'Tips', turn: 'Vrid brädet', controls: 'Kontroller',
  thinking: (seat) => `${seat} tänker …`,
  evaluation: 'Värdering',
  find: (seat) => `${seat} vid draget: hitta det bästa draget.`,
  right: 'Rätt! Fortsätt.',
  solved: 'Löst!',
  wrong: (move) => `${move} räcker inte.`,
  again: 'Försök igen',
  noPuzzle: 'Det finns inget sådant problem.',
};

const fi: EmbedTexts = {
  first: 'Alkuun', previous: 'Taakse', next: 'Eteen', last: 'Loppuun', hint: 'Vihje', turn: 'Käännä lautaa', controls: 'Ohjaimet',
  thinking: (seat) => `${seat} miettii …`,
  evaluation: 'Arvio',
  find: (seat) => `Vuorossa ${seat}: etsi paras siirto.`,
  right: 'Oikein! Jatka.',
  solved: 'Ratkaistu!',
  wrong: (move) => `${move} ei riitä.`,
  again: 'Yritä uudelleen',
  noPuzzle: 'Sellaista tehtävää ei ole.',
};

const de: EmbedTexts = {
  first: 'An den Anfang', previous: 'Zurück', next: 'Vor', last: 'Ans Ende', hint: 'Tipp', turn: 'Brett drehen', controls: 'Bedienung',
  thinking: (seat) => `${seat} denkt nach …`,
  evaluation: 'Bewertung',
  find: (seat) => `${seat} am Zug: Finde den besten Zug.`,
  right: 'Richtig! Weiter.',
  solved: 'Gelöst!',
  wrong: (move) => `${move} reicht nicht.`,
  again: 'Noch einmal',
  noPuzzle: 'Diese Aufgabe gibt es nicht.',
};

const fr: EmbedTexts = {
  first: 'Au début', previous: 'En arrière', next: 'En avant', last: 'À la fin', hint: 'Indice', turn: 'Tourner le plateau', controls: 'Commandes',
  thinking: (seat) => `${seat} réfléchit …`,
  evaluation: 'Évaluation',
  find: (seat) => `${seat} joue : trouvez le meilleur coup.`,
  right: 'Juste ! Continuez.',
  solved: 'Résolu !',
  wrong: (move) => `${move} ne suffit pas.`,
  again: 'Réessayer',
  noPuzzle: 'Ce problème n’existe pas.',
};

export const embedTexts: Record<Language, EmbedTexts> = { en, sv, fi, de, fr };

/** The words of an embedded board, whose values are not shown. */
export function boardWords(w: BoardTexts): BoardWords {
  return {
    board: w.board, empty: w.empty, canChoose: w.canChoose, turnRight: w.turnRight, turnLeft: w.turnLeft,
    flipSide: (side) => w.flipSide[side as keyof typeof w.flipSide] ?? side, flipBlock: w.flipBlock,
    piece: (piece) => piece.name || piece.id, value: () => '',
  };
}
