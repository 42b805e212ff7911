import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/helpers/browser.js';
import { takeEveryPage } from './screenshots-pages.js';
import { takeStates } from './screenshots-states.js';

/**
 * Takes the screenshots in docs/images from real gateways in a real browser. `--all <folder>` captures every
 * state, and every page in both languages, at 360, 768 and 1440 px in the light and dark schemes. `--only
 * <name>` limits the states to those whose names start with <name>.
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
