// Style sheets of parts that are loaded on demand. The page's policy forbids inline
// styles; constructed style sheets are allowed.

const adopted = new Set<string>();

export function adopt(css: string): void {
  if (adopted.has(css)) return;
  adopted.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
