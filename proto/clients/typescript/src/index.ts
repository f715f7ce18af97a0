// Client of Pentad, a game-analysis service, for browsers and Node.js.

export type { BatchOptions, BatchResult } from './batch.js';
export { Pentad } from './client.js';
export { ApiError, CallTimeoutError, PentadError, ProtocolError, StreamCutError, UnreachableError } from './errors.js';
export type { components, operations } from './schema.js';
export { Stream } from './stream.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type * from './types.js';
