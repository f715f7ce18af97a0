// The entry of the board page.

import { render } from 'preact';

import { App } from './app/app';
import { Page } from './app/page';
import { applySettings } from './app/settings';

/** How long an empty page may last before it says that it is loading. */
const LOADING_MS = 200;

applySettings();
const app = new App();
let isDrawn = false;
const draw = () => {
  if (isDrawn) return;
  isDrawn = true;
  render(<Page app={app} />, document.getElementById('app')!);
};
// Everything is laid out and painted once, with the board, if that comes soon.
setTimeout(draw, LOADING_MS);
const unwatch = app.session.view.watch(() => {
  unwatch();
  queueMicrotask(draw);
});
void app.open();
