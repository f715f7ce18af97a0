// Texts of the place of puzzles.

import type { Language } from '../../text';

const en = {
  stored: 'Puzzles of this game',
  next: 'Next puzzle',
  daily: 'Puzzle of the day',
  solved: 'solved',
  theme: 'Theme',
  allThemes: 'All',
  all: 'All puzzles',
  grade: (n: number) => `Difficulty ${n} of 5`,
  solvedOf: (n: number, total: number) => `${n} of ${total} solved`,
  streak: (n: number) => (n === 0 ? 'No streak yet' : n === 1 ? '1 in a row' : `${n} in a row`),
  best: (n: number) => `best: ${n}`,
  days: (n: number) => `${n} days in a row`,
  results: { first: 'solved at once', later: 'solved', failed: 'not solved yet' },
  allSolved: 'All of these puzzles are solved. Well done!',
  noSet: 'There is no collection of puzzles for these rules. The server can look for some:',
  solution: 'Solution:',
};

export type PuzzleWords = typeof en;

const sv: PuzzleWords = {
  stored: 'Problem i det här spelet',
  next: 'Nästa problem',
  daily: 'Dagens problem',
  solved: 'löst',
  theme: 'Tema',
  allThemes: 'Alla',
  all: 'Alla problem',
  grade: (n) => `Svårighetsgrad ${n} av 5`,
  solvedOf: (n, total) => `${n} av ${total} lösta`,
  streak: (n) => (n === 0 ? 'Ingen svit ännu' : `${n} i rad`),
  best: (n) => `bäst: ${n}`,
  days: (n) => `${n} dagar i rad`,
  results: { first: 'löst på första försöket', later: 'löst', failed: 'inte löst ännu' },
  allSolved: 'Alla de här problemen är lösta. Bra gjort!',
  noSet: 'Det finns ingen problemsamling för de här reglerna. Servern kan leta upp några:',
  solution: 'Lösning:',
};

const fi: PuzzleWords = {
  stored: 'Tämän pelin tehtävät',
  next: 'Seuraava tehtävä',
  daily: 'Päivän tehtävä',
  solved: 'ratkaistu',
  theme: 'Aihe',
  allThemes: 'Kaikki',
  all: 'Kaikki tehtävät',
  grade: (n) => `Vaikeus ${n}/5`,
  solvedOf: (n, total) => `Ratkaistu ${n}/${total}`,
  streak: (n) => (n === 0 ? 'Ei vielä putkea' : `${n} peräkkäin`),
  best: (n) => `paras: ${n}`,
  days: (n) => `${n} päivää peräkkäin`,
  results: { first: 'ratkaistu heti', later: 'ratkaistu', failed: 'vielä ratkaisematta' },
  allSolved: 'Kaikki nämä tehtävät on ratkaistu. Hienoa!',
  noSet: 'Näille säännöille ei ole tehtäväkokoelmaa. Palvelin voi etsiä tehtäviä:',
  solution: 'Ratkaisu:',
};

const de: PuzzleWords = {
  stored: 'Aufgaben zu diesem Spiel',
  next: 'Nächste Aufgabe',
  daily: 'Aufgabe des Tages',
  solved: 'gelöst',
  theme: 'Thema',
  allThemes: 'Alle',
  all: 'Alle Aufgaben',
  grade: (n) => `Schwierigkeit ${n} von 5`,
  solvedOf: (n, total) => `${n} von ${total} gelöst`,
  streak: (n) => (n === 0 ? 'Noch keine Serie' : `${n} in Folge`),
  best: (n) => `Rekord: ${n}`,
  days: (n) => `${n} Tage in Folge`,
  results: { first: 'auf Anhieb gelöst', later: 'gelöst', failed: 'noch nicht gelöst' },
  allSolved: 'Alle diese Aufgaben sind gelöst. Sehr gut!',
  noSet: 'Für diese Regeln gibt es keine Aufgabensammlung. Der Server kann welche suchen:',
  solution: 'Lösung:',
};

const fr: PuzzleWords = {
  stored: 'Problèmes de ce jeu',
  next: 'Problème suivant',
  daily: 'Problème du jour',
  solved: 'résolu',
  theme: 'Thème',
  allThemes: 'Tous',
  all: 'Tous les problèmes',
  grade: (n) => `Difficulté ${n} sur 5`,
  solvedOf: (n, total) => (n < 2 ? `${n} résolu sur ${total}` : `${n} résolus sur ${total}`),
  streak: (n) => (n === 0 ? 'Pas encore de série' : `${n} d’affilée`),
  best: (n) => `record : ${n}`,
  days: (n) => `${n} jours d’affilée`,
  results: { first: 'résolu du premier coup', later: 'résolu', failed: 'pas encore résolu' },
  allSolved: 'Tous ces problèmes sont résolus. Bravo !',
  noSet: 'Il n’y a pas de recueil de problèmes pour ces règles. Le serveur peut en chercher :',
  solution: 'Solution :',
};

export const puzzleTexts: Record<Language, PuzzleWords> = { en, sv, fi, de, fr };
