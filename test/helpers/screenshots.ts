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
import { COMPARE, type Comparison, HIDE_VARYING, LOOK } from './screenshot-scripts.js';

const STORED = join(packageRoot(), 'test/fixtures/screenshots');
const WRITES = process.env.SCREENSHOTS_WRITE === '1';

export type Scheme = 'light' | 'dark';
type Pictures = Record<Scheme, Buffer>;

/** At this scale and quality, text is readable, and an image takes 13 kB on average. */
const SCALE = 0.5;
const QUALITY = 50;
/** Number of areas of 8 px by 8 px that may differ. */
const TOLERATED = 4;
/** Maximum number of attempts per page: a busy machine may delay the page's live data. */
const OPENINGS = 3;
/** Maximum number of repeated attempts in the whole test, so that it fails early if every page differs. */
const MAX_REPEATED = 30;
/** A page has settled when this many consecutive screenshots are identical. */
const EQUAL_LOOKS = 4;
const PAUSE_MS = 120;

export interface View {
  open: () => Promise<unknown>;
  schemes: readonly Scheme[];
  /** Name of the stored image for a colour scheme, without extension. */
  nameOf: (scheme: Scheme) => string;
}

/** Compares pages with the screenshots in test/fixtures; `SCREENSHOTS_WRITE=1` stores those that differ. */
export class Screenshots {
  readonly #known = new Set<string>();
  readonly #blank: Promise<Page>;
  #repeated = 0;
  #folder = '';

  constructor(browser: Browser) {
    this.#blank = browser.newPage();
  }

  /** Returns descriptions of the differences between the page and its stored screenshots. */
  async check(page: Page, view: View): Promise<string[]> {
    for (const scheme of view.schemes) this.#known.add(`${view.nameOf(scheme)}.webp`);
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

  async #compare(page: Page, view: View): Promise<string[]> {
    for (let opening = 1; ; opening += 1) {
      const pictures = await take(page, view, opening * EQUAL_LOOKS);
      const differences = await Promise.all(
        view.schemes.map((scheme) => this.#differences(view, scheme, pictures[scheme])),
      );
      const found = differences.flat();
      const isLast = opening === OPENINGS || this.#repeated >= MAX_REPEATED;
      if (found.length === 0 || isLast) return found.map((report) => report());
      this.#repeated += 1;
    }
  }

  /** If the images differ, returns a function that saves them and returns a description of the difference. */
  async #differences(view: View, scheme: Scheme, actual: Buffer): Promise<(() => string)[]> {
    const name = view.nameOf(scheme);
    const path = join(STORED, `${name}.webp`);
    if (!existsSync(path)) return [() => `${name} is not stored: run this test with SCREENSHOTS_WRITE=1`];
    const expected = readFileSync(path);
    const { areas, diff } = await this.#difference(expected, actual);
    if (areas <= TOLERATED) return [];
    return [
      () => {
        const folder = this.#keep(name, {
          'expected.webp': expected,
          'actual.webp': actual,
          'diff.png': diff,
        });
        return `${name} differs in ${areas} areas: see ${folder}`;
      },
    ];
  }

  /** Stores screenshots only if two consecutive attempts match. */
  async #store(page: Page, view: View): Promise<string[]> {
    let pictures = await take(page, view, EQUAL_LOOKS);
    for (let opening = 2; ; opening += 1) {
      const again = await take(page, view, opening * EQUAL_LOOKS);
      const differing: Scheme[] = [];
      for (const scheme of view.schemes)
        if ((await this.#difference(pictures[scheme], again[scheme])).areas > TOLERATED)
          differing.push(scheme);
      pictures = again;
      if (differing.length === 0) break;
      if (opening > OPENINGS) return differing.map((scheme) => `${view.nameOf(scheme)} varies`);
    }
    for (const scheme of view.schemes) {
      const path = join(STORED, `${view.nameOf(scheme)}.webp`);
      const isStored =
        existsSync(path) && (await this.#difference(readFileSync(path), pictures[scheme])).areas <= TOLERATED;
      if (isStored) continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, pictures[scheme]);
    }
    return [];
  }

  async #difference(expected: Buffer, actual: Buffer): Promise<{ areas: number; diff: Buffer }> {
    if (expected.equals(actual)) return { areas: 0, diff: Buffer.alloc(0) };
    const images = [expected, actual].map((image) => image.toString('base64'));
    const page = await this.#blank;
    const { areas, diff } = await page.evaluate<Comparison>(`(${COMPARE})(${JSON.stringify(images)})`);
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

/** Opens the page, stops its scripts when it has settled, and takes a screenshot in each colour scheme. */
async function take(page: Page, { open, schemes }: View, equalLooks: number): Promise<Pictures> {
  const cdp = await page.context().newCDPSession(page);
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    // If only the fragment of the URL changed, the browser would not load the page again.
    await page.goto('about:blank');
    await open();
    await settled(page, equalLooks);
    await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.evaluate(HIDE_VARYING);
    const pictures = {} as Pictures;
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      pictures[scheme] = await capture(cdp, page);
    }
    return pictures;
  } finally {
    await cdp.detach();
  }
}

async function settled(page: Page, equalLooks: number): Promise<void> {
  let look = await page.evaluate<string>(LOOK);
  for (let equal = 1; equal < equalLooks; ) {
    await page.waitForTimeout(PAUSE_MS);
    const next = await page.evaluate<string>(LOOK);
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
