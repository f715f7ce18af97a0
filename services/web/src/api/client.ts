// Calls of the REST interface: one method per call, errors as `ApiError`, streams
// as async iterators that end the search when they are left.

import type {
  Comparisons, Game, GameDetails, Hints, HintsQuestion, Limits, MovePage, Position, PositionQuestion, PuzzleEvent,
  ReviewEvent, Threats,
} from './types';
import { readEvents } from './events';

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
    return this.status === 0 || this.status === 502;
  }

  /** Whether the same request may succeed a little later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

interface ApiDocument {
  paths: Record<string, unknown>;
  components?: { schemas?: Record<string, { properties?: Record<string, { maximum?: number }> }> };
}

export class Client {
  private document: Promise<ApiDocument> | null = null;

  /** `base` is the address of the server, empty for the page's own; `language` that of
   * the texts for players, by default the browser's. */
  constructor(
    readonly base = '',
    private readonly language: () => string = () => '',
  ) {}

  async games(signal?: AbortSignal): Promise<Game[]> {
    return (await this.json<{ games: Game[] }>('/v1/games', undefined, signal)).games;
  }

  game(id: string, signal?: AbortSignal): Promise<GameDetails> {
    return this.json(gamePath(id), undefined, signal);
  }

  position(game: string, question: PositionQuestion, signal?: AbortSignal): Promise<Position> {
    return this.json(gamePath(game, 'position'), question, signal);
  }

  moves(
    game: string,
    question: PositionQuestion & { prefix?: string; pageSize?: number; pageToken?: string },
    signal?: AbortSignal,
  ): Promise<MovePage> {
    return this.json(gamePath(game, 'legal-moves'), question, signal);
  }

  hints(game: string, question: HintsQuestion, signal?: AbortSignal): Promise<Hints> {
    return this.json(gamePath(game, 'hints'), question, signal);
  }

  compare(
    game: string,
    question: PositionQuestion & { compareMoves: string[]; limits?: Limits },
    signal?: AbortSignal,
  ): Promise<Comparisons> {
    return this.json(gamePath(game, 'compare'), question, signal);
  }

  threats(game: string, question: PositionQuestion & { limits?: Limits }, signal?: AbortSignal): Promise<Threats> {
    return this.json(gamePath(game, 'threats'), question, signal);
  }

  analysis(game: string, question: HintsQuestion, signal: AbortSignal): AsyncIterable<Hints> {
    return this.stream<Hints>(gamePath(game, 'analysis'), question, signal);
  }

  review(
    game: string,
    question: PositionQuestion & { limits?: Limits; totalTimeMs?: number },
    signal: AbortSignal,
  ): AsyncIterable<ReviewEvent> {
    return this.stream<ReviewEvent>(gamePath(game, 'review'), question, signal);
  }

  puzzles(
    game: string,
    question: PositionQuestion & { count?: number; seed?: number; limits?: Limits; totalTimeMs?: number },
    signal: AbortSignal,
  ): AsyncIterable<PuzzleEvent> {
    return this.stream<PuzzleEvent>(gamePath(game, 'puzzles'), question, signal);
  }

  /** Whether this server has a call, by the last part of its path. */
  async has(call: string): Promise<boolean> {
    return `/v1/games/{game}/${call}` in (await this.describe()).paths;
  }

  /** The most hints that this server gives at once. */
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
    for await (const { event, data } of readEvents(response, signal)) {
      if (event === 'error') throw problem(0, JSON.parse(data));
      yield JSON.parse(data) as T;
    }
  }

  private async send(path: string, body: unknown, accept: string, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept };
    if (this.language()) headers['accept-language'] = this.language();
    const init: RequestInit = { headers, signal: signal ?? null };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      init.method = 'POST';
      init.body = JSON.stringify(body);
    }
    let response: Response;
    try {
      response = await fetch(this.base + path, init);
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new ApiError(0, 'unreachable', String(error));
    }
    if (response.ok) return response;
    throw problem(response.status, await response.json().catch(() => ({})));
  }
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

function gamePath(game: string, call?: string): string {
  return `/v1/games/${encodeURIComponent(game)}${call ? `/${call}` : ''}`;
}
