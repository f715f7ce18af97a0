// The guides: the pages of /docs that are written in Markdown, as HTML that needs no
// script, as Markdown, and as the list of both, /llms.txt.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { GROUPS, markdownAddress, PAGES, START } from './contents.mjs';
import { renderPage, servedMarkdown } from './markdown.mjs';
import { pageHtml } from './page.mjs';

const addresses = new Map(PAGES.map(({ source, address }) => [source, address]));
const addressOf = (source) => addresses.get(source);

/** Returns the files by their path in dist/. `assets` has the addresses of style, script and icon. */
export async function guideFiles(repository, assets) {
  const picture = boardPicture(await readFile(join(repository, 'tests/golden/pentago.svg'), 'utf8'));
  const pages = await Promise.all(PAGES.map(async (page) => {
    const text = await readFile(join(repository, page.source), 'utf8');
    const rendered = renderPage({ ...page, text, addressOf });
    return { ...rendered, ...page, title: page.title ?? rendered.title, text };
  }));
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const groups = GROUPS.map((group) => ({ ...group, pages: group.pages.map(({ source }) => bySource.get(source)) }));
  const files = new Map();
  pages.forEach((page, i) => {
    const isStart = page.source === START.source;
    const html = pageHtml({ page, groups, assets, previous: pages[i - 1], next: pages[i + 1], picture: isStart ? picture : null });
    files.set(`${page.address.slice(1)}.html`, Buffer.from(html));
    files.set(`${markdownAddress(page).slice(1)}`, Buffer.from(servedMarkdown(page.text, page.source, addressOf)));
  });
  files.set('llms.txt', Buffer.from(llmsText(bySource.get(START.source), groups)));
  return files;
}

/** The list for language models: every page with its summary, in Markdown. */
function llmsText(start, groups) {
  const line = (page) => `- [${page.title}](${markdownAddress(page)}): ${page.summary}`;
  const sections = groups.map((group) => `## ${group.title}\n\n${group.pages.map(line).join('\n')}`);
  return [
    '# Pentad', `> ${start.summary}`,
    'Addresses are on this server. The calls, their fields and their bounds are in [/openapi.json](/openapi.json); the first page, with a quick start, is '
      + `[here](${markdownAddress(start)}).`,
    ...sections,
  ].join('\n\n') + '\n';
}

/** The README's diagram without its background, so that it suits both themes, and with a
 * mark on `e1`, the answer. */
function boardPicture(svg) {
  const background = /<rect [^>]*fill="#f7f1e6"\/>\n/;
  if (!background.test(svg)) throw new Error('tests/golden/pentago.svg: no background');
  return svg.replace(background, '').replace(' width="320" height="320"', '').replaceAll('fill="#4a3b2c"', 'fill="currentColor"')
    .replace('</svg>', '<circle class="mark" cx="5.5" cy="1.3" r="0.46"/>\n</svg>').trim();
}
