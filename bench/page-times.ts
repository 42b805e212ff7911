import type { Browser, CDPSession, Page } from 'playwright-core';

/** Measures the waiting times in pages in Chromium with a processor that is slowed down. */

const SLOWDOWN = 4;
const VIEWPORT = { width: 1440, height: 900 };
/** A step that takes longer has failed. */
const STEP_LIMIT_MS = 5000;
/** Time limit for the preparation of a round, such as the reset of a latched stop. */
export const PREPARATION_LIMIT_MS = 15_000;

type WhenDrawn = (run: () => void) => void;

/**
 * Runs in the page. Returns an object whose promise resolves with the times in ms from the next press until each
 * element is drawn. Requests no frames before the elements change, so that an idle page stays idle.
 */
function watch(selectors: readonly string[]): { shown: Promise<number[]> } {
  /**
   * Returns a function that calls `run` after the frame that draws the changes made so far: the current frame if a
   * frame callback made the changes, otherwise the next frame. Calls `run` in the next task or at the start of
   * the following frame, because Chromium can give a frame precedence over all tasks.
   */
  const watchFrames = (): WhenDrawn => {
    const nextFrame = requestAnimationFrame;
    const nextTask = (run: () => void) => void scheduler.postTask(run, { priority: 'user-blocking' });
    let isFrame = false;
    globalThis.requestAnimationFrame = (callback) =>
      nextFrame((time) => {
        isFrame = true;
        nextTask(() => {
          isFrame = false;
        });
        callback(time);
      });
    const afterFrame = (run: () => void): void => {
      let isDone = false;
      const end = (): void => {
        if (!isDone) run();
        isDone = true;
      };
      nextTask(end);
      nextFrame(end);
    };
    return (run) => (isFrame ? afterFrame(run) : nextFrame(() => afterFrame(run)));
  };
  const known = globalThis as { whenDrawn?: WhenDrawn };
  known.whenDrawn ??= watchFrames();
  const { whenDrawn } = known;
  let pressedAt: number | undefined;
  const press = ({ timeStamp }: Event): void => {
    pressedAt = timeStamp;
  };
  addEventListener('pointerdown', press, { capture: true, once: true });
  const untilShown = (selector: string): Promise<number> =>
    new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const element = document.querySelector(selector);
        const fromMs = pressedAt;
        if (fromMs === undefined || !element || element.closest('[hidden]')) return;
        observer.disconnect();
        whenDrawn(() => resolve(performance.now() - fromMs));
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  return { shown: Promise.all(selectors.map(untilShown)) };
}

/** First contentful paint, in ms since the navigation started. */
const firstPaintMs = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) resolve(entry.startTime);
        });
        observer.observe({ type: 'paint', buffered: true });
      }),
  );

export interface Subject {
  page: Page;
  cdp: CDPSession;
}

/** The waiting times of one round, and the processor time that the round used, in ms. */
export interface Round {
  times: readonly number[];
  cpuMs: number;
}

/** Rejects with the step's name if the step does not end in time. */
export async function limited<T>(step: string, work: Promise<T>, limitMs = STEP_LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} did not end in ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export async function openPage(browser: Browser, url: string): Promise<Subject> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(PREPARATION_LIMIT_MS);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  return { page, cdp };
}

/**
 * Slows down the page's main thread during `run`. Chromium does so by keeping a processor busy, even while
 * the page is idle, so only the page that is measured must be slowed down.
 */
export async function slowedDown<T>({ cdp }: Subject, run: () => Promise<T>): Promise<T> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  try {
    return await run();
  } finally {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
}

/** Processor time of the page's main thread since the start of its process. */
async function cpuMs({ cdp }: Subject): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

export async function firstPaint(browser: Browser, url: string): Promise<Round> {
  const subject = await openPage(browser, 'about:blank');
  try {
    return await slowedDown(subject, async () => {
      await subject.page.goto(url);
      return { times: [await firstPaintMs(subject.page)], cpuMs: await cpuMs(subject) };
    });
  } finally {
    await subject.page.context().close();
  }
}

/**
 * Measures the times from pressing a button to the first frames that show the elements. Sends the mouse
 * events itself, because Playwright's `click` runs checks in the page, whose time would count.
 */
export async function press(subject: Subject, button: string, shown: readonly string[]): Promise<Round> {
  const { page, cdp } = subject;
  const box = await page.locator(button).boundingBox();
  if (!box) throw new Error(`${button} is not visible`);
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return cdp.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  };
  await mouse('mouseMoved');
  const watched = await page.evaluateHandle(watch, [...shown]);
  const beforeMs = await cpuMs(subject);
  await Promise.all([mouse('mousePressed'), mouse('mouseReleased')]);
  const times = await limited(
    `waiting for ${shown}`,
    watched.evaluate((one) => one.shown),
  ).catch(async (error: Error) => {
    const texts = await page.locator('[data-band-main], [data-progress]').allInnerTexts();
    throw new Error(`${error.message}; the page shows: ${texts.join(' ').replace(/\s+/g, ' ')}`);
  });
  return { times, cpuMs: (await cpuMs(subject)) - beforeMs };
}

/** Measures the time from the click on a link to the next page's first paint. */
export async function switchPage(subject: Subject, link: string): Promise<Round> {
  const { page } = subject;
  await page.evaluate(() => {
    const store = ({ timeStamp }: Event): void =>
      sessionStorage.setItem('clickedAt', String(performance.timeOrigin + timeStamp));
    addEventListener('click', store, true);
  });
  const loaded = page.waitForEvent('load');
  const beforeMs = await cpuMs(subject);
  await page.locator(link).dispatchEvent('click');
  await loaded;
  const paintedMs = await limited('waiting for the first paint', firstPaintMs(page));
  const clickedMs = await page.evaluate(
    () => performance.timeOrigin - Number(sessionStorage.getItem('clickedAt')),
  );
  const afterMs = await cpuMs(subject);
  // The CPU time starts again at 0 if the browser shows the next page in another process.
  return { times: [paintedMs + clickedMs], cpuMs: afterMs < beforeMs ? afterMs : afterMs - beforeMs };
}
