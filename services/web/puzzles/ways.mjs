// Puzzles for games in which `pentad puzzles` finds none, because moves that win differ in
// how they end: a block may be put anywhere. All moves with the same beginning are one way.
//
// A win at once is proven by playing every legal move. A win in three plies is one that the
// search of the rule set has proven, without another that it has proven as soon; the page
// also accepts any other move that the server proves to win in time.

const MOVES_MAX = 3000;
const NODES = 30_000;
const LINES = 4;

/** Returns puzzles among the positions of a game's last moves. */
export async function ways(ask, variant, { position: root, moves }) {
  const found = [];
  for (let played = 0; played < moves.length; played += 1) {
    const here = { variant: variant.id, position: root, moves: moves.slice(0, played) };
    const at = await ask('position', here);
    if (at.outcome || at.legalMoveCount < 2 || at.legalMoveCount > MOVES_MAX) continue;
    const { hints } = await ask('hints', { variant: variant.id, position: at.position, count: LINES, limits: { nodes: NODES } });
    const [best, ...others] = hints;
    if (!isWin(best, at.toMove, 3)) continue;
    const { pliesToEnd } = best.evaluation;
    const common = { position: at.position, toMove: at.toMove, theme: best.reasons[0]?.code ?? '', pliesToEnd, key: at.key };
    if (pliesToEnd === 1) {
      const way = await wayToWin(ask, variant, at);
      if (way) found.push({ ...common, ...way, line: [way.firstMoves[0]] });
    } else if (new Set(variant.seats.map((seat) => variant.sides[seat])).size === 2 && others.length > 0 && !others.some((it) => isWin(it, at.toMove, pliesToEnd))) {
      const nPlausible = others.filter((it) => it.evaluation.scores[at.toMove] >= 0.5).length;
      const line = best.line.slice(0, pliesToEnd);
      if (line.length === pliesToEnd) found.push({ ...common, firstMoves: [best.move, ...best.equivalents], line, difficulty: pliesToEnd + Math.log2(1 + nPlausible) });
    }
  }
  return found;
}

function isWin({ evaluation: { certainty, scores, pliesToEnd } }, seat, plies) {
  return certainty === 'proven' && scores[seat] >= 1 && pliesToEnd !== null && pliesToEnd <= plies;
}

/** Returns the only way to win at once: all winning moves begin with it, and no other moves do. */
async function wayToWin(ask, variant, { position, toMove }) {
  const moves = [];
  for (let pageToken = ''; ;) {
    const page = await ask('legal-moves', { variant: variant.id, position, pageSize: 1000, ...(pageToken ? { pageToken } : {}) });
    moves.push(...page.moves);
    pageToken = page.nextPageToken;
    if (!pageToken) break;
  }
  const winning = await ask.winning(variant, position, moves, toMove);
  if (winning.length === 0) return null;
  const prefix = commonBeginning(winning);
  const alike = moves.filter((move) => beginsWith(move, prefix));
  if (prefix === '' || alike.length !== winning.length) return null;
  const nWays = new Set(moves.map((move) => move.slice(0, prefix.length))).size;
  return { firstMoves: [winning[0]], ...(winning.length > 1 ? { prefix } : {}), difficulty: 1 + Math.log2(1 + nWays) / 8 };
}

export const beginsWith = (move, prefix) => move.startsWith(prefix) && !/^[A-Za-z0-9]/.test(move.slice(prefix.length));

/** The longest beginning that all moves share, up to the end of a name in them. */
function commonBeginning(moves) {
  let prefix = moves[0];
  for (const move of moves) while (prefix !== '' && !beginsWith(move, prefix)) prefix = prefix.slice(0, -1);
  return prefix.replace(/[^A-Za-z0-9]+$/, '');
}
