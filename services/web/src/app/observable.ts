// Values that components and other parts of the page watch.

import { useLayoutEffect, useState } from 'preact/hooks';

export class Observable<T> {
  private readonly watchers = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(value: T) {
    if (value === this.current) return;
    this.current = value;
    [...this.watchers].forEach((watcher) => watcher());
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Returns the value and draws the component again when it changes, also if it changed
 * between the first drawing and the call of `watch`. */
export function useObservable<T>(observable: Observable<T>): T {
  const [, draw] = useState(0);
  const drawn = observable.value;
  useLayoutEffect(() => {
    const again = () => draw((n) => n + 1);
    if (observable.value !== drawn) again();
    return observable.watch(again);
  }, [observable]);
  return drawn;
}
