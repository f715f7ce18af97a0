// The reference of the REST interface at /docs/reference: reads /openapi.json and shows
// one call at a time, by the address `#/operations/<operationId>`.

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { readToken, TOKEN_LEN_MAX } from '../api/token';
import { storedSettings, storedToken, storeToken } from '../app/stored';
import { addressOf, groupsOf, operationIn, type ApiDocument, type Call, type Group } from './document';
import { DocumentContext } from './fields';
import { inline, Markdown } from '../text/markdown';
import { Method, OperationView } from './operation';

function Reference({ document: api }: { document: ApiDocument }) {
  const groups = groupsOf(api);
  const operation = useOperation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const call = groups.flatMap((group) => group.calls).find((it) => it.operationId === operation);
  useEffect(() => {
    document.title = call ? `${call.summary ?? call.operationId} · ${api.info.title} API` : `${api.info.title} API`;
    if (!isFirst.current) {
      setMenuOpen(false);
      scrollTo(0, 0);
      main.current?.querySelector('h2')?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [operation]);
  return (
    <DocumentContext.Provider value={api}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.querySelector('h2')?.focus(); }}>Skip to the content</a>
      <header class="top">
        <h1><a href="#/">{api.info.title} API</a> <small>{api.info.version}</small></h1>
        <div class="options">
          <a href="/">Board</a><a href="/docs">Guides</a><a href="/openapi.json">openapi.json</a>
          <button type="button" class="menu" data-testid="menu" aria-expanded={isMenuOpen} aria-controls="calls" onClick={() => setMenuOpen(!isMenuOpen)}>Calls</button>
        </div>
      </header>
      <div class="frame">
        <nav id="calls" class={isMenuOpen ? 'open' : ''} aria-label="Calls"><Calls groups={groups} current={call} /></nav>
        <main id="main" ref={main}>
          {call ? <OperationView key={call.operationId} call={call} /> : <Overview api={api} groups={groups} missing={operation} />}
        </main>
      </div>
    </DocumentContext.Provider>
  );
}

/** The operation of the address, as it changes. */
function useOperation(): string | null {
  const [operation, setOperation] = useState(() => operationIn(location.hash));
  useEffect(() => {
    const follow = () => setOperation(operationIn(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return operation;
}

function Calls({ groups, current }: { groups: Group[]; current: Call | undefined }) {
  return (
    <>
      {groups.map((group) => (
        <section key={group.name} aria-labelledby={`tag-${group.name}`}>
          <h2 id={`tag-${group.name}`}>{group.name}</h2>
          <ul>
            {group.calls.map((call) => (
              <li key={call.operationId}>
                <a href={addressOf(call)} aria-current={call === current ? 'page' : undefined}>
                  <Method method={call.method} /> <span>{inline(call.summary ?? call.operationId)}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Overview({ api, groups, missing }: { api: ApiDocument; groups: Group[]; missing: string | null }) {
  return (
    <article data-testid="overview">
      <h2 tabIndex={-1}>Overview</h2>
      {missing !== null && <p class="bad" role="alert">There is no call <code>{missing}</code>.</p>}
      <div class="prose"><Markdown text={api.info.description} /></div>
      {api.components?.securitySchemes && <TokenField />}
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h3>{group.name}</h3>
          <Markdown text={group.description} />
          <ul class="schema">
            {group.calls.map((call) => (
              <li key={call.operationId} class="field">
                <Method method={call.method} /> <a href={addressOf(call)}>{inline(call.summary ?? call.operationId)}</a> <code>{call.path}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

/** The token of this tab, which the board page uses as well. */
function TokenField() {
  const [state, setState] = useState(storedToken() === null ? '' : 'A token is in use.');
  const [text, setText] = useState('');
  const use = (event: Event) => {
    event.preventDefault();
    const token = readToken(text);
    if (token === null && text.trim() !== '') return setState('This is not a bearer token.');
    storeToken(token);
    setText('');
    setState(token === null ? 'No token is sent.' : 'A token is in use.');
  };
  return (
    <form class="card token" onSubmit={use}>
      <label><span>Bearer token, if the server asks for one</span>
        <input type="password" value={text} maxLength={TOKEN_LEN_MAX} autocomplete="off" spellcheck={false} data-testid="token" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="row">
        <button type="submit" data-testid="token-use" disabled={text.trim() === '' && storedToken() === null}>{text.trim() === '' && storedToken() !== null ? 'Forget' : 'Use'}</button>
        <span role="status" class="muted">{state}</span>
      </div>
      <p class="muted">It stays in this tab and is sent to this server only.</p>
    </form>
  );
}

async function start(): Promise<void> {
  const { theme } = storedSettings();
  if (theme !== 'auto') document.documentElement.dataset.theme = theme;
  const root = document.getElementById('app')!;
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    render(<Reference document={(await response.json()) as ApiDocument} />, root);
  } catch (error) {
    render(<main><p class="bad" role="alert">/openapi.json could not be read: {String(error)}</p></main>, root);
  }
}

void start();
