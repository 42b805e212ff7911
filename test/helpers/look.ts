import type { Page } from 'playwright-core';

/**
 * What a page looks like, asked of the browser. The functions given to `evaluate` run there; they are written as text
 * where they need the types of a browser, which this side does not have.
 */

/** By how many pixels the document is wider than the window. */
export function widthOver(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * Where E-stop is in the window, as `left,top,width,height`, at the top of the page and at its end. Says so instead when
 * something lies over it, or when its disc is too small to be known by.
 */
export function placeOfEstop(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const button = document.querySelector('[data-estop] button');
    const disc = button.querySelector('svg').getBoundingClientRect();
    if (disc.width < 40 || disc.height < 40) return 'its disc is ' + disc.width + ' px';
    const place = () => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      const isFree = over !== null && button.contains(over);
      return isFree ? [left, top, width, height].map(Math.round).join() : 'covered or out of sight';
    };
    scrollTo(0, 0);
    const above = place();
    scrollTo(0, document.documentElement.scrollHeight);
    const below = place();
    scrollTo(0, 0);
    return above === below ? above : above + ' and then ' + below;
  })()`);
}

/** Elements that still move when less motion was asked for. */
export function slowIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
    const longest = Math.max(...transitionDuration.split(', ').map(parseFloat));
    const isAnimated = animationName !== 'none' && parseFloat(animationDuration) > 0.01;
    return longest > 0.01 || isAnimated ? [element.outerHTML.slice(0, 80)] : [];
  })`);
}

/** Marks every control that a keyboard must come to; a group of radio buttons is one. */
const MARK = `(() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const isFirst = (element) => element.type !== 'radio' || element.checked;
  const all = [...document.querySelectorAll(controls)];
  const wanted = all.filter((element) => !element.disabled && isShown(element) && isFirst(element));
  for (const element of wanted) element.setAttribute('data-unreached', '');
  document.activeElement?.blur();
  return wanted.length;
})()`;

/** Takes the mark off what has the focus. Answers what is wrong with it, if anything, and how many marks are left. */
const ARRIVE = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  element.removeAttribute('data-unreached');
  const isFine = element === document.body || isSeen;
  const fault = isFine ? '' : 'no focus to be seen: ' + element.outerHTML.slice(0, 80);
  return { fault, left: document.querySelectorAll('[data-unreached]').length };
})()`;

/** Walks through the page with Tab. Answers the controls that it did not come to, and those where the focus is not seen. */
export async function unreachedIn(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(MARK);
  const faults: string[] = [];
  // Boxes that scroll take the focus as well: there are fewer of them than controls.
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

/** Every text that is shown, but what is meant for machines or was typed by somebody. */
export function textsOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      const isForPeople = !parent.closest('code, option, textarea, kbd, script, template, noscript, .log-lines, [lang]:not(html)');
      if (isForPeople && parent.checkVisibility()) texts.push(data.trim());
    }
    const spoken = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'alt', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...new Set([...texts, ...spoken])].filter((text) => /\\p{Ll}{3}/u.test(text));
  })()`);
}
