// Values that components watch.

import { useLayoutEffect, useState } from 'preact/hooks';

export class Cell<T> {
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

/** The value of a cell; the component is drawn again when it changes, also when it
 * did so between the first drawing and the watch. */
export function useCell<T>(cell: Cell<T>): T {
  const [, draw] = useState(0);
  const drawn = cell.value;
  useLayoutEffect(() => {
    const again = () => draw((n) => n + 1);
    if (cell.value !== drawn) again();
    return cell.watch(again);
  }, [cell]);
  return drawn;
}
