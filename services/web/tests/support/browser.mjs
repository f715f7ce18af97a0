// Pages in Debian's Chromium, or in its Firefox (BROWSER=firefox, by WebDriver BiDi).
// Errors on a page's console, uncaught exceptions and violations of its policy fail the
// test that opened it.

import { chromium, firefox } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
export const NET_MS = Number(process.env.NET_MS ?? 60_000);

export const isFirefox = process.env.BROWSER === 'firefox';

export function launch() {
  if (isFirefox) return firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' });
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** Opens a page in a context of its own. `check` fails if there were errors. */
export async function open(browser, url, options = {}) {
  const { allowFailures = false, settings = {}, ...contextOptions } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce', ...contextOptions });
  context.setDefaultTimeout(NET_MS);
  await context.addInitScript((values) => {
    window.policyFaults = [];
    document.addEventListener('securitypolicyviolation', (e) => window.policyFaults.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
    if (!location.protocol.startsWith('http')) return;
    if (Object.keys(values).length > 0 && !sessionStorage.getItem('set')) {
      localStorage.setItem('pentad', JSON.stringify(values));
      sessionStorage.setItem('set', '1');
    }
  }, settings);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser logs each failed request, which tests of failures expect.
    if (allowFailures && /Failed to load resource/.test(message.text())) return;
    faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  if (url) await page.goto(url);
  const check = async () => {
    faults.push(...(await page.evaluate(() => window.policyFaults)));
    await context.close();
    if (faults.length > 0) throw new Error(`the page reports:\n${faults.join('\n')}`);
  };
  return { page, context, check };
}

export const target = (page, key) => page.locator(`.board [data-key="${key}"]`);

/** Waits until a condition holds in the page. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: NET_MS });

export const position = async (page) => {
  await page.getByTestId('tab-share').click();
  const text = await page.getByTestId('position').inputValue();
  await page.getByTestId('tab-moves').click();
  return text;
};
