// Texts of the dialogs of looks and keys.

import type { Language } from '../../text';

type Pairs = readonly (readonly [string, string])[];

const en = {
  title: 'Board and sounds',
  look: 'Board',
  looks: { game: 'The game’s own', walnut: 'Walnut', slate: 'Slate', sea: 'Sea', grey: 'Grey, high contrast' },
  bar: 'Evaluation bar beside the board',
  sounds: 'Quiet sounds',
  keys: 'Keys',
  everywhere: 'Everywhere',
  onBoard: 'On the board',
  withMouse: 'With the mouse',
  letters: 'Single letters are shortcuts',
  shortcuts: {
    f: 'Turn the board', a: 'Analysis on or off', v: 'Value of every move', x: 'Threats', h: 'Show a hint', e: 'Set up a position', '?': 'This help',
  },
  navigation: [['← →', 'Undo, redo'], ['Home End', 'To the start, to the end']] as Pairs,
  board: [
    ['← ↑ → ↓', 'Go over the board'], ['Enter', 'Choose'], ['N', 'Next possible place'], ['Esc', 'Take back a step'],
    ['PgUp PgDn', 'Undo, redo'], ['C', 'Draw a circle, or begin an arrow and end it on another place'],
  ] as Pairs,
  mouse: [['right button', 'Draw a circle on a place, or drag to draw an arrow']] as Pairs,
};

export type OptionWords = typeof en;

const sv: OptionWords = {
  title: 'Bräde och ljud',
  look: 'Bräde',
  looks: { game: 'Spelets eget', walnut: 'Valnöt', slate: 'Skiffer', sea: 'Hav', grey: 'Grått, hög kontrast' },
  bar: 'Värderingsstapel bredvid brädet',
  sounds: 'Dämpade ljud',
  keys: 'Tangenter',
  everywhere: 'Överallt',
  onBoard: 'På brädet',
  withMouse: 'Med musen',
  letters: 'Enstaka bokstäver är kortkommandon',
  shortcuts: {
    f: 'Vrid brädet', a: 'Analys av eller på', v: 'Alla drags värde', x: 'Hot', h: 'Visa ett tips', e: 'Ställ upp en ställning', '?': 'Den här hjälpen',
  },
  navigation: [['← →', 'Ångra, gör om'], ['Home End', 'Till början, till slutet']],
  board: [
    ['← ↑ → ↓', 'Gå över brädet'], ['Enter', 'Välj'], ['N', 'Nästa möjliga plats'], ['Esc', 'Ta tillbaka ett steg'],
    ['PgUp PgDn', 'Ångra, gör om'], ['C', 'Rita en ring, eller börja en pil och avsluta den på en annan plats'],
  ],
  mouse: [['högerknapp', 'Rita en ring på en plats, eller dra för att rita en pil']],
};

const fi: OptionWords = {
  title: 'Lauta ja äänet',
  look: 'Lauta',
  looks: { game: 'Pelin oma', walnut: 'Pähkinäpuu', slate: 'Liuskekivi', sea: 'Meri', grey: 'Harmaa, suuri kontrasti' },
  bar: 'Arviopalkki laudan vieressä',
  sounds: 'Hiljaiset äänet',
  keys: 'Näppäimet',
  everywhere: 'Kaikkialla',
  onBoard: 'Laudalla',
  withMouse: 'Hiirellä',
  letters: 'Yksittäiset kirjaimet ovat pikanäppäimiä',
  shortcuts: {
    f: 'Käännä lautaa', a: 'Analyysi päälle tai pois', v: 'Kaikkien siirtojen arvot', x: 'Uhkaukset', h: 'Näytä vihje', e: 'Asettele asema', '?': 'Tämä ohje',
  },
  navigation: [['← →', 'Kumoa, tee uudelleen'], ['Home End', 'Alkuun, loppuun']],
  board: [
    ['← ↑ → ↓', 'Liiku laudalla'], ['Enter', 'Valitse'], ['N', 'Seuraava mahdollinen paikka'], ['Esc', 'Peru vaihe'],
    ['PgUp PgDn', 'Kumoa, tee uudelleen'], ['C', 'Piirrä ympyrä tai aloita nuoli ja päätä se toiseen paikkaan'],
  ],
  mouse: [['oikea painike', 'Piirrä ympyrä paikkaan tai vedä nuoli']],
};

const de: OptionWords = {
  title: 'Brett und Töne',
  look: 'Brett',
  looks: { game: 'Wie im Spiel', walnut: 'Nussbaum', slate: 'Schiefer', sea: 'Meer', grey: 'Grau, starker Kontrast' },
  bar: 'Bewertungsbalken neben dem Brett',
  sounds: 'Leise Töne',
  keys: 'Tasten',
  everywhere: 'Überall',
  onBoard: 'Auf dem Brett',
  withMouse: 'Mit der Maus',
  letters: 'Einzelne Buchstaben sind Kürzel',
  shortcuts: {
    f: 'Brett drehen', a: 'Analyse ein oder aus', v: 'Wert aller Züge', x: 'Drohungen', h: 'Einen Tipp zeigen', e: 'Stellung aufbauen', '?': 'Diese Hilfe',
  },
  navigation: [['← →', 'Zurück, vor'], ['Pos1 Ende', 'An den Anfang, ans Ende']],
  board: [
    ['← ↑ → ↓', 'Über das Brett gehen'], ['Eingabe', 'Wählen'], ['N', 'Nächster möglicher Platz'], ['Esc', 'Schritt zurücknehmen'],
    ['Bild↑ Bild↓', 'Zurück, vor'], ['C', 'Einen Kreis zeichnen, oder einen Pfeil beginnen und auf einem anderen Platz beenden'],
  ],
  mouse: [['rechte Taste', 'Einen Platz einkreisen oder durch Ziehen einen Pfeil zeichnen']],
};

const fr: OptionWords = {
  title: 'Plateau et sons',
  look: 'Plateau',
  looks: { game: 'Celui du jeu', walnut: 'Noyer', slate: 'Ardoise', sea: 'Mer', grey: 'Gris, contraste élevé' },
  bar: 'Barre d’évaluation à côté du plateau',
  sounds: 'Sons discrets',
  keys: 'Touches',
  everywhere: 'Partout',
  onBoard: 'Sur le plateau',
  withMouse: 'À la souris',
  letters: 'Une lettre seule est un raccourci',
  shortcuts: {
    f: 'Tourner le plateau', a: 'Activer ou couper l’analyse', v: 'Valeur de chaque coup', x: 'Menaces', h: 'Montrer un indice', e: 'Composer une position', '?': 'Cette aide',
  },
  navigation: [['← →', 'Annuler, rétablir'], ['Home Fin', 'Au début, à la fin']],
  board: [
    ['← ↑ → ↓', 'Parcourir le plateau'], ['Entrée', 'Choisir'], ['N', 'Case possible suivante'], ['Échap', 'Reprendre une étape'],
    ['PgUp PgDn', 'Annuler, rétablir'], ['C', 'Dessiner un cercle, ou commencer une flèche et la finir sur une autre case'],
  ],
  mouse: [['bouton droit', 'Entourer une case, ou glisser pour dessiner une flèche']],
};

export const optionTexts: Record<Language, OptionWords> = { en, sv, fi, de, fr };
