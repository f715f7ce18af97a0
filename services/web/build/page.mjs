// The frame around a guide: navigation, headings of the page, neighbours, and on the
// first page a position with its answer and cards of all guides.

import { markdownAddress } from './contents.mjs';
import { escapeHtml } from './highlight.mjs';

const text = escapeHtml;

export function pageHtml({ page, groups, assets, previous, next, picture }) {
  const title = picture ? 'Pentad API: guides and reference' : `${page.title} · Pentad API`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${text(title)}</title>
<meta name="description" content="${text(page.summary)}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4eee2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#17181b" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<p class="brand"><a href="/docs"><img src="${assets.icon}" alt="" width="28" height="28"> Pentad <small>API</small></a></p>
<div class="options"><a href="#contents" class="menu">Contents</a><a href="/">Board</a><a href="/docs/reference">Reference</a></div>
</header>
<div class="frame">
<nav id="contents" aria-label="Guides">
<a class="close" href="#main">Close</a>
${navigation(page, groups)}
</nav>
<main id="main" tabindex="-1">
${picture ? startHtml(page, groups, picture) : articleHtml(page, groups)}
${neighbours(previous, next)}
<footer class="muted"><a href="${markdownAddress(page)}">This page as Markdown</a> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">llms.txt</a></footer>
</main>
</div>
</body>
</html>
`;
}

function navigation(current, groups) {
  const link = (page) => {
    const name = page.isReason ? `<code>${text(page.title)}</code>` : text(page.title);
    return `<li><a href="${page.address}"${page === current ? ' aria-current="page"' : ''}>${name}</a></li>`;
  };
  const section = ({ title, pages }) => {
    const id = `group-${title.toLowerCase().replaceAll(' ', '-')}`;
    return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul>${pages.map(link).join('')}</ul></section>`;
  };
  const first = `<ul><li><a href="/docs"${groups.some((group) => group.pages.includes(current)) ? '' : ' aria-current="page"'}>Quick start</a></li>`
    + '<li><a href="/docs/reference">Reference of all calls</a></li></ul>';
  return [first, ...groups.map(section)].join('\n');
}

function articleHtml(page, groups) {
  const group = groups.find((it) => it.pages.includes(page));
  return `<article>
<p class="crumbs muted"><a href="/docs">Docs</a> › ${page.isReason ? '<a href="/docs/errors">Errors</a>' : text(group.title)}</p>
<h1>${page.isReason ? `<code>${text(page.title)}</code>` : text(page.title)}</h1>
<p class="lead">${page.summaryHtml}</p>
${onThisPage(page.headings)}
${page.html}</article>`;
}

function onThisPage(headings) {
  if (headings.length < 2) return '';
  const links = headings.map(({ id, text: heading }) => `<li><a href="#${id}">${text(heading)}</a></li>`);
  return `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`;
}

function startHtml(page, groups, picture) {
  const card = (it) => `<li><a href="${it.address}"><strong>${text(it.title)}</strong> <span>${text(firstSentence(it.summary))}</span></a></li>`;
  const pages = groups.filter((group) => group.title !== 'Errors').flatMap((group) => group.pages);
  const errors = groups.find((group) => group.title === 'Errors').pages[0];
  return `<article>
<div class="hero">
<div>
<h1>${text(page.title)}</h1>
<p class="lead">${page.summaryHtml}</p>
<p class="row"><a class="button primary" href="#quick-start">Quick start</a><a class="button" href="/docs/reference">Reference</a><a class="button" href="/">Open the board</a></p>
</div>
<figure class="card shown">
${picture}
<figcaption><span>White to move. What is best?</span> <strong><code>e1</code> wins</strong> <span class="tag">✓ proven</span></figcaption>
</figure>
</div>
${page.html}
<h2 id="all-guides"><a class="anchor" href="#all-guides">All guides</a></h2>
<ul class="cards">${[...pages, errors].map(card).join('')}</ul>
</article>`;
}

const firstSentence = (summary) => /^.*?[.:](?=\s|$)/.exec(summary)?.[0].replace(/:$/, '.') ?? summary;

function neighbours(previous, next) {
  const link = (page, word, kind) => (page ? `<a class="${kind}" href="${page.address}" rel="${kind}"><span class="muted">${word}</span> ${page.isReason ? `<code>${text(page.title)}</code>` : text(page.title)}</a>` : '<span></span>');
  return `<nav class="neighbours" aria-label="Previous and next page">${link(previous, 'Previous', 'prev')}${link(next, 'Next', 'next')}</nav>`;
}
