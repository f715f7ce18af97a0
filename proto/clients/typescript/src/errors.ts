// Failures: those of the contract, one `reason` each, and those of the connection.

import type { Problem, Reason } from './types.js';

/** Base of everything that a call throws, except the reason of an aborted signal. */
export class PentadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server refused a question. */
export class ApiError extends PentadError {
  /** From the closed list of the contract. */
  readonly reason: Reason;
  /** Path of the server's page about this reason, with causes and remedies. */
  readonly type: string;
  /** The HTTP status. */
  readonly status: number;
  /** The invalid part of the question: `moves[1]`, `limits.timeMs`. */
  readonly field: string | undefined;
  /** Position of the offending character in that field, from 1. */
  readonly column: number | undefined;
  /** Index of the move in its list, from 0. */
  readonly index: number | undefined;
  /** How long to wait before a retry. */
  readonly retryAfterMs: number | undefined;
  /** As in the server's log. */
  readonly requestId: string;

  constructor(problem: Problem, retryAfterMs?: number) {
    super(problem.detail ?? problem.title ?? problem.reason);
    this.reason = problem.reason;
    this.type = problem.type;
    this.status = problem.status;
    this.field = problem.field ?? undefined;
    this.column = problem.column ?? undefined;
    this.index = problem.index ?? undefined;
    this.retryAfterMs = problem.retryAfterMs ?? retryAfterMs;
    this.requestId = problem.requestId ?? '';
  }
}

/** There was no answer: no connection, or it broke before the answer. */
export class UnreachableError extends PentadError {}

/** A stream ended before its last message. What it yielded until then is valid. */
export class StreamCutError extends PentadError {}

/** The call took longer than `timeoutMs`, or a stream was silent for `idleTimeoutMs`. */
export class CallTimeoutError extends PentadError {}

/** The answer is not one of Pentad: a proxy's page, a redirect, malformed JSON. */
export class ProtocolError extends PentadError {
  constructor(message: string, readonly status?: number) {
    super(message);
  }
}

/** Returns the error of a response that is not a success. */
export function errorOfResponse(status: number, headers: Headers, body: string): ApiError | ProtocolError {
  if (headers.get('content-type')?.includes('json')) {
    const problem = tryParse(body);
    if (isProblem(problem)) {
      const after = headers.get('retry-after') ?? '';
      return new ApiError(problem, /^\d+$/.test(after) ? Number(after) * 1000 : undefined);
    }
  }
  return new ProtocolError(`HTTP ${status} without a problem document: ${JSON.stringify(body.slice(0, 200).trim())}`, status);
}

/** Parses the JSON of an answer. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProtocolError(`the answer is not JSON: ${String(error)}`);
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'reason' in value;
}
