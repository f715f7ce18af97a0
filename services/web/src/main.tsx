// The entry of the board page.

import { render } from 'preact';

import { App } from './app/app';
import { Page } from './app/page';
import { applySettings } from './app/settings';

/** How long the page stays empty before it shows that it is loading. */
const LOADING_MS = 200;

applySettings();
const app = new App();
let isDrawn = false;
const draw = () => {
  if (isDrawn) return;
  isDrawn = true;
  render(<Page app={app} />, document.getElementById('app')!);
};
// If the first position arrives soon, the page is laid out only once, with the board.
setTimeout(draw, LOADING_MS);
const unwatch = app.session.view.watch(() => {
  unwatch();
  queueMicrotask(draw);
});
void app.open();
