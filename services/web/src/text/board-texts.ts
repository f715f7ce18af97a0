// The words that the page and the embeddable board share.

import type { Language } from './languages';

const en = {
  board: 'Board',
  empty: 'empty',
  canChoose: 'can be chosen',
  turnRight: (block: string) => `Turn block ${block} clockwise`,
  turnLeft: (block: string) => `Turn block ${block} anticlockwise`,
  flipSide: { L: 'Flip the left half', R: 'Flip the right half', T: 'Flip the top half', B: 'Flip the bottom half' },
  flipBlock: (block: string) => `Flip panel ${block}`,
  toMove: (seat: string) => `${seat} to move`,
  endMove: 'Done',
  refusedOrigin: (server: string, origin: string) => `${server} does not answer this page. Its owner can allow it: pentad --cors-origins ${origin}`,
};

export type BoardTexts = typeof en;

const sv: BoardTexts = {
  board: 'Bräde',
  empty: 'tom',
  canChoose: 'kan väljas',
  turnRight: (block) => `Vrid block ${block} medurs`,
  turnLeft: (block) => `Vrid block ${block} moturs`,
  flipSide: { L: 'Vänd vänstra halvan', R: 'Vänd högra halvan', T: 'Vänd övre halvan', B: 'Vänd nedre halvan' },
  flipBlock: (block) => `Vänd panel ${block}`,
  toMove: (seat) => `${seat} vid draget`,
  endMove: 'Klar',
  refusedOrigin: (server, origin) => `${server} svarar inte den här sidan. Dess ägare kan tillåta den: pentad --cors-origins ${origin}`,
};

const fi: BoardTexts = {
  board: 'Lauta',
  empty: 'tyhjä',
  canChoose: 'valittavissa',
  turnRight: (block) => `Käännä lohkoa ${block} myötäpäivään`,
  turnLeft: (block) => `Käännä lohkoa ${block} vastapäivään`,
  flipSide: { L: 'Käännä ympäri vasen puolisko', R: 'Käännä ympäri oikea puolisko', T: 'Käännä ympäri yläpuolisko', B: 'Käännä ympäri alapuolisko' },
  flipBlock: (block) => `Käännä ympäri paneeli ${block}`,
  toMove: (seat) => `Vuorossa ${seat}`,
  endMove: 'Valmis',
  refusedOrigin: (server, origin) => `${server} ei vastaa tälle sivulle. Sen omistaja voi sallia sivun: pentad --cors-origins ${origin}`,
};

const de: BoardTexts = {
  board: 'Brett',
  empty: 'leer',
  canChoose: 'wählbar',
  turnRight: (block) => `Block ${block} im Uhrzeigersinn drehen`,
  turnLeft: (block) => `Block ${block} gegen den Uhrzeigersinn drehen`,
  flipSide: { L: 'Linke Hälfte umdrehen', R: 'Rechte Hälfte umdrehen', T: 'Obere Hälfte umdrehen', B: 'Untere Hälfte umdrehen' },
  flipBlock: (block) => `Platte ${block} umdrehen`,
  toMove: (seat) => `${seat} am Zug`,
  endMove: 'Fertig',
  refusedOrigin: (server, origin) => `${server} antwortet dieser Seite nicht. Der Betreiber kann sie zulassen: pentad --cors-origins ${origin}`,
};

const fr: BoardTexts = {
  board: 'Plateau',
  empty: 'vide',
  canChoose: 'peut être choisi',
  turnRight: (block) => `Tourner le bloc ${block} dans le sens horaire`,
  turnLeft: (block) => `Tourner le bloc ${block} dans le sens antihoraire`,
  flipSide: { L: 'Retourner la moitié gauche', R: 'Retourner la moitié droite', T: 'Retourner la moitié du haut', B: 'Retourner la moitié du bas' },
  flipBlock: (block) => `Retourner le panneau ${block}`,
  toMove: (seat) => `Trait : ${seat}`,
  endMove: 'Terminé',
  refusedOrigin: (server, origin) => `${server} ne répond pas à cette page. Son propriétaire peut l’autoriser : pentad --cors-origins ${origin}`,
};

export const boardTexts: Record<Language, BoardTexts> = { en, sv, fi, de, fr };
