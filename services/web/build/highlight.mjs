// Colours code of the guides: comments, strings, keywords, numbers and JSON's keys. It
// knows no grammar, only what a reader looks for.

const KEYWORDS = {
  python: 'and as async await break class continue def del elif else except finally for from global if import in is lambda None not or pass raise return True False try while with yield',
  ts: 'as async await break case catch class const continue default do else export extends false finally for from function if import in instanceof interface let new null of return switch throw true try type typeof undefined while yield',
  sh: 'case do done elif else esac export fi for function if in then until while',
  proto: 'enum import message oneof optional package repeated returns rpc service stream syntax',
  toml: 'true false',
  rust: 'as const else enum fn for if impl in let match mut pub return self Self struct trait type use where',
  json: 'true false null',
};
const ALIASES = { js: 'ts', javascript: 'ts', typescript: 'ts', py: 'python', bash: 'sh', ndjson: 'json' };
const HASH = '(?:^|(?<=\\s))#[^\\n]*';
const COMMENTS = { python: HASH, sh: HASH, toml: HASH, ts: '\\/\\/[^\\n]*', proto: '\\/\\/[^\\n]*', rust: '\\/\\/[^\\n]*', html: '<!--[\\s\\S]*?-->' };
const DOUBLE = '"(?:[^"\\\\\\n]|\\\\.)*"';
const SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'";
const STRINGS = {
  python: `"""[\\s\\S]*?"""|[fbr]?(?:${DOUBLE}|${SINGLE})`,
  ts: `${DOUBLE}|${SINGLE}|\`(?:[^\`\\\\]|\\\\.)*\``,
  sh: `"(?:[^"\\\\]|\\\\.)*"|'[^']*'`,
  json: DOUBLE,
};

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);

const span = (kind, text) => `<span class="${kind}">${escapeHtml(text)}</span>`;

/** Returns the code as HTML. An unknown language stays plain. */
export function highlight(code, name) {
  const language = ALIASES[name] ?? name;
  if (!KEYWORDS[language] && !COMMENTS[language]) return escapeHtml(code);
  const keywords = new Set((KEYWORDS[language] ?? '').split(' '));
  const pattern = new RegExp(`(?<c>${COMMENTS[language] ?? '(?!)'})|(?<s>${STRINGS[language] ?? DOUBLE})|(?<w>[A-Za-z_$][\\w$]*)|(?<n>(?<![\\w.])-?\\d[\\d_]*(?:\\.\\d+)?)`, 'gm');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    html += escapeHtml(code.slice(end, match.index));
    end = match.index + match[0].length;
    html += piece(match, { isKey: language === 'json' && /^\s*:/.test(code.slice(end)), keywords, hasNumbers: language !== 'sh' });
  }
  return html + escapeHtml(code.slice(end));
}

function piece({ 0: text, groups }, { isKey, keywords, hasNumbers }) {
  if (groups.c !== undefined) return span('c', text);
  if (groups.s !== undefined) return isKey ? span('k', text) : span('s', text);
  if (groups.n !== undefined) return hasNumbers ? span('n', text) : escapeHtml(text);
  return keywords.has(text) ? span('k', text) : escapeHtml(text);
}
