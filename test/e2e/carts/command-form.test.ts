import assert from 'node:assert/strict';
import type { Page, Request, Response } from 'playwright-core';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('the Drive form in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

type Body = Record<string, unknown>;

const isPost = (request: Request): boolean => request.method() === 'POST';

/** The address of commands, with or without a query. */
const toCart = ({ pathname }: URL): boolean => pathname === '/';

/** Records the commands that the page sends, and responds to them instead of the gateway. */
async function recordCommands(page: Page): Promise<Body[]> {
  const sent: Body[] = [];
  await page.route(toCart, (route) => {
    if (!isPost(route.request())) return route.fallback();
    const body = route.request().postDataJSON() as Body;
    sent.push(body);
    return route.fulfill({ json: { ...body, state: 'ACCEPTED' } });
  });
  return sent;
}

/** Resolves when a command has received its response and has therefore been recorded. */
const answered = (page: Page): Promise<Response> =>
  page.waitForResponse((response) => isPost(response.request()));

const unlocked = (page: Page): Promise<void> => page.locator('.go:not(:disabled, [data-settling])').waitFor();

/** Resolves when the Drive button reacts to presses again after its meaning has changed. */
const settled = (page: Page): Promise<void> => page.locator('.go:not([data-settling])').waitFor();

const hint = (page: Page): Promise<void> =>
  page.locator('[data-progress]:has-text("Press and hold the button")').waitFor();

/** Presses and releases a button in one task, so that a busy machine does not turn the tap into a hold. */
const tap = (page: Page, button: string): Promise<void> =>
  page.$eval(button, (element) => {
    const options = { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse', detail: 1 };
    element.dispatchEvent(new PointerEvent('pointerdown', { ...options, buttons: 1 }));
    element.dispatchEvent(new PointerEvent('pointerup', options));
    element.dispatchEvent(new MouseEvent('click', options));
  });

async function holdButton(page: Page, button: string): Promise<void> {
  await page.hover(button);
  const sent = answered(page);
  await page.mouse.down();
  await sent;
  await page.mouse.up();
}

for (const [direction, distance] of [
  ['Forward', 2001],
  ['Back', -2001],
] as const) {
  test(`a move of ${distance} mm is sent only after its button has been held`, () =>
    app.visit('/', async ({ page }) => {
      const sent = await recordCommands(page);
      await unlocked(page);
      await page.fill('#distanceID', '2001');
      if (direction === 'Back') await page.click('[data-sign="distanceID"]');
      assert.equal(await page.textContent('[data-go-text]'), 'Hold to drive');
      await tap(page, '.go');
      await hint(page);
      await page.fill('#angleID', '0');
      await page.locator('[data-progress]:empty').waitFor({ state: 'attached' });
      await page.press('#distanceID', 'Enter');
      await hint(page);
      assert.deepEqual(sent, []);
      await holdButton(page, '.go');
      assert.deepEqual(
        sent.map(({ distanceID }) => distanceID),
        [distance],
      );
    }));
}

test('a tap sends a move whose distance is exactly the limit', () =>
  app.visit('/', async ({ page }) => {
    const sent = await recordCommands(page);
    await unlocked(page);
    await page.fill('#distanceID', '2000');
    await Promise.all([answered(page), page.click('.go')]);
    assert.deepEqual(
      sent.map(({ distanceID }) => distanceID),
      [2000],
    );
  }));

test('a tap with a distance above the maximum shows the error and does not ask the user to hold the button', () =>
  app.visit('/', async ({ page }) => {
    const sent = await recordCommands(page);
    await unlocked(page);
    await page.fill('#distanceID', '20000');
    await tap(page, '.go');
    await page.locator('#distanceID-error:has-text("0 to 10000")').waitFor();
    assert.equal(await page.textContent('[data-progress]'), '');
    assert.equal(await page.locator('.go[data-hold]').count(), 0);
    assert.deepEqual(sent, []);
  }));

test('the holdAboveMm setting determines which moves require the button to be held', async () => {
  await app.gateway.call('POST', '/updateJson', { limits: { holdAboveMm: 100 } });
  await app.visit('/', async ({ page }) => {
    const sent = await recordCommands(page);
    await unlocked(page);
    await page.fill('#distanceID', '101');
    await tap(page, '.go');
    await hint(page);
    assert.deepEqual(sent, []);
    await page.fill('#distanceID', '100');
    await page.locator('.go:not([data-hold]):has-text("Drive")').waitFor();
  });
});

test('selecting another cart clears the form', () =>
  app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.fill('#distanceID', '50');
    await page.click('[data-sign="distanceID"]');
    await page.fill('#angleID', '20');
    await page.fill('#maxSpeed', '40');
    await page.selectOption('.cart-choice select', '2');
    const values = ['#distanceID', '#angleID', '#maxSpeed'].map((field) => page.inputValue(field));
    assert.deepEqual(await Promise.all(values), ['0', '0', '']);
    assert.equal(await page.textContent('[data-sign="distanceID"]'), 'Forward');
    await page.locator('.go[aria-disabled="true"]').waitFor();
  }));

const direction = (page: Page): Promise<string | null> => page.textContent('[data-sign="angleID"]');

const caption = (page: Page, text: string): Promise<void> =>
  page.locator(`[data-preview-caption]:has-text("${text}")`).waitFor();

test('a direction selected by a minus sign is cleared when a number without a minus sign is typed', () =>
  app.visit('/', async ({ page }) => {
    await unlocked(page);
    const type = async (keys: string): Promise<void> => {
      await page.focus('#distanceID');
      await page.click('#angleID');
      await page.keyboard.type(keys);
    };
    await type('-90');
    assert.deepEqual([await page.inputValue('#angleID'), await direction(page)], ['90', 'Right']);
    await caption(page, 'turned 90° right');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('5');
    assert.deepEqual([await page.inputValue('#angleID'), await direction(page)], ['95', 'Right']);
    await type('90');
    assert.equal(await direction(page), 'Left');
    await caption(page, 'turned 90° left');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('-9');
    await page.keyboard.press('Backspace');
    assert.equal(await direction(page), 'Left');
  }));

test('a direction selected with its button stays selected while numbers are typed', () =>
  app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.click('[data-sign="angleID"]');
    for (const value of ['90', '-45', '', '30']) {
      await page.fill('#angleID', value);
      assert.equal(await direction(page), 'Right', value);
    }
    await caption(page, 'turned 30° right');
  }));

for (const [how, turn] of [
  ['typed', (page: Page) => page.fill('#angleID', '-90')],
  ['pressed', (page: Page) => page.click('[data-sign="angleID"]').then(() => page.fill('#angleID', '90'))],
] as const) {
  test(`a ${how} direction is reset to Left, and its number to 0, after a command has been sent`, () =>
    app.visit('/', async ({ page }) => {
      const sent = await recordCommands(page);
      await unlocked(page);
      await page.fill('#distanceID', '50');
      await turn(page);
      await Promise.all([answered(page), page.click('.go')]);
      await page.locator('[data-sign="angleID"]:has-text("Left")').waitFor();
      assert.deepEqual(
        await Promise.all(['#distanceID', '#angleID'].map((field) => page.inputValue(field))),
        ['50', '0'],
      );
      await caption(page, 'same heading');
      assert.deepEqual(
        sent.map(({ angleID }) => angleID),
        [-90],
      );
    }));
}

test('a rejected command leaves its direction selected', () =>
  app.visit('/', async ({ page, pageErrors }) => {
    await unlocked(page);
    await page.route(toCart, (route) =>
      isPost(route.request()) ? route.fulfill({ status: 409, json: { message: 'busy' } }) : route.fallback(),
    );
    await page.fill('#angleID', '-90');
    await Promise.all([answered(page), page.click('.go')]);
    await page.locator('[data-progress][data-tone="stop"]').waitFor();
    assert.deepEqual([await page.inputValue('#angleID'), await direction(page)], ['90', 'Right']);
    pageErrors.splice(0);
  }));

const FINAL = ['FINISHED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REJECTED'];

/** Runs `act` while cart 1 moves and the page shows it. Repeats both once after LOOP_LAG. */
async function whileMoving(page: Page, act: () => Promise<void>, prepare = async () => {}): Promise<void> {
  const attempt = async () => {
    await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    await page.locator('[data-queue]').waitFor({ state: 'hidden' });
    await prepare();
    const { body } = await app.gateway.move(1, 8000, { maxSpeed: 20 });
    const commandOf = async () =>
      (await app.gateway.call<CommandView>('GET', `/commands/${body.commandId}`)).body;
    const isOver = ({ state }: CommandView) => FINAL.includes(state);
    const isShown = () => page.locator('[data-queue][data-shown]').isVisible();
    await untilAnswer(async () => (await isShown()) || isOver(await commandOf()), Boolean);
    const outcome: unknown = await act().then(
      () => undefined,
      (thrown) => thrown,
    );
    const command = await commandOf();
    await app.gateway.call('POST', '/carts/1/stop');
    return { command, outcome, hasEnded: isOver(command) };
  };
  const { command, outcome, hasEnded } = await repeatOnce(attempt, (result) => result.command.reason?.code);
  if (outcome) throw outcome;
  assert.ok(!hasEnded, `the move ended early: ${JSON.stringify(command.reason)}`);
}

for (const [language, replace, queue] of [
  ['en', 'Replace', 'Add to queue'],
  ['nl', 'Vervangen', 'In wachtrij'],
] as const) {
  test(`the buttons are labelled ${replace} and ${queue} only while the cart moves (${language})`, () =>
    app.visit(
      '/',
      async ({ page }) => {
        page.setDefaultTimeout(10_000);
        await unlocked(page);
        assert.equal(await page.isVisible('[data-queue]'), false);
        await whileMoving(page, async () => {
          assert.equal(await page.textContent('[data-go-text]'), replace);
          assert.equal((await page.innerText('[data-queue]')).trim(), queue);
          // Without a distance or an angle, neither button sends a command.
          assert.equal(await page.locator('.send > [aria-disabled="true"]').count(), 2);
        });
        await page.locator('[data-queue]').waitFor({ state: 'hidden' });
        assert.notEqual(await page.textContent('[data-go-text]'), replace);
      },
      { locale: language },
    ));
}

for (const [button, expected] of [
  ['.go', { onBusy: 'replace', ttlMs: undefined }],
  ['[data-queue]', { onBusy: 'queue', ttlMs: undefined }],
] as const) {
  test(`${button} sends a command with onBusy ${expected.onBusy} while the cart moves`, () =>
    app.visit('/', async ({ page }) => {
      page.setDefaultTimeout(10_000);
      await unlocked(page);
      await page.fill('#distanceID', '50');
      const sent = await recordCommands(page);
      await whileMoving(page, async () => {
        sent.splice(0);
        await settled(page);
        await Promise.all([answered(page), page.click(button)]);
        assert.deepEqual(
          sent.map(({ onBusy, ttlMs }) => ({ onBusy, ttlMs })),
          [expected],
        );
      });
    }));
}

test('further moves can be queued while another queued move is waiting', () =>
  app.visit('/', async ({ page }) => {
    page.setDefaultTimeout(10_000);
    await unlocked(page);
    await page.fill('#distanceID', '50');
    // Like the gateway, responds immediately only to `wait=accept`. Other requests wait until the cart starts the move.
    await page.route(toCart, (route) => {
      const request = route.request();
      if (!isPost(request)) return route.fallback();
      const isAccepted = new URL(request.url()).search === '?wait=accept';
      return isAccepted ? route.fulfill({ json: { state: 'ACCEPTED' } }) : undefined;
    });
    await whileMoving(page, async () => {
      for (let nth = 0; nth < 3; nth += 1) await Promise.all([answered(page), page.click('[data-queue]')]);
    });
  }));

test('a press on Drive that ends after the cart has started to move does not replace the running command', () =>
  app.visit('/', async ({ page }) => {
    page.setDefaultTimeout(10_000);
    await unlocked(page);
    await page.fill('#distanceID', '50');
    const sent = await recordCommands(page);
    const press = async (): Promise<void> => {
      sent.splice(0);
      await page.mouse.up();
      await page.hover('.go');
      await page.mouse.down();
    };
    await whileMoving(
      page,
      async () => {
        await Promise.all([answered(page), page.mouse.up()]);
        assert.deepEqual(
          sent.map(({ onBusy }) => onBusy),
          ['reject'],
        );
      },
      press,
    );
  }));

type Act = 'release' | 'hold';

/** Makes the page press Drive as soon as its text changes, which sets `data-tapped`. */
const tapOnChange = (page: Page, act: Act): Promise<void> =>
  page.$eval(
    '.go',
    (go: HTMLElement, how) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        const options = { bubbles: true, cancelable: true, button: 0, pointerType: 'touch', detail: 1 };
        go.dispatchEvent(new PointerEvent('pointerdown', { ...options, buttons: 1 }));
        if (how === 'release') {
          go.dispatchEvent(new PointerEvent('pointerup', options));
          go.dispatchEvent(new MouseEvent('click', options));
        }
        go.dataset.tapped = '';
      });
      const text = document.querySelector('[data-go-text]') as Element;
      watch.observe(text, { characterData: true, childList: true, subtree: true });
    },
    act,
  );

/** The commands that the page sends when a press on Drive follows a change of the button immediately. */
async function sentOnChange(page: Page, distance: string, act: Act, change: () => Promise<unknown>) {
  await page.fill('#distanceID', distance);
  const sent = await recordCommands(page);
  await tapOnChange(page, act);
  await change();
  await page.locator('.go[data-tapped]').waitFor();
  return sent;
}

test('Replace ignores a press immediately after the button has changed from Drive', () =>
  app.visit('/', async ({ page }) => {
    await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    await unlocked(page);
    const sent = await sentOnChange(page, '50', 'release', () => app.gateway.move(1, 8000, { maxSpeed: 20 }));
    await app.gateway.call('POST', '/carts/1/stop');
    assert.deepEqual(sent, []);
  }));

test('Drive ignores a press immediately after the button has changed from Replace', () =>
  app.visit('/', async ({ page }) => {
    await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    await unlocked(page);
    await app.gateway.move(1, 8000, { maxSpeed: 20 });
    await page.locator('[data-queue][data-shown]').waitFor();
    await settled(page);
    const sent = await sentOnChange(page, '50', 'release', () => app.gateway.call('POST', '/carts/1/stop'));
    assert.deepEqual(sent, []);
  }));

test('Replace ignores a hold for a long move immediately after the button has changed from Drive', () =>
  app.visit('/', async ({ page }) => {
    await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    await unlocked(page);
    await sentOnChange(page, '9000', 'hold', () => app.gateway.move(1, 8000, { maxSpeed: 20 }));
    assert.equal(await page.locator('.go.holding').count(), 0);
    await app.gateway.call('POST', '/carts/1/stop');
  }));

test('a double tap on Drive sends only one command', () =>
  app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.fill('#distanceID', '50');
    const sent = await recordCommands(page);
    await Promise.all([answered(page), tap(page, '.go')]);
    await tap(page, '.go');
    await settled(page);
    assert.equal(sent.length, 1);
  }));

test('holding Enter in a field sends only one command', () =>
  app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.fill('#distanceID', '50');
    const sent = await recordCommands(page);
    await page.focus('#distanceID');
    await Promise.all([answered(page), page.keyboard.down('Enter')]);
    await settled(page);
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(sent.length, 1);
  }));

test('a queued command starts after the current command', () =>
  app.visit('/', async ({ page }) => {
    const attempt = async (): Promise<{ first: CommandView; queued?: CommandView }> => {
      await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
      await unlocked(page);
      // At this speed, the move takes 5 s, so that it has not ended when the button is pressed.
      const { body: first } = await app.gateway.move(1, 300, { maxSpeed: 60 });
      await page.fill('#distanceID', '60');
      const stateOf = async (commandId: string): Promise<CommandView> =>
        (await app.gateway.call<CommandView>('GET', `/commands/${commandId}`)).body;
      const isOver = async (commandId: string): Promise<boolean> =>
        FINAL.includes((await stateOf(commandId)).state);
      const isOffered = async (): Promise<boolean> => await page.isVisible('[data-queue]');
      await untilAnswer(async () => (await isOffered()) || (await isOver(first.commandId)), Boolean);
      if (await isOver(first.commandId)) return { first };
      const [answer] = await Promise.all([
        page.waitForResponse((response) => isPost(response.request())),
        page.click('[data-queue]'),
      ]);
      const { commandId } = (await answer.json()) as CommandView;
      await untilAnswer(() => isOver(commandId), Boolean);
      return { first, queued: await stateOf(commandId) };
    };
    const { queued } = await repeatOnce(attempt, ({ first }) => app.gateway.endCode(first.commandId));
    assert.deepEqual([queued?.state, queued?.distanceMm], ['FINISHED', 60]);
  }));

if (hasBrowser) test.run();
