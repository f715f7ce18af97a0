// The entry of the board page.

import { render } from 'preact';

import { App } from './app/app';
import { Page } from './app/page';
import { applySettings } from './app/settings';

applySettings();
const app = new App();
render(<Page app={app} />, document.getElementById('app')!);
void app.open();
