// A player's front end in miniature, with types generated from `/openapi.json`:
//
//   node out/main.js http://127.0.0.1:8080     (`.ci/openapi` generates, compiles and runs it)
//
// It compiles only if the document has the fields used here with their types, and
// succeeds only if the server sends them.

import assert from "node:assert/strict";

import createClient from "openapi-fetch";

import type { components, paths } from "./schema.js";

type AnalysisLine = components["schemas"]["AnalysisLine"];
type Evaluation = components["schemas"]["Evaluation"];
type Problem = components["schemas"]["Problem"];

const api = createClient<paths>({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8080" });

/** Returns the answer of a call that has to succeed. */
function answer<T>({ data, error }: { data?: T; error?: Problem }): T {
  if (data === undefined) throw new Error(error?.detail ?? "neither an answer nor a problem");
  return data;
}

/** "w 0.50 : b 0.50" */
function scores(evaluation: Evaluation): string {
  return Object.entries(evaluation.scores).map(([seat, score]) => `${seat} ${score.toFixed(2)}`).join(" : ");
}

const { games } = answer(await api.GET("/v1/games"));
assert(games.length > 0, "no game is served");

for (const { id: game, name, variants } of games) {
  const path = { game };
  const variant = variants[0];
  assert(variant, `${game} has no variant`);

  const page = answer(await api.POST("/v1/games/{game}/legal-moves", { params: { path }, body: { pageSize: 5 } }));
  assert.equal(page.moves.length, Math.min(page.total, 5));
  const next = answer(await api.GET("/v1/games/{game}/legal-moves", {
    params: { path, query: { pageSize: 5, pageToken: page.nextPageToken } },
  }));
  assert.notDeepEqual(next.moves, page.moves);

  // The same seed chooses the same move with GET and POST, if the search was not cut short.
  const question = { limits: { nodes: 500 }, level: 3, seed: 7 };
  const posted = answer(await api.POST("/v1/games/{game}/hints", { params: { path }, body: question }));
  const { limits, level, seed } = question;
  const got = answer(await api.GET("/v1/games/{game}/hints", { params: { path, query: { ...limits, level, seed } } }));
  const [hint] = posted.hints;
  assert(hint, `${game}: no hint`);
  const isCutShort = [posted, got].some(({ stopReason }) => stopReason === "time" || stopReason === "load");
  assert(isCutShort || got.hints[0]?.move === hint.move, `${game}: ${hint.move}, then ${got.hints[0]?.move}`);

  const moves = [hint.move];
  const value = answer(await api.POST("/v1/games/{game}/evaluation", {
    params: { path },
    body: { variant: variant.id, moves, limits: { nodes: 500 } },
  }));
  assert.deepEqual(Object.keys(value.evaluation.scores), variant.seats);
  assert.equal(value.evaluation.outcome === null, value.evaluation.certainty === "estimate" || variant.seats.length > 2);
  console.log(`${name}: ${page.total} moves, ${hint.move} leads to ${scores(value.evaluation)}`);

  const threats = answer(await api.POST("/v1/games/{game}/threats", { params: { path }, body: { moves } }));
  assert.deepEqual(threats.seats, variant.seats);
  assert.equal(threats.position, value.position);

  const after = answer(await api.GET("/v1/games/{game}/position", { params: { path, query: { moves } } }));
  assert.equal(after.position, value.position);
  assert.equal(after.outcome?.text, undefined);
}

// An analysis as JSON lines: updates, of which the last is final.
const analysis = await api.POST("/v1/games/{game}/analysis", {
  params: { path: { game: "pentago" } },
  body: { position: "wwww2/6/bbbb2/6/6/6 w" },
  headers: { Accept: "application/x-ndjson" },
  parseAs: "text",
});
const lines = (analysis.data ?? "").trimEnd().split("\n").map((line) => JSON.parse(line) as AnalysisLine);
const isFinal = lines.map((line) => {
  if ("error" in line) throw new Error(line.error.detail);
  assert(line.hints.length > 0, "an update without hints");
  return line.final;
});
assert.equal(isFinal.indexOf(true), lines.length - 1);
console.log(`analysis: ${lines.length} updates`);

/** Returns the text that a front end shows for a problem. The compiler knows every reason. */
function explain(problem: Problem): string {
  switch (problem.reason) {
    case "unknown_game":
    case "unknown_variant":
      return `no such ${problem.field}`;
    case "illegal_move":
    case "bad_move":
      return `move ${(problem.index ?? 0) + 1} cannot be played`;
    case "overloaded":
    case "rate_limited":
      return `try again in ${problem.retryAfterMs ?? 1000} ms`;
    default:
      return problem.detail;
  }
}

const unknown = await api.GET("/v1/games/{game}", { params: { path: { game: "chess" } } });
assert(unknown.error);
assert.equal(unknown.response.status, unknown.error.status);
assert.equal(unknown.error.requestId, unknown.response.headers.get("x-request-id"));
assert.equal(explain(unknown.error), "no such game");

const illegal = await api.POST("/v1/games/{game}/position", {
  params: { path: { game: "pentago" } },
  body: { moves: ["a1-2r", "a1-2r"] },
});
assert(illegal.error);
assert.deepEqual([illegal.error.status, illegal.error.field], [422, "moves[1]"]);
assert.equal(explain(illegal.error), "move 2 cannot be played");
console.log(`problems: ${illegal.error.detail}`);

/** Returns the JSON lines of a stream. */
function jsonLines<T>(text: string | undefined): T[] {
  return (text ?? "").trimEnd().split("\n").map((line) => JSON.parse(line) as T);
}

// A review: White leaves its row of four, Black completes its own.
const ndjson = { headers: { Accept: "application/x-ndjson" }, parseAs: "text" } as const;
const game = { params: { path: { game: "pentago" } } };
const bothThreaten = "wwww2/6/bbbb2/6/6/6 w";
const review = await api.POST("/v1/games/{game}/review", {
  ...game, ...ndjson, body: { position: bothThreaten, moves: ["f6-4r", "e3"] },
});
const reviewed = jsonLines<components["schemas"]["ReviewLine"]>(review.data);
const labels = reviewed.flatMap((line) => ("move" in line ? [line.move.label] : []));
assert.equal(labels.length, 2);
const summary = reviewed.at(-1);
assert(summary && "summary" in summary, "the summary comes last");
assert.equal(summary.summary.scores.length, 3);
console.log(`review: ${labels.join(", ")}; accuracy of w ${summary.summary.seats.w?.accuracy}`);

// Why not that move?
const comparison = answer(await api.POST("/v1/games/{game}/compare", {
  ...game, body: { position: bothThreaten, compareMoves: ["f6-4r", "e1"] },
}));
assert.equal(comparison.bestMove, "e1");
assert.equal(comparison.comparisons[0]?.reply, "e3");

// Puzzles that are found within the server's time limit.
const puzzles = await api.POST("/v1/games/{game}/puzzles", {
  ...ndjson, params: { path: { game: "pentaflip" } }, body: { seed: 7, limits: { nodes: 20000 } },
});
const found = jsonLines<components["schemas"]["PuzzleLine"]>(puzzles.data).at(-1);
assert(found && "final" in found, "the last line is final");
console.log(`puzzles: ${found.final.found} in ${found.final.lookedAt} positions`);

// Every distinct move, with what is known about it.
const explored = answer(await api.POST("/v1/games/{game}/explorer", { ...game, body: {} }));
assert.equal(explored.total, explored.moves.length);
assert(explored.moves.every((it) => it.evaluation.source === "book"), "the book knows the opening");
console.log(`explorer: ${explored.total} different moves, ${explored.games} games`);
