import type { Page } from 'playwright-core';

/** Measures a page's layout and accessibility in the browser. */

/** Returns by how much the page is wider than the window, or the content is wider than `main`, which clips it. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('body > main')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );
}

/**
 * Returns the E-stop button's position in the window, as `left,top,width,height`, at the top of the page. If the
 * button is covered there or at the end of the page, or its disc is too small, returns a description of the problem.
 */
export function estopPosition(page: Page): Promise<string> {
  return page.$eval('[data-estop] button', (button) => {
    const disc = button.querySelector('svg')?.getBoundingClientRect() ?? { width: 0, height: 0 };
    if (disc.width < 40 || disc.height < 40) return `its disc is ${disc.width} px`;
    const COVERED = 'covered or out of sight';
    const place = () => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      const isFree = over !== null && button.contains(over);
      return isFree ? [left, top, width, height].map(Math.round).join() : COVERED;
    };
    scrollTo(0, 0);
    const above = place();
    scrollTo(0, document.documentElement.scrollHeight);
    const below = place();
    scrollTo(0, 0);
    return below === COVERED ? `at the end of the page ${below}` : above;
  });
}

/** Describes each stop button that is less than 64 px high, partly outside the window, or covered. */
export function stopFaults(page: Page): Promise<string[]> {
  return page.$$eval('.stops .stop, .stops .estop', (buttons) => {
    const faults = buttons.flatMap((button) => {
      const { left, top, right, bottom, height } = button.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const corners = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => ({ x, y })));
      const isFree = corners.every(({ x, y }) => button.contains(document.elementFromPoint(x, y)));
      if (height >= 64 && isInside && isFree) return [];
      const box = [left, top, right, bottom].map(Math.round).join();
      return [`${button.className} at ${box}${isFree ? '' : ', covered'}`];
    });
    return buttons.length < 2 ? [...faults, `${buttons.length} stop buttons`] : faults;
  });
}

/**
 * Describes the visible controls that stop or move a cart, or start a hold, and are less than 44 px wide or high. A
 * control in a hidden part of the page is checked by the test that opens this part.
 */
export function smallMotionControls(page: Page): Promise<string[]> {
  const controls =
    '[data-stop] button, [data-estop] button, [data-reset] button, [data-reset-all] button, .hold, .go, [data-pad], .cockpit-controls button';
  return page.$$eval(controls, (all) =>
    all.flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true })) return [];
      const { width, height } = control.getBoundingClientRect();
      if (width >= 43.99 && height >= 43.99) return [];
      return [`${control.textContent?.trim()} ${control.className} is ${width} by ${height} px`];
    }),
  );
}

/** Returns the elements that are animated despite `prefers-reduced-motion`. */
export function animatedElements(page: Page): Promise<string[]> {
  return page.$$eval('body *', (all) =>
    all.flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
      const longest = Math.max(...transitionDuration.split(', ').map((text) => Number.parseFloat(text)));
      const isAnimated = animationName !== 'none' && Number.parseFloat(animationDuration) > 0.01;
      return longest > 0.01 || isAnimated ? [element.outerHTML.slice(0, 80)] : [];
    }),
  );
}

/** Marks every control that must be reachable by keyboard; a group of radio buttons counts as one. */
function mark(): number {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const isFirst = ({ type, checked }: HTMLInputElement) => type !== 'radio' || checked;
  const all = [...document.querySelectorAll<HTMLInputElement>(controls)];
  const reachable = all.filter((element) => !element.disabled && isShown(element) && isFirst(element));
  for (const element of reachable) element.setAttribute('data-unreached', '');
  (document.activeElement as HTMLElement | null)?.blur();
  return reachable.length;
}

/**
 * Removes the `data-unreached` mark from the focused element. Returns the number of elements that are
 * still marked, and a description of the problem if the focus is not visible.
 */
function arrive(): { fault: string; left: number } {
  const element = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  element.removeAttribute('data-unreached');
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const bars = 'body > .top, .bands, .stops';
  const isBehind = (y: number) => document.elementFromPoint((left + right) / 2, y)?.closest(bars);
  const isCovered = !element.closest(bars) && [top + 2, Math.min(bottom, top + 44) - 2].some(isBehind);
  const problem = isCovered ? 'behind a bar: ' : isSeen ? '' : 'no focus to be seen: ';
  const fault = problem === '' || element === document.body ? '' : problem + element.outerHTML.slice(0, 80);
  return { fault, left: document.querySelectorAll('[data-unreached]').length };
}

/**
 * Moves the focus through the page with the Tab key. Returns the controls that the Tab key does not reach, those
 * that show no focus indicator and those that are behind a bar when they receive the focus.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate(mark);
  const faults: string[] = [];
  // Scrollable boxes also receive focus, but there are fewer of them than controls, so twice as many key
  // presses as controls are enough.
  for (let presses = 0; presses < count * 2; presses += 1) {
    await page.keyboard.press('Tab');
    const { fault, left } = await page.evaluate(arrive);
    if (fault !== '') faults.push(fault);
    if (left === 0) return faults;
  }
  const unreached = await page.$$eval('[data-unreached]', (all) =>
    all.map(({ outerHTML }) => outerHTML.slice(0, 80)),
  );
  return [...faults, ...unreached.map((element) => `never reached: ${element}`)];
}

/**
 * Returns the words that are broken inside, because their box is too narrow, in the page and its closed sections.
 * Names, addresses and codes, which can be of any length, may be broken.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const closed = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    for (const details of closed) details.open = true;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const linesOf = () => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    // Texts for screen readers have a width of 1 px.
    const isSeen = (element: Element): boolean => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      for (let box: Element | null = element; box; box = box.parentElement)
        if (box.clientWidth === 1) return false;
      return true;
    };
    const broken: string[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const { parentElement: parent, data } = node;
      if (!parent || parent.closest('code, pre, kbd, script, textarea, .log-lines, .line')) continue;
      range.selectNodeContents(node);
      if (linesOf() < 2 || !isSeen(parent)) continue;
      for (const { 0: word, index } of data.matchAll(/(?<![^\s(“])\p{L}{2,}(?![^\s.,;:!?)”])/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (linesOf() > 1) broken.push(`${word} in ${parent.outerHTML.slice(0, 60)}`);
      }
    }
    for (const details of closed) details.open = false;
    return broken;
  });
}

/**
 * Returns the visible controls whose left or right end is under another element or cut off, both when they are in
 * the middle of the window and at the top of the page. A failed stop on a low window stays over its middle while
 * the page scrolls. The skip link is outside the window until it has the focus.
 */
export function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollX, scrollY } = window;
    const selector = 'a[href]:not(.skip), button, input:not([type=hidden]), select, textarea, summary';
    const controls = [...document.querySelectorAll<HTMLInputElement>(selector)];
    const covered = controls.filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      const isCovered = () => {
        const { left, right, top, bottom } = element.getClientRects()[0] ?? new DOMRect();
        // Controls for screen readers have a width of 1 px.
        if (right - left <= 4) return false;
        return [left + 2, right - 2].some((x) => {
          const found = document.elementFromPoint(x, (top + bottom) / 2);
          const parts = [element, ...(element.labels ?? [])];
          return !found?.contains(element) && !parts.some((part) => part.contains(found));
        });
      };
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      if (!isCovered()) return false;
      window.scrollTo(0, 0);
      return isCovered();
    });
    window.scrollTo(scrollX, scrollY);
    return covered.map((element) => element.outerHTML.slice(0, 90));
  });
}

/** Returns every visible string except code and user input. */
export function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const excluded = 'code, option, textarea, kbd, script, template, noscript, .log-lines, [lang]:not(html)';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode as Text;
      if (parent && !parent.closest(excluded) && parent.checkVisibility()) texts.push(data.trim());
    }
    const labels = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')].flatMap(
      (element) =>
        ['aria-label', 'alt', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...new Set([...texts, ...labels])].filter((text) => /\p{Ll}{3}/u.test(text));
  });
}
