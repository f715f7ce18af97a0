// Fields of a schema as a list; nested ones open on demand, so that schemas that
// contain themselves are shown as deep as the reader goes.

import { createContext, type ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';

import type { ApiDocument, Schema } from './document';
import { Markdown } from '../text/markdown';
import { bounds, fieldsOf, partsOf, resolve, typeText, type Resolved } from './schema';

export const DocumentContext = createContext<ApiDocument>(null!);
/** Whether the fields are those of an answer, where optional ones are marked instead of required ones. */
export const AnswerContext = createContext(false);

/** A `<details>` whose content is drawn when it is opened. */
export function Disclosure({ label, isOpen = false, children }: { label: ComponentChildren; isOpen?: boolean; children: () => ComponentChildren }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && children()}
    </details>
  );
}

/** The fields or alternatives of a value. */
export function SchemaView({ schema }: { schema: Schema }) {
  const document = useContext(DocumentContext);
  const parts = partsOf(document, schema);
  return parts ? <Parts parts={parts} /> : <p><Type schema={schema} /></p>;
}

function Parts({ parts }: { parts: Resolved }) {
  const document = useContext(DocumentContext);
  if (parts.choices.length === 0) {
    return <ul class="schema">{fieldsOf(parts).map((field) => <FieldView key={field.name} {...field} />)}</ul>;
  }
  return (
    <>
      <p class="muted">One of:</p>
      <ul class="schema">
        {parts.choices.map((choice, i) => (
          <li key={i}>
            <Type schema={choice} />
            <Markdown text={resolve(document, choice).description} />
            <Nested schema={choice} />
          </li>
        ))}
      </ul>
    </>
  );
}

export interface FieldProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
  /** Where a parameter is sent. */
  place?: string;
}

export function FieldView({ name, schema, isRequired, description, place }: FieldProps) {
  const document = useContext(DocumentContext);
  const isAnswer = useContext(AnswerContext);
  const resolved = resolve(document, schema);
  return (
    <li>
      <div class="field">
        <code class="name">{name}</code> <Type schema={schema} />
        {place && <span class="muted">in {place}</span>}
        {isRequired !== isAnswer && <span class={isAnswer ? 'muted' : 'required'}>{isAnswer ? 'optional' : 'required'}</span>}
      </div>
      <Markdown text={description ?? resolved.description} />
      <Nested schema={schema} />
    </li>
  );
}

/** Type, bounds and permitted values, also those of a list's items. */
function Type({ schema }: { schema: Schema }) {
  const document = useContext(DocumentContext);
  const resolved = resolve(document, schema);
  const values = resolved.enum ?? (resolved.items && resolve(document, resolved.items).enum);
  return (
    <>
      <span class="type">{typeText(document, schema)}</span>
      {bounds(resolved).map((text) => <span key={text} class="muted">{text}</span>)}
      {values && <span class="values">{values.map((value) => <code key={String(value)}>{String(value)}</code>)}</span>}
    </>
  );
}

function Nested({ schema }: { schema: Schema }) {
  const document = useContext(DocumentContext);
  const parts = partsOf(document, schema);
  if (!parts) return null;
  return <Disclosure label={`${parts.choices.length > 0 ? 'Alternatives' : 'Fields'} of ${parts.name ?? 'the value'}`}>{() => <Parts parts={parts} />}</Disclosure>;
}
