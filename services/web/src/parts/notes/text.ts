// Texts of comments and drawings.

import type { Language } from '../../text';

const en = {
  comment: (move: string) => `Comment on ${move}`,
  commentStart: 'Comment on the start',
  drawing: 'Circles and arrows',
  draw: 'Draw',
  how: 'Press a place for a circle, drag to another one for an arrow; the same again removes it. The right button draws at any time.',
  erase: 'Erase the drawings',
  colours: { green: 'Green', red: 'Red', blue: 'Blue', yellow: 'Yellow' },
  full: 'Links have no room for more comments and drawings.',
};

export type NoteWords = typeof en;

const sv: NoteWords = {
  comment: (move) => `Kommentar till ${move}`,
  commentStart: 'Kommentar till början',
  drawing: 'Ringar och pilar',
  draw: 'Rita',
  how: 'Tryck på en plats för en ring, dra till en annan för en pil; samma sak igen tar bort den. Höger musknapp ritar när som helst.',
  erase: 'Sudda ritningarna',
  colours: { green: 'Grön', red: 'Röd', blue: 'Blå', yellow: 'Gul' },
  full: 'Länkar har inte plats för fler kommentarer och ritningar.',
};

const fi: NoteWords = {
  comment: (move) => `Kommentti siirtoon ${move}`,
  commentStart: 'Kommentti alkuun',
  drawing: 'Ympyrät ja nuolet',
  draw: 'Piirrä',
  how: 'Paina paikkaa, niin siihen tulee ympyrä; vedä toiseen, niin syntyy nuoli. Sama uudelleen poistaa sen. Hiiren oikea painike piirtää milloin vain.',
  erase: 'Pyyhi piirrokset',
  colours: { green: 'Vihreä', red: 'Punainen', blue: 'Sininen', yellow: 'Keltainen' },
  full: 'Linkkeihin ei mahdu enempää kommentteja ja piirroksia.',
};

const de: NoteWords = {
  comment: (move) => `Kommentar zu ${move}`,
  commentStart: 'Kommentar zum Anfang',
  drawing: 'Kreise und Pfeile',
  draw: 'Zeichnen',
  how: 'Ein Druck auf einen Platz zeichnet einen Kreis, Ziehen zu einem anderen einen Pfeil; noch einmal dasselbe entfernt ihn. Die rechte Maustaste zeichnet jederzeit.',
  erase: 'Zeichnungen löschen',
  colours: { green: 'Grün', red: 'Rot', blue: 'Blau', yellow: 'Gelb' },
  full: 'In Links ist kein Platz für weitere Kommentare und Zeichnungen.',
};

const fr: NoteWords = {
  comment: (move) => `Commentaire sur ${move}`,
  commentStart: 'Commentaire sur le début',
  drawing: 'Cercles et flèches',
  draw: 'Dessiner',
  how: 'Toucher une case pour l’entourer, glisser vers une autre pour une flèche ; le refaire l’efface. Le bouton droit dessine à tout moment.',
  erase: 'Effacer les dessins',
  colours: { green: 'Vert', red: 'Rouge', blue: 'Bleu', yellow: 'Jaune' },
  full: 'Les liens n’ont plus de place pour d’autres commentaires et dessins.',
};

export const noteTexts: Record<Language, NoteWords> = { en, sv, fi, de, fr };
