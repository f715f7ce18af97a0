// Parts of the page that are loaded when they are first needed.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useApp } from './app';
import type { Part } from './parts';

/** Returns a part as soon as it is loaded, once it is wanted. */
export function usePart<T>(part: Part<T>, isWanted = true): T | null {
  const { connection } = useApp();
  const [, draw] = useState(0);
  useEffect(() => {
    if (!isWanted || part.loaded) return;
    part.load().then(() => draw((n) => n + 1), (error: unknown) => connection.report(error));
  }, [part, isWanted]);
  return isWanted ? part.loaded : null;
}

/** Draws a component of a part once the part is loaded, and something else meanwhile. */
export function Lazy<T>({ part, draw, meanwhile = null }: { part: Part<T>; draw: (loaded: T) => JSX.Element | null; meanwhile?: JSX.Element | null }) {
  const loaded = usePart(part);
  return loaded ? draw(loaded) : meanwhile;
}
