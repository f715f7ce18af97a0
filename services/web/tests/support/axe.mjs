// Returns axe's serious and critical findings on a page (WCAG 2.2 AA) as texts.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  const grave = violations.filter((it) => it.impact === 'serious' || it.impact === 'critical');
  return grave.map((it) => `${it.id}: ${it.help}\n  ${it.nodes.slice(0, 4).map((node) => `${node.target.join(' ')} ${node.failureSummary?.replaceAll('\n', ' ')}`).join('\n  ')}`);
}
