import type { Page } from 'playwright-core';

/**
 * Measures a page's layout and accessibility in the browser. Functions for `evaluate` that need DOM types are
 * strings, because tests are compiled without DOM types.
 */

/** Returns by how much the page is wider than the window, or the content is wider than `main`, which clips it. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate<number>(`Math.max(
    ...[document.documentElement, ...document.querySelectorAll('body > main')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  )`);
}

/**
 * Returns the E-stop button's position in the window, as `left,top,width,height`, at the top of the page. If the
 * button is covered there or at the end of the page, or its disc is too small, returns a description of the problem.
 */
export function estopPosition(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const button = document.querySelector('[data-estop] button');
    const disc = button.querySelector('svg').getBoundingClientRect();
    if (disc.width < 40 || disc.height < 40) return 'its disc is ' + disc.width + ' px';
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
    return below === COVERED ? 'at the end of the page ' + below : above;
  })()`);
}

/** Describes each stop button that is less than 64 px high, partly outside the window, or covered. */
export function stopFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`['.stops .stop', '.stops .estop'].flatMap((selector) => {
    const button = document.querySelector(selector);
    const { left, top, right, bottom, height } = button.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const corners = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => [x, y]));
    const isFree = corners.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
    if (height >= 64 && isInside && isFree) return [];
    return [selector + ' at ' + [left, top, right, bottom].map(Math.round).join() + (isFree ? '' : ', covered')];
  })`);
}

/**
 * Describes the visible controls that stop or move a cart, or start a hold, and are less than 44 px wide or high. A
 * control in a hidden part of the page is checked by the test that opens this part.
 */
export function smallMotionControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(
    '[data-stop] button, [data-estop] button, [data-reset] button, [data-reset-all] button, .hold, .go, [data-pad], .cockpit-controls button',
  )].flatMap((control) => {
    if (!control.checkVisibility({ visibilityProperty: true })) return [];
    const { width, height } = control.getBoundingClientRect();
    return width >= 43.99 && height >= 43.99 ? [] : [control.textContent.trim() + ' ' + control.className + ' is ' + width + ' by ' + height + ' px'];
  })`);
}

/** Returns the elements that are animated despite `prefers-reduced-motion`. */
export function animatedElements(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
    const longest = Math.max(...transitionDuration.split(', ').map(parseFloat));
    const isAnimated = animationName !== 'none' && parseFloat(animationDuration) > 0.01;
    return longest > 0.01 || isAnimated ? [element.outerHTML.slice(0, 80)] : [];
  })`);
}

/** Marks every control that must be reachable by keyboard; a group of radio buttons counts as one. */
const MARK = `(() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const isFirst = (element) => element.type !== 'radio' || element.checked;
  const all = [...document.querySelectorAll(controls)];
  const reachable = all.filter((element) => !element.disabled && isShown(element) && isFirst(element));
  for (const element of reachable) element.setAttribute('data-unreached', '');
  document.activeElement?.blur();
  return reachable.length;
})()`;

/**
 * Removes the `data-unreached` mark from the focused element. Returns the number of elements that are
 * still marked, and a description of the problem if the focus is not visible.
 */
const ARRIVE = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  element.removeAttribute('data-unreached');
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const bars = 'body > .top, .bands, .stops';
  const isCovered = !element.closest(bars) && [top + 2, Math.min(bottom, top + 44) - 2].some((y) => {
    return document.elementFromPoint((left + right) / 2, y)?.closest(bars);
  });
  const problem = isCovered ? 'behind a bar: ' : isSeen ? '' : 'no focus to be seen: ';
  const fault = problem === '' || element === document.body ? '' : problem + element.outerHTML.slice(0, 80);
  return { fault, left: document.querySelectorAll('[data-unreached]').length };
})()`;

/**
 * Moves the focus through the page with the Tab key. Returns the controls that the Tab key does not reach, those
 * that show no focus indicator and those that are behind a bar when they receive the focus.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(MARK);
  const faults: string[] = [];
  // Scrollable boxes also receive focus, but there are fewer of them than controls, so twice as many key
  // presses as controls are enough.
  for (let presses = 0; presses < count * 2; presses += 1) {
    await page.keyboard.press('Tab');
    const { fault, left } = await page.evaluate<{ fault: string; left: number }>(ARRIVE);
    if (fault !== '') faults.push(fault);
    if (left === 0) return faults;
  }
  const unreached = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-unreached]')].map(({ outerHTML }) => outerHTML.slice(0, 80))`,
  );
  return [...faults, ...unreached.map((element) => `never reached: ${element}`)];
}

/**
 * Returns the words that are broken inside, because their box is too narrow, in the page and its closed sections.
 * Names, addresses and codes, which can be of any length, may be broken.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const closed = [...document.querySelectorAll('main details:not([open])')];
    for (const details of closed) details.open = true;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const linesOf = () => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    // Texts for screen readers have a width of 1 px.
    const isSeen = (element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      for (let box = element; box; box = box.parentElement) if (box.clientWidth === 1) return false;
      return true;
    };
    const broken = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const { parentElement: parent, data } = node;
      if (parent.closest('code, pre, kbd, script, textarea, .log-lines, .line')) continue;
      range.selectNodeContents(node);
      if (linesOf() < 2 || !isSeen(parent)) continue;
      for (const { 0: word, index } of data.matchAll(/(?<![^\\s(“])\\p{L}{2,}(?![^\\s.,;:!?)”])/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (linesOf() > 1) broken.push(word + ' in ' + parent.outerHTML.slice(0, 60));
      }
    }
    for (const details of closed) details.open = false;
    return broken;
  })()`);
}

/**
 * Returns the visible controls whose left or right end is under another element or cut off, both when they are in
 * the middle of the window and at the top of the page. A failed stop on a low window stays over its middle while
 * the page scrolls. The skip link is outside the window until it has the focus.
 */
export function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollX, scrollY } = window;
    const controls = [...document.querySelectorAll('a[href]:not(.skip), button, input:not([type=hidden]), select, textarea, summary')];
    const covered = controls.filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      const isCovered = () => {
        const { left, right, top, bottom } = element.getClientRects()[0] ?? {};
        // Controls for screen readers have a width of 1 px.
        if (!(right - left > 4)) return false;
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
  })()`);
}

/** Returns every visible string except code and user input. */
export function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      const isForPeople = !parent.closest('code, option, textarea, kbd, script, template, noscript, .log-lines, [lang]:not(html)');
      if (isForPeople && parent.checkVisibility()) texts.push(data.trim());
    }
    const labels = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'alt', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...new Set([...texts, ...labels])].filter((text) => /\\p{Ll}{3}/u.test(text));
  })()`);
}
