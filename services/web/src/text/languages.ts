// The languages of the page. The browser's first preference among them is the default.

export const LANGUAGE_IDS = ['en', 'sv', 'fi', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGE_IDS)[number];

export function isLanguage(id: unknown): id is Language {
  return (LANGUAGE_IDS as readonly unknown[]).includes(id);
}

export function preferredLanguage(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}
