// The few words of the app. Everything else on it comes from the server.

interface Words {
  language: string;
  toMove: (seat: string) => string;
  cancelled: string;
  failed: string;
}

const WORDS: Words[] = [
  { language: 'en', toMove: (seat) => `${seat} to move`, cancelled: 'Cancelled.', failed: 'There is no answer.' },
  { language: 'de', toMove: (seat) => `${seat} am Zug`, cancelled: 'Abgebrochen.', failed: 'Es gibt keine Antwort.' },
  { language: 'fi', toMove: (seat) => `Vuorossa ${seat}`, cancelled: 'Peruttu.', failed: 'Vastausta ei ole.' },
  { language: 'fr', toMove: (seat) => `Au tour de ${seat}`, cancelled: 'Annulé.', failed: 'Il n’y a pas de réponse.' },
  { language: 'sv', toMove: (seat) => `${seat} vid draget`, cancelled: 'Avbrutet.', failed: 'Det finns inget svar.' },
];

/** Returns the words of a language by its tag, such as `de-AT`; English where there are none. */
export function wordsFor(tag: string): Words {
  const language = tag.toLowerCase().split('-')[0];
  return WORDS.find((it) => it.language === language) ?? WORDS[0]!;
}
