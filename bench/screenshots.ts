import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/helpers/browser.js';
import { takeEveryPage } from './screenshots-pages.js';
import { takeStates } from './screenshots-states.js';

/**
 * Takes the screenshots in docs/images from real gateways in a real browser. `--all <folder>` takes every state, and
 * each page in both languages, at 360, 768 and 1440 px, light and dark. `--only <name>` takes only states whose names
 * start with it.
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
