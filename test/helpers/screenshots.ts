import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { packageRoot } from '../../src/shared/package-root.js';
import { compare, hideVarying, look as lookOf } from './screenshot-scripts.js';

const STORED = join(packageRoot(), 'test/fixtures/screenshots');
const WRITES = process.env.SCREENSHOTS_WRITE === '1';

/** At this scale and quality, text is readable, and an image takes 13 kB on average. */
const SCALE = 0.5;
const QUALITY = 50;
/** Number of areas of 8 px by 8 px that may differ. */
const TOLERATED = 4;
/** A page has settled when this many consecutive looks are identical, which takes at least 1 s. */
const EQUAL_LOOKS = 9;
const PAUSE_MS = 120;

export interface View {
  open: () => Promise<unknown>;
  /** Name of the stored image, without extension. */
  name: string;
}

/** Compares pages with the screenshots in test/fixtures; `SCREENSHOTS_WRITE=1` stores those that differ. */
export class Screenshots {
  readonly #known = new Set<string>();
  readonly #blank: Promise<Page>;
  #folder = '';

  constructor(browser: Browser) {
    this.#blank = browser.newPage();
  }

  /** Returns a description of the difference between the page and its stored screenshot; undefined if they match. */
  async check(page: Page, view: View): Promise<string | undefined> {
    this.#known.add(`${view.name}.webp`);
    return WRITES ? await this.#store(page, view) : await this.#compare(page, view);
  }

  /** Returns the stored images that belong to no page, or deletes them if `SCREENSHOTS_WRITE` is set. */
  unused(): string[] {
    if (!existsSync(STORED)) return [];
    const files = readdirSync(STORED, { recursive: true, encoding: 'utf8' });
    const unused = files.filter((file) => file.endsWith('.webp') && !this.#known.has(file));
    if (!WRITES) return unused;
    for (const file of unused) rmSync(join(STORED, file));
    return [];
  }

  async #compare(page: Page, { open, name }: View): Promise<string | undefined> {
    const path = join(STORED, `${name}.webp`);
    if (!existsSync(path)) return `${name} is not stored: run this test with SCREENSHOTS_WRITE=1`;
    const [expected, actual] = [readFileSync(path), await take(page, open)];
    const { areas, diff } = await this.#difference(expected, actual);
    if (areas <= TOLERATED) return undefined;
    const images = { 'expected.webp': expected, 'actual.webp': actual, 'diff.png': diff };
    return `${name} differs in ${areas} areas: see ${this.#keep(name, images)}`;
  }

  /** Stores a screenshot that differs, if a second one is equal to it. */
  async #store(page: Page, { open, name }: View): Promise<string | undefined> {
    const [picture, again] = [await take(page, open), await take(page, open)];
    if ((await this.#difference(picture, again)).areas > TOLERATED) return `${name} varies`;
    const path = join(STORED, `${name}.webp`);
    const isStored =
      existsSync(path) && (await this.#difference(readFileSync(path), picture)).areas <= TOLERATED;
    if (isStored) return undefined;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, picture);
    return undefined;
  }

  async #difference(expected: Buffer, actual: Buffer): Promise<{ areas: number; diff: Buffer }> {
    if (expected.equals(actual)) return { areas: 0, diff: Buffer.alloc(0) };
    const images = [expected, actual].map((image) => image.toString('base64'));
    const page = await this.#blank;
    const { areas, diff } = await page.evaluate(compare, images);
    return { areas, diff: Buffer.from(diff, 'base64') };
  }

  #keep(name: string, images: Record<string, Buffer>): string {
    this.#folder ||= mkdtempSync(join(tmpdir(), 'screenshots-'));
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, image] of Object.entries(images)) writeFileSync(join(folder, file), image);
    return folder;
  }
}

/** Opens the page, stops its scripts when it has settled, and takes a screenshot. */
async function take(page: Page, open: () => Promise<unknown>): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  try {
    // If only the fragment of the URL changed, the browser would not load the page again.
    await page.goto('about:blank');
    await open();
    await settled(page);
    await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.evaluate(hideVarying);
    return await capture(cdp, page);
  } finally {
    await cdp.detach();
  }
}

async function settled(page: Page): Promise<void> {
  let look = await page.evaluate(lookOf);
  for (let equal = 1; equal < EQUAL_LOOKS; ) {
    await page.waitForTimeout(PAUSE_MS);
    const next = await page.evaluate(lookOf);
    equal = next === look ? equal + 1 : 1;
    look = next;
  }
}

async function capture(cdp: CDPSession, page: Page): Promise<Buffer> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const clip = { x: 0, y: 0, width, height, scale: SCALE };
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  return Buffer.from(data, 'base64');
}
