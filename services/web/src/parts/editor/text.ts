// Texts of the editor of positions.

import type { Language } from '../../text';

const en = {
  title: 'Set up a position',
  pieces: 'Pieces: choose one and press places, or drag it',
  remove: 'Take pieces off',
  toMove: 'To move',
  start: 'Start position',
  clear: 'Empty board',
  legal: (seat: string) => `This position is possible. ${seat} to move.`,
  illegal: 'This position is not possible in this game.',
  textOnly: 'Positions of this game say more than the board shows, so they cannot be built from pieces alone. Write or paste the text:',
  reset: 'What the board does not show is as at the start of the game; it can be changed in the text.',
  use: 'Use this position',
};

export type EditorWords = typeof en;

const sv: EditorWords = {
  title: 'Ställ upp en ställning',
  pieces: 'Pjäser: välj en och tryck på platser, eller dra den',
  remove: 'Ta bort pjäser',
  toMove: 'Vid draget',
  start: 'Utgångsställning',
  clear: 'Tomt bräde',
  legal: (seat) => `Ställningen är möjlig. ${seat} är vid draget.`,
  illegal: 'Den här ställningen är inte möjlig i spelet.',
  textOnly: 'Ställningar i det här spelet säger mer än vad brädet visar, så de går inte att bygga av enbart pjäser. Skriv eller klistra in texten:',
  reset: 'Det som brädet inte visar är som vid spelets början; det går att ändra i texten.',
  use: 'Använd ställningen',
};

const fi: EditorWords = {
  title: 'Asettele asema',
  pieces: 'Nappulat: valitse yksi ja paina paikkoja, tai vedä se laudalle',
  remove: 'Poista nappuloita',
  toMove: 'Siirtovuorossa',
  start: 'Alkuasema',
  clear: 'Tyhjä lauta',
  legal: (seat) => `Asema on mahdollinen. Vuorossa: ${seat}.`,
  illegal: 'Tämä asema ei ole pelissä mahdollinen.',
  textOnly: 'Tämän pelin asemiin kuuluu enemmän kuin laudalla näkyy, joten niitä ei voi rakentaa pelkistä nappuloista. Kirjoita tai liitä teksti:',
  reset: 'Se mitä lauta ei näytä on niin kuin pelin alussa; sen voi muuttaa tekstissä.',
  use: 'Käytä tätä asemaa',
};

const de: EditorWords = {
  title: 'Stellung aufbauen',
  pieces: 'Steine: einen wählen und Plätze antippen, oder ihn ziehen',
  remove: 'Steine entfernen',
  toMove: 'Am Zug',
  start: 'Anfangsstellung',
  clear: 'Leeres Brett',
  legal: (seat) => `Diese Stellung ist möglich. ${seat} ist am Zug.`,
  illegal: 'Diese Stellung ist in diesem Spiel nicht möglich.',
  textOnly: 'Stellungen dieses Spiels sagen mehr, als das Brett zeigt, und lassen sich deshalb nicht allein aus Steinen aufbauen. Den Text schreiben oder einfügen:',
  reset: 'Was das Brett nicht zeigt, ist wie am Anfang der Partie; im Text lässt es sich ändern.',
  use: 'Diese Stellung verwenden',
};

const fr: EditorWords = {
  title: 'Composer une position',
  pieces: 'Pièces : en choisir une et toucher des cases, ou la faire glisser',
  remove: 'Enlever des pièces',
  toMove: 'Au trait',
  start: 'Position de départ',
  clear: 'Plateau vide',
  legal: (seat) => `Cette position est possible. ${seat} a le trait.`,
  illegal: 'Cette position n’est pas possible dans ce jeu.',
  textOnly: 'Les positions de ce jeu disent plus que ce que montre le plateau : elles ne peuvent pas être composées avec les seules pièces. Écrire ou coller le texte :',
  reset: 'Ce que le plateau ne montre pas est comme au début de la partie ; le texte permet de le changer.',
  use: 'Utiliser cette position',
};

export const editorTexts: Record<Language, EditorWords> = { en, sv, fi, de, fr };
