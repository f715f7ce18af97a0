// The parts of the page that need no browser: notation, trees, links, texts.

import assert from 'node:assert/strict';

import { load } from './support/sources.mjs';

export async function before() {
  const [choice, tree, link, gameText, grid, finished, moveValues, numbering, text, events] = await Promise.all(
    ['model/choice.ts', 'model/tree.ts', 'model/link.ts', 'model/game-text.ts', 'model/grid.ts', 'model/finished.ts', 'model/move-values.ts', 'model/numbering.ts', 'text/index.ts', 'api/events.ts'].map(load),
  );
  return { choice, tree, link, gameText, grid, finished, moveValues, numbering, text, events };
}

const point = (id) => ({ id, x: 0, y: 0, radius: 0.4, shape: 'hole', colour: '' });
const layout = (points, blocks = [], pieces = []) => ({
  width: 1, height: 1, points: points.map(point), edges: [], labels: [],
  blocks: blocks.map((id) => ({ id, x: 0, y: 0, width: 1, height: 1, colour: '', points: [] })),
  pieces: pieces.map((id) => ({ id, name: id, fill: '', stroke: '', label: '', shape: 'disc', seat: id[0] })),
});

export const tests = {
  'steps of a move follow the layout': ({ choice }) => {
    const turning = { layout: layout(['c3', 'd4'], ['1', '2']), board: {}, toMove: 'w' };
    assert.deepEqual(choice.steps('c3-2r', turning).map((it) => [it.kind, it.text, it.block, it.suffix]),
      [['point', 'c3', undefined, undefined], ['turn', '-2r', '2', 'r']]);
    const star = { layout: layout(['A', 'a', 'c', 'A2B', 'A3c'], [], ['1a', '1b', '2a']), board: { A: ['1a', '2a'], c: ['1b'] }, toMove: '1' };
    assert.deepEqual(choice.steps('a-c@A2B', star).map((it) => [it.kind, it.point]), [['piece', 'A'], ['point', 'c'], ['point', 'A2B']]);
    assert.deepEqual(choice.steps('a-A=2a', star).map((it) => [it.kind, it.piece ?? it.point]), [['piece', '1a'], ['point', 'A'], ['piece', '2a']]);
    assert.deepEqual(choice.steps('a!+A3c', star).map((it) => [it.kind, it.text]), [['piece', 'a'], ['point', '!+A3c']]);
    const flips = { layout: layout(['c2'], ['1', '2', "1'", "2'"]), board: {}, toMove: 'w' };
    assert.deepEqual(['c2', '~1', '~L'].map((move) => choice.nextChoice(move, 0, flips).kind), ['point', 'block', 'side']);
    const squares = { layout: layout(['e2', 'e4']), board: {}, toMove: 'w' };
    assert.deepEqual(choice.steps('e2e4', squares).map((it) => it.point), ['e2', 'e4']);
    assert.deepEqual(choice.steps('pass', squares).map((it) => [it.kind, it.word]), [['word', 'pass']]);
  },
  'a block is chosen by its points where no point is a choice': ({ choice }) => {
    const files = { ...layout(['d1', 'd2', 'e1'], ['d', 'e']), blocks: [{ id: 'd', points: ['d1', 'd2'] }, { id: 'e', points: ['e1'] }] };
    const reading = { layout: files, board: {}, toMove: 'r' };
    const byPoint = (moves) => [...choice.blockChoices(choice.choices(moves, [], reading), files)].map(([point, it]) => [point, it.text]);
    assert.deepEqual(byPoint(['d', 'e']), [['d1', 'd'], ['d2', 'd'], ['e1', 'e']]);
    assert.deepEqual(byPoint(['e']), [['e1', 'e']]);
    assert.deepEqual(byPoint(['d1', 'e']), [], 'a point is a choice itself');
  },
  'the end of a move is a choice where the move may go on': ({ choice }) => {
    const reading = { layout: layout(['c3'], ['1']), board: {}, toMove: 'w' };
    const [c3] = choice.steps('c3', reading);
    assert.deepEqual(choice.choices(['c3', 'c3-1l', 'c3-1r'], [c3], reading).map((it) => it.kind), ['end', 'turn', 'turn']);
  },
  'a point whose id is a prefix of another is distinguished': ({ choice }) => {
    const reading = { layout: layout(['e', 'd', 'd1e'], [], ['1e']), board: { e: ['1e'] }, toMove: '1' };
    const moves = ['e-e+d', 'e-e+d1e'];
    assert.deepEqual(choice.choices(moves, choice.steps('e-e', reading), reading).map((it) => it.text), ['+d', '+d1e']);
    assert.deepEqual(choice.choices(moves, choice.steps('e-e+d', reading), reading).map((it) => it.kind), ['end']);
  },
  'trees survive their text': ({ tree }) => {
    const { Tree, formatTree, parseTree } = tree;
    const game = new Tree();
    const first = game.play(game.root, 'c3-2r');
    const second = game.play(first, 'd!+C2D');
    game.play(game.play(first, 'e5.(x)%'), 'a1-1l');
    game.play(second, '~L');
    game.play(game.root, "b2'");
    const text = formatTree(game);
    assert.equal(formatTree(parseTree(text)), text);
    assert.deepEqual(parseTree(text).all().map((node) => node.move), game.all().map((node) => node.move));
    for (const malformed of ['', '(', ')))', '%', 'a.(b', '((a))', '..', 'a(b)(c).d']) parseTree(malformed);
  },
  'links survive their text': ({ link }) => {
    for (const text of ['#pentago/standard?m=c3-2r.d4-1l(e5-2r)&at=1&seats=person,5', '#g/v?p=6/6_w', '#g/']) {
      assert.equal(link.formatLink(link.parseLink(text)), text);
    }
    assert.equal(link.parseLink('#x/y?at=999&seats=0,11,<b>').node.ply, 0);
    assert.deepEqual(link.parseLink('#x/y?seats=0,11,<b>').seats, ['analysis', 'analysis', 'analysis']);
    assert.equal(link.parseLink(''), null);
    assert.equal(link.parseLink('#%E0%A4%A').game, '%E0%A4%A');
  },
  'long games and links need no deep stack': ({ link, tree }) => {
    const game = new tree.Tree();
    const tip = game.playAll(game.root, Array.from({ length: 15_000 }, () => 'a1'));
    assert.deepEqual([tip.ply, tip.moves.length, game.all().length, tip.isMainLine], [15_000, 15_000, 15_001, true]);
    assert.equal(tree.formatTree(game).length, 15_000 * 3 - 1);
    assert.equal(link.parseLink(`#pentago/standard?m=${'c3-2r.'.repeat(170_000)}`), null);
  },
  'a move has one value: that of its line, and no more than the last line': ({ moveValues }) => {
    const hint = (move, w, more = {}) => ({ move, equivalents: [], evaluation: { certainty: 'estimate', scores: { w, b: 1 - w }, ...more } });
    const lines = [hint('a1', 0.7), hint('b1', 0.6)];
    const others = [hint('b1', 0.9), hint('c1', 0.8), hint('d1', 0.5), hint('e1', 1, { certainty: 'proven' })];
    const merged = moveValues.mergedValues(lines, others, 'w');
    assert.deepEqual(merged.map((it) => [it.move, it.evaluation.scores.w]), [['a1', 0.7], ['b1', 0.6], ['c1', 0.6], ['d1', 0.5], ['e1', 1]]);
    assert.ok(Math.abs(merged[2].evaluation.scores.b - 0.4) < 1e-9);
    assert.equal(moveValues.mergedValue(lines, 'b1', others[0].evaluation, 'w').scores.w, 0.6);
    assert.equal(moveValues.mergedValue([], 'b1', others[0].evaluation, 'w').scores.w, 0.9);
  },
  'a round has one move of each seat that still plays': ({ numbering }) => {
    const { movesOf } = numbering;
    assert.deepEqual([1, 2, 3, 4, 5].map((plies) => movesOf(plies, 2)), [1, 1, 2, 2, 3]);
    assert.deepEqual([1, 3, 4, 5, 8].map((plies) => movesOf(plies, 4)), [1, 1, 1, 2, 2]);
    assert.deepEqual([3, 4, 7].map((plies) => movesOf(plies, 3)), [1, 2, 3]);
    assert.equal(movesOf(2, 1), 2);
  },
  'places of finished seats are read from positions': ({ finished }) => {
    const read = (position, seats) => [...finished.finishedSeats(position, seats)];
    assert.deepEqual(read('9/9 r r2y1', ['r', 'y', 'g']), [['r', 2], ['y', 1]]);
    for (const none of ['9/9 r -', '9/9 r x1', '6/6 w']) assert.deepEqual(read(none, ['r', 'y', 'g', 'w']), [], none);
    assert.deepEqual(read('wb1/3 w1', ['w', 'b']), []);
  },
  'games survive their text': ({ gameText, tree }) => {
    const game = new tree.Tree();
    const first = game.play(game.root, 'c3-2r');
    game.play(game.play(first, 'd4-1l'), 'b2-1r');
    game.play(game.play(first, 'e5-2r'), 'a1-3l');
    const text = gameText.writeGame({ game: 'pentago', variant: 'standard', position: '6/6 w "x"', result: null }, game, 2);
    const read = gameText.readGame(text);
    assert.deepEqual([read.game, read.variant, read.position], ['pentago', 'standard', '6/6 w "x"']);
    assert.equal(tree.formatTree(read.tree), tree.formatTree(game));
    assert.deepEqual(gameText.readGame('1. c3-2r {a comment} 1... d4-1l').tree.tip().moves, ['c3-2r', 'd4-1l']);
    assert.deepEqual(gameText.readGame('c3-2r, d4-1l').tree.tip().moves, ['c3-2r', 'd4-1l']);
  },
  'grids are read from positions': ({ grid }) => {
    assert.deepEqual(grid.gridPieces('xo1/3/2x x'), { a1: ['x'], b1: ['o'], c3: ['x'] });
    assert.equal(grid.gridLayout('xo1/3/3 x', ['x', 'o']).points.length, 9);
    for (const other of ['5 a', 'A,B/A,B a', '3/2 x', '']) assert.equal(grid.gridLayout(other, ['x']), null, other);
  },
  'no text is missing in any language': ({ text }) => {
    const { LANGUAGES } = text;
    assert.deepEqual(Object.keys(LANGUAGES), ['en', 'sv', 'fi', 'de', 'fr']);
    const shape = (value) => typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, shape(it)])) : typeof value;
    for (const [id, words] of Object.entries(LANGUAGES)) {
      assert.deepEqual(shape(words), shape(LANGUAGES.en), id);
      for (const [key, value] of Object.entries(words)) if (typeof value === 'string') assert.ok(value.trim(), `${id}.${key}`);
      if (id === 'en') continue;
      const same = Object.keys(words).filter((key) => typeof words[key] === 'string' && words[key] === LANGUAGES.en[key]);
      assert.ok(same.length < 12, `${id} repeats English: ${same}`);
    }
  },
  'events are read from their frames': ({ events }) => {
    assert.deepEqual(events.parse('event: update\nid: 1\ndata: {"a":\ndata: 1}'), { event: 'update', data: '{"a":\n1}' });
    assert.equal(events.parse(': keep-alive'), null);
  },
};
