// Sends a request and reports the answer while it arrives.

import { readEvents, readFrames } from '../api/events';
import { storedToken } from '../app/stored';
import type { Prepared } from './request';

/** Messages of a stream that stay on the page; older ones are dropped. */
const MESSAGES_MAX = 200;

export interface Message {
  /** Name of the event; empty for lines and whole answers. */
  event: string;
  text: string;
}

export interface Answer {
  isRunning: boolean;
  /** 0 until the headers arrive, or if the server was not reached. */
  status: number;
  statusText: string;
  contentType: string;
  elapsedMs: number;
  /** The whole answer, or the last messages of a stream. */
  messages: Message[];
  messageCount: number;
  /** Why it ended early; empty if it did not. */
  failure: string;
}

/** Sends the request with the token of this tab; `onChange` gets the answer so far. */
export async function exchange({ method, path, headers, body }: Prepared, signal: AbortSignal, onChange: (answer: Answer) => void): Promise<void> {
  const started = performance.now();
  let answer: Answer = { isRunning: true, status: 0, statusText: '', contentType: '', elapsedMs: 0, messages: [], messageCount: 0, failure: '' };
  const update = (changes: Partial<Answer>) => {
    answer = { ...answer, ...changes, elapsedMs: Math.round(performance.now() - started) };
    onChange(answer);
  };
  update({});
  const token = storedToken();
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(path, { method, headers: { ...headers, ...authorization }, body, signal, redirect: 'error', cache: 'no-store' });
    const contentType = (response.headers.get('content-type') ?? '').split(';')[0]!;
    update({ status: response.status, statusText: response.statusText, contentType });
    for await (const message of messagesOf(response, contentType, signal)) {
      update({ messages: [...answer.messages, message].slice(-MESSAGES_MAX), messageCount: answer.messageCount + 1 });
    }
    update({ isRunning: false });
  } catch (error) {
    update({ isRunning: false, failure: signal.aborted ? 'Stopped.' : String(error) });
  }
}

async function* messagesOf(response: Response, contentType: string, signal: AbortSignal): AsyncIterable<Message> {
  if (contentType === 'text/event-stream') {
    for await (const { event, data } of readEvents(response, signal)) yield { event, text: pretty(data) };
  } else if (contentType === 'application/x-ndjson') {
    for await (const line of readFrames(response, '\n', signal)) yield { event: '', text: pretty(line) };
  } else {
    const text = await response.text();
    if (text !== '') yield { event: '', text: contentType.endsWith('json') ? pretty(text) : text };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
