// Sends calls, and repeats those that may be repeated.

import { ApiError, errorOfResponse, parseJson, PentadError, ProtocolError, StreamCutError, UnreachableError } from './errors.js';
import { readEvents, readLines } from './frames.js';
import { retryDelayMs } from './retry.js';
import { CallTimer } from './timer.js';
import type { Problem } from './types.js';

export const JSON_TYPE = 'application/json';
export const LINES_TYPE = 'application/x-ndjson';
const EVENTS_TYPE = 'text/event-stream';
/** The id and the name of the last event of a stream. */
const END_ID = 'end';
const ERROR_EVENT = 'error';

/** How a client calls the server. */
export interface ClientOptions {
  /** Bearer token, or a function that returns it: it is called for every request. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Language of texts for players, as in `Accept-Language`: `en`, `sv`, `fi`, `de`, `fr`. */
  language?: string;
  /** How long a call may take, retries included; 60 s by default. Streams and batches have no such bound. */
  timeoutMs?: number;
  /** How long a stream may be silent; 60 s by default. The server sends something at least every 15 s. */
  idleTimeoutMs?: number;
  /** How often a call is repeated that was refused because the server is busy or restarts; 2 by default. */
  retries?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, and the search with it. */
  signal?: AbortSignal;
  /** Instead of the client's; for streams and batches, the only bound. */
  timeoutMs?: number;
  /** Such as `x-request-id` or `x-pentad-key`. */
  headers?: Record<string, string>;
}

/** A request without the parts that every request has. */
export interface Call {
  path: string;
  /** Calls without one are GET. */
  body?: string;
  accept: string;
  contentType?: string;
  options: CallOptions;
}

export class Transport {
  readonly base: string;
  readonly retries: number;
  private readonly idleTimeoutMs: number;

  constructor(url: string, private readonly options: ClientOptions) {
    this.base = url.replace(/\/$/, '');
    this.retries = options.retries ?? 2;
    this.idleTimeoutMs = options.idleTimeoutMs ?? 60_000;
  }

  /** Returns the text of the answer. */
  async text(call: Call): Promise<string> {
    const timer = new CallTimer(call.options.timeoutMs ?? this.options.timeoutMs ?? 60_000, call.options.signal);
    try {
      return await this.repeat(timer, async () => {
        const response = await this.send(call, timer);
        return response.text().catch((error: unknown) => {
          throw failure(error, timer);
        });
      });
    } finally {
      timer.end();
    }
  }

  /** Returns the answer. */
  async json<T>(call: Omit<Call, 'accept'>): Promise<T> {
    return parseJson(await this.text({ ...call, accept: JSON_TYPE })) as T;
  }

  /** Yields the data of the events of a stream, the last one included. */
  async *events<T>(call: Omit<Call, 'accept'>): AsyncGenerator<T, void, undefined> {
    const timer = new CallTimer(call.options.timeoutMs, call.options.signal);
    try {
      const response = await this.begin({ ...call, accept: EVENTS_TYPE }, timer);
      yield* this.parsedEvents<T>(response, timer);
    } finally {
      timer.end();
    }
  }

  private async *parsedEvents<T>(response: Response, timer: CallTimer): AsyncGenerator<T, void, undefined> {
    try {
      for await (const { event, id, data } of readEvents(this.pieces(response, timer))) {
        const value = parseJson(data);
        if (event === ERROR_EVENT) throw new ApiError(value as Problem);
        yield value as T;
        if (id === END_ID) return;
      }
    } catch (error) {
      throw error instanceof UnreachableError ? new StreamCutError(error.message, { cause: error }) : error;
    }
    throw new StreamCutError('the stream ended before its last message');
  }

  /** Opens a stream of lines, which ends by itself or broken. */
  async lines(call: Call, timer: CallTimer): Promise<AsyncGenerator<unknown, void, undefined>> {
    return this.parsedLines(await this.begin(call, timer), timer);
  }

  private async *parsedLines(response: Response, timer: CallTimer): AsyncGenerator<unknown, void, undefined> {
    try {
      for await (const line of readLines(this.pieces(response, timer))) {
        if (line !== '') yield parseJson(line);
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
  }

  /** Returns a response whose body is a stream. */
  private begin(call: Call, timer: CallTimer): Promise<Response> {
    return this.repeat(timer, async () => {
      timer.touch(this.idleTimeoutMs);
      return this.send(call, timer).finally(() => timer.rest());
    });
  }

  /** Calls `attempt` until it succeeds or may not be repeated. */
  private async repeat<T>(timer: CallTimer, attempt: () => Promise<T>): Promise<T> {
    for (let n = 0; ; n++) {
      try {
        return await attempt();
      } catch (error) {
        const delay = retryDelayMs(error, n, this.retries);
        if (delay === undefined || !timer.allows(delay)) throw error;
        await timer.sleep(delay);
      }
    }
  }

  /** Sends a call once; the response is a success, and its body is not read. */
  private async send(call: Call, timer: CallTimer): Promise<Response> {
    const { fetch: send = fetch } = this.options;
    const init: RequestInit = {
      method: call.body === undefined ? 'GET' : 'POST',
      headers: await this.headers(call),
      body: call.body ?? null,
      // The interface has no redirects; following one could carry the token elsewhere.
      redirect: 'error',
      signal: timer.signal,
    };
    const response = await send(this.base + call.path, init).catch((error: unknown) => {
      throw failure(error, timer);
    });
    if (response.status === 200) return response;
    const body = await response.text().catch(() => '');
    throw errorOfResponse(response.status, response.headers, body);
  }

  private async headers(call: Call): Promise<Record<string, string>> {
    const { token, language } = this.options;
    const headers: Record<string, string> = { accept: call.accept };
    const current = typeof token === 'function' ? await token() : token;
    if (call.body !== undefined) headers['content-type'] = call.contentType ?? JSON_TYPE;
    if (current !== undefined) headers['authorization'] = `Bearer ${current}`;
    if (language !== undefined) headers['accept-language'] = language;
    return { ...headers, ...call.options.headers };
  }

  /** Yields the body as it arrives. Leaving it closes the connection, which cancels the search. */
  private async *pieces(response: Response, timer: CallTimer): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader();
    if (!reader) return;
    try {
      for (;;) {
        timer.touch(this.idleTimeoutMs);
        const { done, value } = await reader.read();
        timer.rest();
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw failure(error, timer);
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }
}

/** Converts what `fetch` throws: the reason of an abort, or a failed connection. */
function failure(error: unknown, timer: CallTimer): unknown {
  if (timer.signal.aborted) return timer.signal.reason;
  if (error instanceof PentadError) return error;
  const cause = error instanceof Error && error.cause !== undefined ? `: ${String(error.cause)}` : '';
  if (/redirect/i.test(cause)) return new ProtocolError(`${String(error)}${cause}`);
  return new UnreachableError(`${String(error)}${cause}`, { cause: error });
}
