// Client of the REST interface: one method per call, errors as `ApiError`, streams as
// async iterators. Leaving a stream's loop ends its search.

import type {
  AnalysisUpdate, ComparisonQuestion, Comparisons, Evaluated, EvaluationQuestion, ExplorationQuestion, ExplorerPage, Game, GameDetails, Hints, HintsQuestion, MovePage,
  MovesQuestion, Position, PositionQuestion, PuzzleMessage, PuzzleQuestion, ReviewMessage, ReviewQuestion, Threats, ThreatsQuestion,
} from './types';
import { readEvents } from './events';
import { gamePath, requestOf, type Call } from './request';

/** Sent by a proxy when the server does not answer. */
const BAD_GATEWAY = 502;

/** A problem that the server reports, or status 0 if it was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    detail: string,
    readonly field?: string,
    readonly column?: number,
    readonly index?: number,
    readonly retryAfterMs?: number,
  ) {
    super(detail);
  }

  get isUnreachable(): boolean {
    return this.status === 0 || this.status === BAD_GATEWAY;
  }

  /** Whether the server rejected the moves. */
  get isAboutMoves(): boolean {
    return this.reason === 'illegal_move' || this.reason === 'bad_move' || this.reason === 'game_over';
  }

  /** Whether a token, or a different one, could help. */
  get isAboutToken(): boolean {
    return this.reason === 'unauthenticated' || this.reason === 'rate_limited';
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.isUnreachable || this.status === 429 || this.status === 503;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Holder of the bearer token, for servers that require one. */
export interface Credentials {
  readonly token: string | null;
  /** Called when the server rejects a call's token or its absence. True repeats the
   * call. */
  renew(refused: string | null, problem: ApiError, signal?: AbortSignal): Promise<boolean>;
}

export interface ClientOptions {
  /** Address of the server; empty for the page's own. */
  base?: string;
  /** Language of the texts for players; the browser's by default. */
  language?: () => string;
  credentials?: Credentials;
  /** Returns the answer of a call that was already made. */
  preloaded?: (call: Call) => Promise<Response> | undefined;
  /** Called for each answer of the server; for a stream, when it starts. */
  onAnswer?: () => void;
}

interface ApiDocument {
  paths: Record<string, unknown>;
  components?: { schemas?: Record<string, { properties?: Record<string, { maximum?: number }> }> };
}

export class Client {
  private document: Promise<ApiDocument> | null = null;

  constructor(private readonly options: ClientOptions = {}) {}

  async games(signal?: AbortSignal): Promise<Game[]> {
    return (await this.json<{ games: Game[] }>('/v1/games', undefined, signal)).games;
  }

  game(id: string, signal?: AbortSignal): Promise<GameDetails> {
    return this.json(gamePath(id), undefined, signal);
  }

  position(game: string, question: PositionQuestion, signal?: AbortSignal): Promise<Position> {
    return this.json(gamePath(game, 'position'), question, signal);
  }

  moves(game: string, question: MovesQuestion, signal?: AbortSignal): Promise<MovePage> {
    return this.json(gamePath(game, 'legal-moves'), question, signal);
  }

  hints(game: string, question: HintsQuestion, signal?: AbortSignal): Promise<Hints> {
    return this.json(gamePath(game, 'hints'), question, signal);
  }

  evaluation(game: string, question: EvaluationQuestion, signal?: AbortSignal): Promise<Evaluated> {
    return this.json(gamePath(game, 'evaluation'), question, signal);
  }

  compare(game: string, question: ComparisonQuestion, signal?: AbortSignal): Promise<Comparisons> {
    return this.json(gamePath(game, 'compare'), question, signal);
  }

  threats(game: string, question: ThreatsQuestion, signal?: AbortSignal): Promise<Threats> {
    return this.json(gamePath(game, 'threats'), question, signal);
  }

  explorer(game: string, question: ExplorationQuestion, signal?: AbortSignal): Promise<ExplorerPage> {
    return this.json(gamePath(game, 'explorer'), question, signal);
  }

  analysis(game: string, question: HintsQuestion, signal: AbortSignal): AsyncIterable<AnalysisUpdate> {
    return this.stream(gamePath(game, 'analysis'), question, signal);
  }

  review(game: string, question: ReviewQuestion, signal: AbortSignal): AsyncIterable<ReviewMessage> {
    return this.stream(gamePath(game, 'review'), question, signal);
  }

  puzzles(game: string, question: PuzzleQuestion, signal: AbortSignal): AsyncIterable<PuzzleMessage> {
    return this.stream(gamePath(game, 'puzzles'), question, signal);
  }

  /** Returns whether this server has a call, named by the last part of its path. */
  async has(call: string): Promise<boolean> {
    return `/v1/games/{game}/${call}` in (await this.describe()).paths;
  }

  /** Returns the maximum of `count` for hints. */
  async hintsMax(): Promise<number> {
    return (await this.describe()).components?.schemas?.HintsQuestion?.properties?.count?.maximum ?? 1;
  }

  private describe(): Promise<ApiDocument> {
    this.document ??= this.json<ApiDocument>('/openapi.json');
    this.document.catch(() => (this.document = null));
    return this.document;
  }

  private async json<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await this.send(path, body, 'application/json', signal);
    return (await response.json()) as T;
  }

  private async *stream<T>(path: string, body: unknown, signal: AbortSignal): AsyncIterable<T> {
    const response = await this.send(path, body, 'text/event-stream', signal);
    try {
      for await (const { event, data } of readEvents(response, signal)) {
        if (event === 'error') throw problem(0, JSON.parse(data));
        yield JSON.parse(data) as T;
      }
    } catch (error) {
      // Browsers throw different errors when a connection breaks during a response.
      throw error instanceof ApiError || error instanceof SyntaxError || isAbort(error) ? error : unreachable(error);
    }
  }

  /** Sends a call, and repeats it as long as the credentials renew the token. */
  private async send(path: string, body: unknown, accept: string, signal?: AbortSignal): Promise<Response> {
    const { credentials } = this.options;
    for (;;) {
      const token = credentials?.token ?? null;
      const response = await this.fetch(path, body, accept, token, signal);
      if (response.status !== BAD_GATEWAY) this.options.onAnswer?.();
      if (response.ok) return response;
      const error = problem(response.status, await response.json().catch(() => ({})));
      const isRenewed = response.status === 401 && (await credentials?.renew(token, error, signal));
      if (!isRenewed) throw error;
    }
  }

  private async fetch(path: string, body: unknown, accept: string, token: string | null, signal?: AbortSignal): Promise<Response> {
    const { base = '', language, preloaded } = this.options;
    const call: Call = { path, body, accept, language: language?.(), token };
    try {
      return await (preloaded?.(call) ?? fetch(base + path, { ...requestOf(call), signal: signal ?? null }));
    } catch (error) {
      throw isAbort(error) ? error : unreachable(error);
    }
  }
}

function unreachable(error: unknown): ApiError {
  return new ApiError(0, 'unreachable', String(error));
}

function problem(status: number, body: Record<string, unknown>): ApiError {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return new ApiError(
    number(body.status) ?? status,
    text(body.reason) ?? 'internal',
    text(body.detail) ?? text(body.title) ?? `HTTP ${status}`,
    text(body.field),
    number(body.column),
    number(body.index),
    number(body.retryAfterMs),
  );
}
