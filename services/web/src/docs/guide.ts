// What a script adds to the guides, which are complete without one: buttons that copy
// code, this server's address in it, the reader's theme, and the same tab everywhere.

import { storedSettings } from '../app/stored';

/** The address in the sources of the guides; .ci/guides replaces it as well. */
const EXAMPLE = 'http://localhost:8080';
const TAB = 'pentad-docs-tab';

function followOldLinks(): void {
  // The reference was once at /docs.
  if (/^#\/operations\//.test(location.hash)) location.replace(`/docs/reference${location.hash}`);
}

function applyTheme(): void {
  const { theme } = storedSettings();
  if (theme !== 'auto') document.documentElement.dataset.theme = theme;
}

function nameThisServer(): void {
  for (const code of document.querySelectorAll('.code code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      if (node.data.includes(EXAMPLE)) node.data = node.data.replaceAll(EXAMPLE, location.origin);
    }
  }
}

function addCopyButtons(): void {
  for (const figure of document.querySelectorAll('.source')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const text = figure.querySelector('code')?.textContent ?? '';
      const say = (word: string) => { button.textContent = word; };
      navigator.clipboard.writeText(text.trimEnd()).then(() => say('Copied'), () => say('Not allowed to copy'));
    });
    button.addEventListener('blur', () => { button.textContent = 'Copy'; });
    button.setAttribute('aria-live', 'polite');
    figure.append(button);
  }
}

/** Chooses the reader's language in every group of tabs, on this page and on others. */
function shareTabs(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('.tabs input')];
  const choose = (value: string) => {
    for (const input of inputs) if (input.value === value) input.checked = true;
  };
  try {
    choose(localStorage.getItem(TAB) ?? '');
  } catch {
    // No storage: each page starts with the first tab.
  }
  for (const input of inputs) {
    input.addEventListener('change', () => {
      const before = input.getBoundingClientRect().top;
      choose(input.value);
      scrollBy(0, input.getBoundingClientRect().top - before);
      try {
        localStorage.setItem(TAB, input.value);
      } catch {
        // As above.
      }
    });
  }
}

followOldLinks();
applyTheme();
nameThisServer();
addCopyButtons();
shareTabs();
