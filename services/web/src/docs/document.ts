// The OpenAPI document: the part of its format that the reference page reads.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  contentSchema?: Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export type Content = Record<string, Media>;

export interface ResponseInfo {
  description: string;
  content?: Content;
  headers?: Record<string, { description?: string; schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Content };
  responses: Record<string, ResponseInfo>;
}

export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  tags?: { name: string; description?: string }[];
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, { description?: string }> };
}

/** An operation with its method (upper case) and path. */
export interface Call extends Operation {
  method: string;
  path: string;
}

export interface Group {
  name: string;
  description: string;
  calls: Call[];
}

/** Returns the calls in the order of the document's tags; untagged ones come last. */
export function groupsOf(document: ApiDocument): Group[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })));
  const groups = (document.tags ?? []).map(({ name, description = '' }) => ({ name, description, calls: [] as Call[] }));
  for (const call of calls) {
    const name = call.tags?.[0] ?? 'other';
    let group = groups.find((it) => it.name === name);
    if (!group) groups.push((group = { name, description: '', calls: [] }));
    group.calls.push(call);
  }
  return groups.filter((group) => group.calls.length > 0);
}

export const addressOf = (call: Call): string => `#/operations/${encodeURIComponent(call.operationId)}`;

/** Returns the operation id in a fragment such as `#/operations/hint`. */
export function operationIn(hash: string): string | null {
  const found = /^#\/operations\/([^/?]+)/.exec(hash);
  try {
    return found ? decodeURIComponent(found[1]!) : null;
  } catch {
    return null;
  }
}
