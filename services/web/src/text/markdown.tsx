// The Markdown that descriptions use: paragraphs, lists, `code`, **bold** and links.
// Everything becomes text nodes, never markup.

import type { ComponentChildren } from 'preact';

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/;

export function Markdown({ text }: { text: string | undefined }) {
  return <>{text?.split(/\n\s*\n/).map((block, i) => <Block key={i} text={block} />)}</>;
}

function Block({ text }: { text: string }) {
  // Lines of a paragraph before a list belong to the paragraph; indented lines to their item.
  const parts = text.split(/\n(?=\s*(?:[-*]|\d+\.)\s)/);
  const items = parts.filter((part) => ITEM.test(part));
  const before = parts.filter((part) => !ITEM.test(part)).join('\n');
  return (
    <>
      {before.trim() !== '' && <p>{inline(before)}</p>}
      {items.length > 0 && <ul>{items.map((item, i) => <li key={i}>{inline(item.replace(ITEM, ''))}</li>)}</ul>}
    </>
  );
}

/** Marks up the inside of a line. */
export function inline(text: string): ComponentChildren[] {
  return text.split(INLINE).map((part) => {
    if (part.startsWith('`') && part.endsWith('`') && part.length > 2) return <code>{part.slice(1, -1)}</code>;
    if (part.startsWith('**') && part.endsWith('**') && part.length > 4) return <strong>{part.slice(2, -2)}</strong>;
    const link = /^\[([^\]]+)\]\((https?:\/\/[^)]+|[/#][^)]*)\)$/.exec(part);
    return link ? <a href={link[2]}>{link[1]}</a> : part;
  });
}
