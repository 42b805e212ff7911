import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/helpers/browser.js';
import { takeEveryPage } from './screenshots-pages.js';
import { takeStates } from './screenshots-states.js';

/**
 * The pictures of the console, from real gateways in a real browser. Those that are shown go to docs/images.
 * `--all <folder>` writes every one, for people to look at: each state, and each page in both languages, at 360, 768
 * and 1440 px, light and dark. `--only <name>` takes the states whose names begin so, and nothing else.
 */
const { values } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } });
const { all, only } = values;
if (all) await mkdir(all, { recursive: true });

const browser = await openBrowser();
try {
  await takeStates(browser, values);
  if (all && only === undefined) await takeEveryPage(browser, all);
} finally {
  await browser.close();
}
