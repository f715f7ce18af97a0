// Components whose code is loaded when they are first shown.

import { createElement, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { load } from './activity';
import { useApp } from './app';
import { words } from './settings';

/** Returns a component that loads another one and then shows it. */
export function lazy(loading: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  return () => {
    const app = useApp();
    const [, draw] = useState(0);
    useEffect(() => {
      if (loaded) return;
      void load(app, async () => {
        loaded = await loading();
        draw((n) => n + 1);
      });
    }, []);
    return loaded ? createElement(loaded, {}) : <p class="muted">{words().loading}</p>;
  };
}
