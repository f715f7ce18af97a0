// Markdown of the guides to HTML. Fenced blocks say in their info string what they are:
//
//   ```sh tab="curl"                a tab of the group of blocks that it stands in
//   ```json answer                  what the block before it prints
//   ```python file="ask.py"         a file that later blocks use
//   ```sh skip="takes an hour"      not run by .ci/guides, with the reason
//
// Raw HTML is refused, so that a source is readable as it is.

import { posix } from 'node:path';

import { Marked } from 'marked';

import { escapeHtml, highlight } from './highlight.mjs';

const LABELS = { sh: 'Shell', python: 'Python', ts: 'TypeScript', js: 'JavaScript', json: 'JSON', ndjson: 'Lines of JSON', html: 'HTML', text: 'Text', rust: 'Rust' };

/** Splits an info string into its language, its values and its flags. */
export function infoOf(info = '') {
  const [lang = '', ...rest] = info.match(/[^\s="]+(?:="[^"]*")?/g) ?? [];
  const pairs = rest.map((part) => {
    const [, name, value] = /^([^=]+)(?:="(.*)")?$/.exec(part);
    return [name, value ?? true];
  });
  return { lang, ...Object.fromEntries(pairs) };
}

/** Returns the title (the first heading), the summary (the first paragraph), the HTML
 * of the rest, and its headings. `addressOf` maps a source to the address of its page. */
export function renderPage({ source, text, addressOf }) {
  const page = { source, addressOf, headings: [], ids: new Set(['main', 'contents', 'all-guides']), nTabGroups: 0 };
  const marked = new Marked({ renderer: rendererFor(page) });
  const tokens = marked.lexer(text);
  const [heading, summary, ...rest] = tokens.filter((token) => token.type !== 'space');
  if (heading?.type !== 'heading' || heading.depth !== 1 || summary?.type !== 'paragraph') {
    throw new Error(`${source}: starts with neither a heading nor a paragraph`);
  }
  const parse = (list) => marked.parser(Object.assign(list, { links: tokens.links }));
  return {
    title: plain(heading.tokens), summary: plain(summary.tokens).replace(/\s+/g, ' '), summaryHtml: marked.parseInline(summary.text),
    html: partsOf(rest).map((part) => (part.tabs ? tabsHtml(part.tabs, page) : parse(part))).join(''), headings: page.headings,
  };
}

/** Groups adjacent blocks that have a tab; other tokens stay together. */
function partsOf(tokens) {
  const parts = [];
  for (const token of tokens) {
    const { tab } = token.type === 'code' ? infoOf(token.lang) : {};
    const last = parts.at(-1);
    if (!tab) {
      if (Array.isArray(last)) last.push(token);
      else parts.push([token]);
    } else if (last?.tabs) last.tabs.push({ tab, token });
    else parts.push({ tabs: [{ tab, token }] });
  }
  return parts;
}

/** Radio buttons choose the panel, so that tabs need no script. */
function tabsHtml(blocks, page) {
  const names = [...new Set(blocks.map((it) => it.tab))];
  page.nTabGroups += 1;
  const group = `tabs-${page.nTabGroups}`;
  const inputs = names.map((name, i) => `<input type="radio" class="sr" name="${group}" id="${group}-${i + 1}" value="${escapeHtml(name)}"${i === 0 ? ' checked' : ''}>`
    + `<label for="${group}-${i + 1}">${escapeHtml(name)}</label>`);
  const panels = names.map((name) => `<div class="panel">${blocks.filter((it) => it.tab === name).map((it) => codeHtml(it.token)).join('')}</div>`);
  return `<fieldset class="tabs"><legend class="sr">Language</legend>${inputs.join('')}${panels.join('')}</fieldset>\n`;
}

function codeHtml({ text, lang: info }) {
  const { lang, tab, answer, file } = infoOf(info);
  const label = answer ? 'Answer' : file ?? (tab ? '' : LABELS[lang] ?? '');
  const caption = label ? `<figcaption>${escapeHtml(label)}</figcaption>` : '';
  const kind = answer ? 'code answer' : lang && lang !== 'text' ? 'code source' : 'code';
  return `<figure class="${kind}">${caption}<pre tabindex="0"><code>${highlight(text, lang)}\n</code></pre></figure>\n`;
}

function rendererFor(page) {
  const { source, addressOf } = page;
  return {
    heading({ tokens, depth }) {
      const id = freeId(slug(plain(tokens)), page.ids);
      page.ids.add(id);
      if (depth === 2) page.headings.push({ id, text: plain(tokens) });
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    code: codeHtml,
    table(token) {
      const cells = (row, tag) => row.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const hasHead = token.header.some((cell) => cell.text !== '');
      const head = hasHead ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : '';
      const kind = token.header.length > 3 ? 'table wide' : 'table';
      return `<div class="${kind}" tabindex="0"><table>${head}<tbody>${token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(resolveLink(href, source, addressOf))}">${this.parser.parseInline(tokens)}</a>`;
    },
    html({ text }) {
      throw new Error(`${source}: HTML in Markdown: ${text.trim()}`);
    },
    image({ href }) {
      throw new Error(`${source}: a picture: ${href}`);
    },
  };
}

/** Returns the address of a link: that of the page for a source, others as they are. */
export function resolveLink(href, source, addressOf) {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.join(posix.dirname(source), path);
  const address = addressOf(target);
  if (address === undefined) throw new Error(`${source}: links to ${target}, which is no page`);
  return anchor ? `${address}#${anchor}` : address;
}

/** Rewrites the links of a source for a reader who gets it from the server. */
export function servedMarkdown(text, source, addressOf) {
  let isCode = false;
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode) return line;
    return line.replace(/\]\(([^)\s]+)\)/g, (whole, href) => {
      const [address, anchor] = resolveLink(href, source, addressOf).split('#');
      const file = /^\/docs(\/(guides|errors|games)\b|$)/.test(address) && !/^[#/]|^https?:/.test(href) ? `${address === '/docs' ? '/docs/index' : address}.md` : address;
      return `](${anchor ? `${file}#${anchor}` : file})`;
    });
  }).join('\n');
}

const plain = (tokens) => tokens.map((token) => (token.tokens ? plain(token.tokens) : unescape(token.text ?? token.raw))).join('');

const unescape = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s+/g, '-');

function freeId(wanted, ids) {
  let id = wanted;
  for (let n = 1; ids.has(id); n += 1) id = `${wanted}-${n}`;
  return id;
}
