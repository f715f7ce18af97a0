// JSON schemas as a reader sees them: a short type, bounds, fields, an example.

import type { ApiDocument, Schema } from './document';

/** Nesting of generated examples; deeper values are left out. */
const SAMPLE_DEPTH_MAX = 5;
/** From here on JSON numbers are imprecise in a browser. The only such bounds are those of 64-bit integers. */
const EXACT_MAX = Number.MAX_SAFE_INTEGER;

/** A schema without `$ref`, `allOf` and the alternative `null`. */
export interface Resolved extends Schema {
  /** Name of the schema that was referred to. */
  name?: string;
  isNullable: boolean;
  /** Alternatives, if there is more than one. */
  choices: Schema[];
}

export function resolve(document: ApiDocument, schema: Schema, seen: ReadonlySet<string> = new Set()): Resolved {
  const { $ref, ...own } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const target = document.components?.schemas?.[name];
    if (!target || seen.has($ref)) return { ...own, name, isNullable: false, choices: [] };
    return { ...resolve(document, target, new Set(seen).add($ref)), ...own, name };
  }
  if (schema.allOf) return resolve(document, merge(document, schema, seen), seen);
  const all = schema.oneOf ?? schema.anyOf ?? [];
  const choices = all.filter((choice) => choice.type !== 'null');
  const isNullable = choices.length < all.length || (Array.isArray(schema.type) && schema.type.includes('null'));
  const { oneOf, anyOf, ...rest } = schema;
  if (choices.length === 1) {
    const only = resolve(document, choices[0]!, seen);
    return { ...only, ...rest, isNullable: isNullable || only.isNullable };
  }
  return { ...rest, isNullable, choices };
}

/** Puts the fields of all parts of `allOf` into one object. */
function merge(document: ApiDocument, { allOf, ...own }: Schema, seen: ReadonlySet<string>): Schema {
  const parts = (allOf ?? []).map((part) => resolve(document, part, seen));
  return {
    type: 'object',
    ...own,
    properties: Object.assign({}, ...parts.map((part) => part.properties), own.properties) as Record<string, Schema>,
    required: [...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])],
  };
}

/** The type in a few words: `Limits or null`, `array of string`, `uint64`. */
export function typeText(document: ApiDocument, schema: Schema): string {
  const resolved = resolve(document, schema);
  return baseType(document, resolved) + (resolved.isNullable ? ' or null' : '');
}

function baseType(document: ApiDocument, schema: Resolved): string {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (schema.name && !schema.enum) return schema.name;
  if (schema.choices.length > 0) return schema.choices.map((choice) => typeText(document, choice)).join(' or ');
  if (schema.items) return `array of ${typeText(document, schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return `map of ${typeText(document, schema.additionalProperties)}`;
  return types.map((type) => (schema.format && (type === 'integer' || type === 'number') ? schema.format : type)).join(' or ') || 'any';
}

/** Default, bounds and permitted values, a phrase each. */
export function bounds(schema: Resolved): string[] {
  const range = (min: number | undefined, max: number | undefined, unit = '') => {
    const most = max !== undefined && max <= EXACT_MAX ? max : undefined;
    if (min !== undefined && most !== undefined) return `${min} to ${most}${unit}`;
    return min !== undefined ? `at least ${min}${unit}` : most !== undefined ? `at most ${most}${unit}` : '';
  };
  return [
    schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : '',
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern ? `matches ${schema.pattern}` : '',
  ].filter((text) => text !== '');
}

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

export function fieldsOf(schema: Resolved): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, schema: field, isRequired: required.has(name) }));
}

/** What a nested value consists of: its fields, alternatives, items, or JSON in a string. */
export function partsOf(document: ApiDocument, schema: Schema): Resolved | null {
  const resolved = resolve(document, schema);
  if (resolved.properties || resolved.choices.length > 0) return resolved;
  const inner = resolved.items ?? resolved.contentSchema ?? resolved.additionalProperties;
  return typeof inner === 'object' ? partsOf(document, inner) : null;
}

/** An example value: the schema's own, or one made from its fields. */
export function sample(document: ApiDocument, schema: Schema, depth = 0): unknown {
  const it = resolve(document, schema);
  if (it.example !== undefined) return it.example;
  if (it.default !== undefined) return it.default;
  if (it.const !== undefined) return it.const;
  if (it.enum) return it.enum[0];
  if (it.choices.length > 0) return sample(document, it.choices[0]!, depth + 1);
  if (depth > SAMPLE_DEPTH_MAX) return it.items ? [] : null;
  if (it.properties) return Object.fromEntries(fieldsOf(it).map((field) => [field.name, sample(document, field.schema, depth + 1)]));
  if (it.items) return [sample(document, it.items, depth + 1)];
  if (it.contentSchema) return JSON.stringify(sample(document, it.contentSchema, depth + 1));
  const type = [it.type ?? []].flat().find((one) => one !== 'null');
  if (type === 'integer' || type === 'number') return it.minimum ?? 0;
  if (type === 'boolean') return false;
  return type === 'object' ? {} : type === 'string' ? '' : null;
}
