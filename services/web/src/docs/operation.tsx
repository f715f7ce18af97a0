// One call: what it does, what it takes, what it answers.

import { useContext } from 'preact/hooks';

import type { Call, Content, ResponseInfo } from './document';
import { AnswerContext, Disclosure, DocumentContext, FieldView, SchemaView } from './fields';
import { inline, Markdown } from '../text/markdown';
import { exampleText } from './request';
import { resolve } from './schema';
import { SendForm } from './send';

export function OperationView({ call }: { call: Call }) {
  return (
    <article data-testid="operation">
      <h2 tabIndex={-1}>{inline(call.summary ?? call.operationId)}</h2>
      <p class="route"><Method method={call.method} /> <code>{call.path}</code></p>
      <div class="columns">
        <div>
          <div class="prose"><Markdown text={call.description} /></div>
          <Parameters call={call} />
          {call.requestBody && (
            <section aria-labelledby="body">
              <h3 id="body">Body</h3>
              <Markdown text={call.requestBody.description} />
              <ContentView content={call.requestBody.content} hasExample={false} />
            </section>
          )}
          <Responses responses={call.responses} />
        </div>
        <SendForm key={call.operationId} call={call} />
      </div>
    </article>
  );
}

export function Method({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

function Parameters({ call }: { call: Call }) {
  if (!call.parameters?.length) return null;
  return (
    <section aria-labelledby="parameters">
      <h3 id="parameters">Parameters</h3>
      <ul class="schema">
        {call.parameters.map((it) => (
          <FieldView key={`${it.in} ${it.name}`} name={it.name} schema={it.schema ?? {}} isRequired={it.required === true} description={it.description} place={it.in} />
        ))}
      </ul>
    </section>
  );
}

function ContentView({ content, hasExample }: { content: Content; hasExample: boolean }) {
  const document = useContext(DocumentContext);
  return (
    <>
      {Object.entries(content).map(([type, media]) => (
        <div key={type} class="media">
          <code>{type}</code>
          {media.schema && <Markdown text={resolve(document, media.schema).description} />}
          {media.schema && <SchemaView schema={media.schema} />}
          {hasExample && <Disclosure label="Example">{() => <pre tabIndex={0} aria-label="Example">{exampleText(document, media)}</pre>}</Disclosure>}
        </div>
      ))}
    </>
  );
}

function Responses({ responses }: { responses: Record<string, ResponseInfo> }) {
  const reasons = useContext(DocumentContext).components?.schemas?.Reason?.enum ?? [];
  const all = Object.entries(responses);
  const failures = all.filter(([status]) => status >= '4');
  const problem = failures.find(([, { content }]) => content)?.[1].content;
  return (
    <AnswerContext.Provider value>
      <h3>Responses</h3>
      {all.filter(([status]) => status < '4').map(([status, response]) => (
        <Disclosure key={status} isOpen={status === '200'} label={<><strong>{status}</strong> {inline(response.description)}</>}>
          {() => <ResponseBody response={response} />}
        </Disclosure>
      ))}
      {failures.length > 0 && (
        <>
          <h3>Errors</h3>
          <table>
            <thead><tr><th scope="col">Status</th><th scope="col">Reason</th></tr></thead>
            <tbody>{failures.map(([status, { description }]) => <tr key={status}><th scope="row">{status}</th><td>{inline(withLinks(description, reasons))}</td></tr>)}</tbody>
          </table>
          {problem && <Disclosure label="Body of an error">{() => <ContentView content={problem} hasExample />}</Disclosure>}
        </>
      )}
    </AnswerContext.Provider>
  );
}

/** Each reason links to its page. */
const withLinks = (text: string, reasons: unknown[]) =>
  text.replace(/`([a-z_]+)`/g, (code, name: string) => (reasons.includes(name) ? `[${name}](/docs/errors/${name})` : code));

function ResponseBody({ response }: { response: ResponseInfo }) {
  const headers = Object.entries(response.headers ?? {});
  return (
    <>
      {response.content && <ContentView content={response.content} hasExample />}
      {headers.length > 0 && (
        <Disclosure label="Headers">
          {() => (
            <ul class="schema">
              {headers.map(([name, it]) => <FieldView key={name} name={name} schema={it.schema ?? {}} isRequired description={it.description} />)}
            </ul>
          )}
        </Disclosure>
      )}
    </>
  );
}
