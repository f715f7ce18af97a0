// Streams of a response to POST, which `EventSource` cannot send.

export interface ServerEvent {
  event: string;
  data: string;
}

/** Yields the server-sent events of a response, until it ends or the signal aborts it. */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncIterable<ServerEvent> {
  for await (const frame of readFrames(response, '\n\n', signal)) {
    const event = parse(frame);
    if (event) yield event;
  }
}

/** Yields the parts of a response that end with the separator. */
export async function* readFrames(response: Response, separator: string, signal?: AbortSignal): AsyncIterable<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      const frames = buffer.split(separator);
      buffer = frames.pop() ?? '';
      for (const frame of frames) {
        signal?.throwIfAborted();
        yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Parses one frame; null for a comment, which only keeps the connection alive. */
export function parse(frame: string): ServerEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of frame.split(/\r?\n/)) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length > 0 ? { event, data: data.join('\n') } : null;
}
