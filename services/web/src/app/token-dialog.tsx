// Dialog for the token: opened when the server refuses a call without one, or by the
// reader to change or forget it.

import { useEffect, useRef, useState } from 'preact/hooks';

import { readToken, TOKEN_LEN_MAX } from '../api/token';
import { useApp } from './app';
import { useObservable } from './observable';
import { settings, words } from './settings';
import type { TokenQuestion } from './token';

/** Button in the header, on servers where a token makes a difference. */
export function TokenButton() {
  const { token } = useApp();
  const isHeld = useObservable(token.isHeld);
  const isUseful = useObservable(token.isUseful);
  if (!isHeld && !isUseful) return null;
  return (
    <button type="button" class="key" data-testid="token" title={words().token} aria-label={words().token} onClick={() => token.ask()}>
      <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="M13 11l8-8M17 7l3 3M14 15a5 5 0 1 1-5-5 5 5 0 0 1 5 5z" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
      </svg>
    </button>
  );
}

export function TokenDialog() {
  const { token } = useApp();
  const question = useObservable(token.question);
  useObservable(settings);
  return question ? <Dialog question={question} /> : null;
}

function Dialog({ question }: { question: TokenQuestion }) {
  const { token } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [isMalformed, setMalformed] = useState(false);
  const w = words();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // Closing restores the focus.
    return () => element.close();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const given = readToken(text);
    setMalformed(given === null);
    if (given !== null) token.give(given);
  };
  const why = question.refusal === 'missing' ? w.tokenNeeded : question.refusal === 'refused' ? w.tokenRefused : w.tokenWhy;
  return (
    <dialog ref={dialog} class="card" aria-labelledby="token-title" aria-describedby="token-why" data-testid="token-dialog"
      onCancel={(event) => { event.preventDefault(); token.dismiss(); }}>
      <form method="dialog" onSubmit={submit}>
        <h2 id="token-title">{w.token}</h2>
        <div id="token-why">
          <p>{why}</p>
          {question.refusal === 'refused' && <p class="muted" lang="en">{question.detail}</p>}
        </div>
        <label><span>{w.token}</span>
          {/* No `name`, so that submitting the form cannot put it into an address. */}
          <input type="password" data-testid="token-field" value={text} maxLength={TOKEN_LEN_MAX} autocomplete="off" spellcheck={false} required
            aria-invalid={isMalformed} aria-errormessage="token-error" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p id="token-error" class="bad" role="alert">{isMalformed ? w.tokenMalformed : ''}</p>
        <p class="muted">{w.tokenKept}</p>
        {!isSecureContext && <p class="bad">⚠ {w.tokenInsecure}</p>}
        <div class="row">
          <button type="submit" class="primary" data-testid="token-use">{w.tokenUse}</button>
          {token.isHeld.value && <button type="button" data-testid="token-forget" onClick={() => token.forget()}>{w.tokenForget}</button>}
          <button type="button" class="quiet" data-testid="token-cancel" onClick={() => token.dismiss()}>{w.cancel}</button>
        </div>
      </form>
    </dialog>
  );
}
