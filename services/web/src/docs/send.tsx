// The form of a call: its values, the curl command, and a button that sends it and
// shows the answer. Streams appear message by message and can be stopped.

import { useContext, useEffect, useRef, useState } from 'preact/hooks';

import { storedToken } from '../app/stored';
import type { Call, Parameter } from './document';
import { exchange, type Answer } from './exchange';
import { DocumentContext } from './fields';
import { acceptedTypes, bodyType, curlCommand, initialValues, prepare, type FormValues } from './request';
import { resolve } from './schema';

export function SendForm({ call }: { call: Call }) {
  const document = useContext(DocumentContext);
  const [values, setValues] = useState(() => initialValues(document, call));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const prepared = prepare(call, values);
  const send = (event: Event) => {
    event.preventDefault();
    running.current?.abort();
    const control = (running.current = new AbortController());
    void exchange(prepared, control.signal, (it) => running.current === control && setAnswer(it));
  };
  return (
    <form class="card send" onSubmit={send} data-testid="send-form">
      <h3>Try it</h3>
      <Values call={call} values={values} onChange={(changes) => setValues({ ...values, ...changes })} />
      <Curl command={curlCommand(prepared, location.origin, storedToken() !== null)} />
      <div class="row">
        <button type="submit" class="primary" data-testid="send">Send</button>
        <button type="button" data-testid="stop" disabled={!answer?.isRunning} onClick={() => running.current?.abort()}>Stop</button>
        <Status answer={answer} />
      </div>
      {answer && <Messages answer={answer} />}
    </form>
  );
}

interface ValuesProps {
  call: Call;
  values: FormValues;
  onChange: (changes: Partial<FormValues>) => void;
}

function Values({ call, values, onChange }: ValuesProps) {
  const types = acceptedTypes(call);
  const type = bodyType(call);
  return (
    <>
      <div class="fields">
        {(call.parameters ?? []).map((parameter) => {
          const key = `${parameter.in} ${parameter.name}`;
          const set = (value: string) => onChange({ parameters: { ...values.parameters, [key]: value } });
          return <ParameterField key={key} parameter={parameter} value={values.parameters[key] ?? ''} onChange={set} />;
        })}
        {types.length > 1 && (
          <label><span>Accept</span>
            <select value={values.accept} data-testid="accept" onChange={(event) => onChange({ accept: event.currentTarget.value })}>
              {types.map((it) => <option key={it}>{it}</option>)}
            </select>
          </label>
        )}
      </div>
      {type && (
        <label class="body"><span>Body <span class="muted">{type}</span></span>
          <textarea rows={Math.min(16, values.body.split('\n').length + 1)} spellcheck={false} data-testid="body" value={values.body}
            onInput={(event) => onChange({ body: event.currentTarget.value })} />
        </label>
      )}
    </>
  );
}

function ParameterField({ parameter, value, onChange }: { parameter: Parameter; value: string; onChange: (value: string) => void }) {
  const document = useContext(DocumentContext);
  const schema = resolve(document, parameter.schema ?? {});
  const choices = schema.type === 'boolean' ? [true, false] : schema.enum;
  const { name } = parameter;
  return (
    <label><span>{name}{parameter.required && <span class="required">required</span>}</span>
      {choices
        ? <select value={value} onChange={(event) => onChange(event.currentTarget.value)}><option value="" />{choices.map((it) => <option key={String(it)}>{String(it)}</option>)}</select>
        : <input type="text" value={value} required={parameter.required === true} autocomplete="off" spellcheck={false} data-testid={`parameter-${name}`}
            placeholder={schema.items ? 'separated by commas' : ''} onInput={(event) => onChange(event.currentTarget.value)} />}
    </label>
  );
}

function Curl({ command }: { command: string }) {
  const [note, setNote] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(command).then(() => setNote('Copied'), () => setNote('Not allowed to copy'));
  };
  return (
    <div class="curl">
      <pre tabIndex={0} aria-label="The same as a curl command" data-testid="curl">{command}</pre>
      <div class="row"><button type="button" data-testid="copy" onClick={copy}>Copy curl</button><span role="status" class="muted">{note}</span></div>
    </div>
  );
}

function Status({ answer }: { answer: Answer | null }) {
  const parts = answer && [
    answer.status > 0 ? `${answer.status} ${answer.statusText}`.trim() : answer.isRunning ? 'Waiting' : 'No answer',
    `${answer.elapsedMs} ms`,
    isStream(answer) ? `${answer.messageCount} message${answer.messageCount === 1 ? '' : 's'}` : '',
    answer.isRunning && answer.status > 0 ? 'receiving' : '',
    answer.failure,
  ].filter((part) => part !== '');
  const isGood = answer !== null && answer.status < 400 && (answer.status > 0 || answer.isRunning);
  // Screen readers announce the end, not each message.
  return <span aria-live={answer?.isRunning ? 'off' : 'polite'} data-testid="status" class={isGood ? 'good' : 'bad'}>{parts?.join(', ')}</span>;
}

const isStream = ({ contentType }: Answer) => contentType === 'text/event-stream' || contentType === 'application/x-ndjson';

/** The newest message of a stream comes first. */
function Messages({ answer }: { answer: Answer }) {
  const { messages, messageCount, contentType } = answer;
  if (contentType === 'image/svg+xml' && messages[0]) {
    return <img class="picture" alt="The answer as a picture" data-testid="picture" src={`data:image/svg+xml,${encodeURIComponent(messages[0].text)}`} />;
  }
  return (
    <div class="messages" data-testid="answer">
      {messages.map(({ event, text }, i) => (
        <figure key={messageCount - messages.length + i}>
          {isStream(answer) && <figcaption>{messageCount - messages.length + i + 1} {event && <code>{event}</code>}</figcaption>}
          <pre tabIndex={0} aria-label={isStream(answer) ? 'Message' : 'Answer'}>{text}</pre>
        </figure>
      )).reverse()}
    </div>
  );
}
