// The pages of /docs that are written in Markdown: their sources, their addresses and
// their order in the navigation. Titles and summaries are in the sources, the first
// heading and the first paragraph; documents that were not written for these pages have
// a title of their own here.

const guide = (name) => ({ source: `services/web/guides/${name}.md`, address: `/docs/guides/${name}` });
const error = (name) => ({ source: `services/web/guides/errors/${name}.md`, address: `/docs/errors/${name}`, isReason: true });
const game = (name, title) => ({ source: `rulesets/${name}/RULES.md`, address: `/docs/games/${name}`, title });

export const START = { source: 'services/web/guides/index.md', address: '/docs' };

/** Groups in the order of the navigation. */
export const GROUPS = [
  { title: 'Ask', pages: ['questions', 'answers', 'streams', 'batch', 'limits', 'caching'].map(guide) },
  { title: 'Play and learn', pages: ['levels', 'reviews'].map(guide) },
  { title: 'Call', pages: ['grpc', 'agents', 'tokens', 'versions'].map(guide) },
  { title: 'Build', pages: ['board', 'rule-sets'].map(guide) },
  {
    title: 'Games',
    pages: [game('pentago', 'Pentago'), game('pentago-xl', 'Pentago XL'), game('pentagame', 'Pentagame'), game('pentaflip', 'Pentaflip')],
  },
  {
    title: 'Definitions',
    pages: [
      { source: 'services/REVIEW.md', address: '/docs/guides/how-moves-are-judged', title: 'How moves are judged' },
      { source: 'services/JUDGE.md', address: '/docs/guides/how-players-are-judged', title: 'How players are judged' },
      { source: 'services/LEVELS.md', address: '/docs/guides/how-levels-play', title: 'How levels play' },
    ],
  },
  {
    title: 'Errors',
    pages: [
      { source: 'services/web/guides/errors/index.md', address: '/docs/errors' },
      ...['unknown_game', 'unknown_variant', 'bad_position', 'bad_move', 'bad_argument', 'illegal_move', 'game_over', 'too_large', 'overloaded',
        'rate_limited', 'deadline', 'ruleset_fault', 'ruleset_unavailable', 'unauthenticated', 'internal'].map(error),
    ],
  },
];

/** All pages in reading order. */
export const PAGES = [START, ...GROUPS.flatMap((group) => group.pages)];

/** Where a page is served as Markdown: `/docs/guides/streams.md`; the first page has the name `index`. */
export const markdownAddress = ({ address }) => (address === START.address ? `${address}/index.md` : `${address}.md`);
