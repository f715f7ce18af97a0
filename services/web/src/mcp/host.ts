// JSON-RPC with the window that shows the app.

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

export class Host {
  #waiting = new Map<number | string, Waiting>();
  #notified = new Map<string, (params: unknown) => void>();
  #answers = new Map<string, (params: unknown) => unknown>();
  #nextId = 1;

  constructor() {
    addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
      if (source === parent && data?.jsonrpc === '2.0') this.#receive(data);
    });
  }

  /** Sends a request; fails with the host's message. */
  request<T>(method: string, params: unknown): Promise<T> {
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: unknown) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Calls `handler` for each of these notifications. */
  on(method: string, handler: (params: unknown) => void) {
    this.#notified.set(method, handler);
  }

  /** Answers these requests of the host. */
  answer(method: string, handler: (params: unknown) => unknown) {
    this.#answers.set(method, handler);
  }

  #receive({ id, method, params, result, error }: Message) {
    if (method === undefined) {
      const waiting = this.#waiting.get(id ?? '');
      this.#waiting.delete(id ?? '');
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result as never);
    } else if (id === undefined) {
      this.#notified.get(method)?.(params);
    } else {
      const handler = this.#answers.get(method);
      const answer = handler ? { result: handler(params) } : { error: { code: -32601, message: `there is no method ${method}` } };
      this.#send({ jsonrpc: '2.0', id, ...answer });
    }
  }

  // The host's origin is unknown to an app, and no message has a secret.
  #send(message: Message) {
    parent.postMessage(message, '*');
  }
}
