// From the values in the form to a request of the browser and to a curl command.

import type { ApiDocument, Call, Media } from './document';
import { sample } from './schema';

export interface FormValues {
  /** By `in` and name of the parameter: `path game`. */
  parameters: Record<string, string>;
  body: string;
  accept: string;
}

export interface Prepared {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

const STREAMS = ['text/event-stream', 'application/x-ndjson'];

export const bodyType = (call: Call): string | undefined => Object.keys(call.requestBody?.content ?? {})[0];

export const acceptedTypes = (call: Call): string[] => Object.keys(call.responses['200']?.content ?? {});

/** An example as it is written in a body: JSON, or the text itself. */
export function exampleText(document: ApiDocument, media: Media): string {
  const value = media.example ?? (media.schema ? sample(document, media.schema) : '');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

export function initialValues(document: ApiDocument, call: Call): FormValues {
  const parameters = (call.parameters ?? []).map((it) => [`${it.in} ${it.name}`, it.example === undefined ? '' : String(it.example)]);
  const media = Object.values(call.requestBody?.content ?? {})[0];
  return {
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    body: media ? exampleText(document, media) : '',
    // A stream shows its first results at once.
    accept: acceptedTypes(call).find((it) => STREAMS.includes(it)) ?? acceptedTypes(call)[0] ?? 'application/json',
  };
}

/** Builds the request; parameters that were left empty are not sent. */
export function prepare(call: Call, values: FormValues): Prepared {
  const headers: Record<string, string> = { accept: values.accept };
  const query = new URLSearchParams();
  let { path } = call;
  for (const parameter of call.parameters ?? []) {
    const value = values.parameters[`${parameter.in} ${parameter.name}`] ?? '';
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (parameter.in === 'query') query.set(parameter.name, value);
    else headers[parameter.name.toLowerCase()] = value;
  }
  const type = bodyType(call);
  const body = type && values.body.trim() !== '' ? values.body : null;
  if (type && body !== null) headers['content-type'] = type;
  const search = query.toString();
  return { method: call.method, path: search ? `${path}?${search}` : path, headers, body };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a shell. A token is not written out: it comes from `$TOKEN`. */
export function curlCommand({ method, path, headers, body }: Prepared, origin: string, hasToken: boolean): string {
  const isStream = STREAMS.includes(headers.accept ?? '');
  const parts = [`curl${isStream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (hasToken) parts.push('-H "authorization: Bearer $TOKEN"');
  if (body !== null) parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(' \\\n  ');
}
