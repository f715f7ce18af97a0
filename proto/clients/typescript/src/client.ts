// The client: one method per call of the contract.

import { Batch, type BatchOptions, type BatchResult } from './batch.js';
import { lastUpdate, puzzleSet, reviewedGame, Stream } from './stream.js';
import { Transport, type CallOptions, type ClientOptions } from './transport.js';
import type {
  AnalysisQuestion, AnalysisUpdate, BatchQuestion, Comparison, ComparisonQuestion, DiagramQuestion, EvaluationAnswer, EvaluationQuestion, ExplorationPage,
  ExplorationQuestion, ExploredMove, Game, GameDetails, Hints, HintsQuestion, MovePage, MovesQuestion, Position, PositionQuestion,
  PuzzleMessage, PuzzleQuestion, PuzzleSet, ReviewedGame, ReviewMessage, ReviewQuestion, Threats, ThreatsQuestion,
} from './types.js';

/** A client of one server. */
export class Pentad {
  /** Address of the server. */
  readonly url: string;
  private readonly transport: Transport;

  constructor(url = 'http://127.0.0.1:8080', options: ClientOptions = {}) {
    this.transport = new Transport(url, options);
    this.url = this.transport.base;
  }

  /** The games that are served. */
  async games(options: CallOptions = {}): Promise<Game[]> {
    return (await this.transport.json<{ games: Game[] }>({ path: '/v1/games', options })).games;
  }

  /** One game, with its rules, its notation and its board. */
  game(game: string, options: CallOptions = {}): Promise<GameDetails> {
    return this.transport.json({ path: gamePath(game), options });
  }

  /** A position: whose turn it is, whether the game is over, where the pieces are. */
  position(game: string, question: PositionQuestion = {}, options: CallOptions = {}): Promise<Position> {
    return this.ask(game, 'position', question, options);
  }

  /** A page of the legal moves, with their total number. */
  legalMovesPage(game: string, question: MovesQuestion = {}, options: CallOptions = {}): Promise<MovePage> {
    return this.ask(game, 'legal-moves', question, options);
  }

  /** Yields the legal moves in canonical order; pages are requested as they are needed. */
  async *legalMoves(game: string, question: MovesQuestion = {}, options: CallOptions = {}): AsyncGenerator<string, void, undefined> {
    for (let pageToken = question.pageToken; ;) {
      const page = await this.legalMovesPage(game, pageToken ? { ...question, pageToken } : question, options);
      yield* page.moves;
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /** The value of a position for every seat. */
  evaluate(game: string, question: EvaluationQuestion = {}, options: CallOptions = {}): Promise<EvaluationAnswer> {
    return this.ask(game, 'evaluation', question, options);
  }

  /** The best moves, with their values, expected lines and reasons. */
  hint(game: string, question: HintsQuestion = {}, options: CallOptions = {}): Promise<Hints> {
    return this.ask(game, 'hints', question, options);
  }

  /** Two to eight moves side by side, the best reply to each, and the best move. */
  compare(game: string, question: ComparisonQuestion, options: CallOptions = {}): Promise<Comparison> {
    return this.ask(game, 'compare', question, options);
  }

  /** The wins that each seat would have if it were its turn, and the moves that stop them. */
  threats(game: string, question: ThreatsQuestion = {}, options: CallOptions = {}): Promise<Threats> {
    return this.ask(game, 'threats', question, options);
  }

  /** A page of what is known of each distinct move, without a search. */
  explorePage(game: string, question: ExplorationQuestion = {}, options: CallOptions = {}): Promise<ExplorationPage> {
    return this.ask(game, 'explorer', question, options);
  }

  /** Yields what is known of each distinct move; pages are requested as they are needed. */
  async *explore(game: string, question: ExplorationQuestion = {}, options: CallOptions = {}): AsyncGenerator<ExploredMove, void, undefined> {
    for (let pageToken = question.pageToken; ;) {
      const page = await this.explorePage(game, pageToken ? { ...question, pageToken } : question, options);
      yield* page.moves;
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /** A picture of a position, as SVG. */
  diagram(game: string, question: DiagramQuestion = {}, options: CallOptions = {}): Promise<string> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(question)) {
      for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
    }
    return this.transport.text({ path: `${gamePath(game, 'diagram.svg')}?${query}`, accept: 'image/svg+xml', options });
  }

  /** Like `hint`, but with every improvement as it is found; the last update is `final`. */
  analyze(game: string, question: AnalysisQuestion = {}, options: CallOptions = {}): Stream<AnalysisUpdate, AnalysisUpdate> {
    return new Stream(this.stream<AnalysisUpdate>(game, 'analysis', question, options), lastUpdate);
  }

  /** Reviews the game `moves`: moves from the last to the first, progress after each, and a summary. */
  review(game: string, question: ReviewQuestion, options: CallOptions = {}): Stream<ReviewMessage, ReviewedGame> {
    return new Stream(this.stream<ReviewMessage>(game, 'review', question, options), reviewedGame);
  }

  /** Finds positions that exactly one distinct move wins. */
  puzzles(game: string, question: PuzzleQuestion = {}, options: CallOptions = {}): Stream<PuzzleMessage, PuzzleSet> {
    return new Stream(this.stream<PuzzleMessage>(game, 'puzzles', question, options), puzzleSet);
  }

  /**
   * Answers any number of questions as they finish, in no particular order.
   *
   * Questions are taken when there is room for them, at most two groups ahead of the results;
   * while results are not read, no more are taken. They are answered at low priority and wait
   * while the server is busy.
   */
  batch<Q extends BatchQuestion>(
    questions: AsyncIterable<Q> | Iterable<Q>, options: BatchOptions = {},
  ): AsyncGenerator<BatchResult<Q>, void, undefined> {
    return new Batch(this.transport, questions, options).results();
  }

  private ask<T>(game: string, call: string, question: object, options: CallOptions): Promise<T> {
    return this.transport.json({ path: gamePath(game, call), body: JSON.stringify(question), options });
  }

  private stream<T>(game: string, call: string, question: object, options: CallOptions): AsyncGenerator<T, void, undefined> {
    return this.transport.events({ path: gamePath(game, call), body: JSON.stringify(question), options });
  }
}

function gamePath(game: string, call?: string): string {
  return `/v1/games/${encodeURIComponent(game)}${call ? `/${call}` : ''}`;
}
