// Readers of streams: lines, and server-sent events, from pieces of any size.

/** A server-sent event. */
export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

/** Yields the lines of a text that arrives in pieces, without their ends. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

/** Yields the events of a stream; comments only keep the connection alive. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  let event = 'message';
  let id = '';
  let data: string[] = [];
  for await (const line of readLines(pieces)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') {
      if (data.length > 0) yield { event, id, data: data.join('\n') };
      [event, id, data] = ['message', '', []];
    } else if (name === 'event') {
      event = value;
    } else if (name === 'id') {
      id = value;
    } else if (name === 'data') {
      data.push(value);
    }
  }
}
