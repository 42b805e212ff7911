import assert from 'node:assert/strict';
import type { JSHandle, Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CartView, CommandView } from '../../../src/carts/command/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import {
  addGamepad,
  type PageGamepad,
  pressEstop,
  recordTexts,
  withPage,
} from '../../helpers/page-session.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';

const test = suite('manual drive in Chromium');

let network: UnreliableNetwork;

test.after(() => network.close());
const app = new BrowserSuite(test);
test.before(async () => {
  network = await UnreliableNetwork.open(app.gateway.url);
  await app.untilCartReady();
});

const isMoving = ({ telemetry }: CartView): boolean => (telemetry?.speedMmps ?? 0) > 20;
const isStationary = ({ moving, telemetry }: CartView): boolean => !moving && telemetry?.speedMmps === 0;

const untilText = (page: Page, name: string, text: RegExp): Promise<void> =>
  page.locator(`[data-hand-${name}]`).filter({ hasText: text }).waitFor();

const unlocked = (page: Page): Promise<void> =>
  page.locator('[data-pad]:not([aria-disabled="true"])').waitFor();

async function dragForward(page: Page): Promise<void> {
  await unlocked(page);
  const pad = page.locator('[data-pad]');
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
}

/**
 * Connects a gamepad with its stick fully deflected and its shoulder button pressed, and waits until the page
 * has read it.
 */
/** Connects a gamepad whose shoulder button is held and whose stick is deflected fully. */
async function connectGamepad(page: Page): Promise<JSHandle<PageGamepad>> {
  const gamepad = await addGamepad(page);
  await gamepad.evaluate(({ pad, dispatch, read }) => {
    pad.axes[1] = -1;
    (pad.buttons[4] ?? { pressed: false }).pressed = true;
    dispatch('gamepadconnected');
    return read(4);
  });
  return gamepad;
}

/** Releases the shoulder button with the stick centred, then presses it again and deflects the stick fully. */
async function pushStick(gamepad: JSHandle<PageGamepad>): Promise<void> {
  await gamepad.evaluate(async ({ pad, read }) => {
    const shoulder = pad.buttons[4] ?? { pressed: false };
    pad.axes[1] = 0.15;
    shoulder.pressed = false;
    await read(4);
    shoulder.pressed = true;
    await read(2);
    pad.axes[1] = -1;
    await read(4);
  });
}

/** Returns true if the page does not suppress the context menu. */
const opensMenu = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    document.body.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })),
  );

/** Simulates whether the page's window has the focus. */
const setFocus = (page: Page, hasFocus: boolean): Promise<unknown> =>
  page.evaluate((has) => Object.assign(document, { hasFocus: () => has }), hasFocus);

/** Resolves with the last command. */
async function atRest(): Promise<CommandView> {
  const { commandId = '' } = await app.gateway.untilCart(1, isStationary);
  return (await app.gateway.call<CommandView>('GET', `/commands/${commandId}`)).body;
}

const untilDriven = (matches = isMoving): Promise<CartView> => app.gateway.untilCart(1, matches);

test('holding the pad drives the cart and shows the round-trip time, and releasing the pad finishes the command', async () => {
  await app.visit('/', async ({ page }) => {
    await untilText(page, 'who', /^No one has control$/);
    await dragForward(page);
    await untilDriven();
    await untilText(page, 'who', /^You are driving$/);
    await untilText(page, 'trip', /^Control lease \d+, round trip \d+ ms$/);
    await page.mouse.up();
    const { kind, state, result } = await atRest();
    assert.deepEqual([kind, state], ['jog', 'FINISHED']);
    assert.ok((result?.distanceMm ?? 0) > 0);
    await untilText(page, 'who', /^You have control$/);
    await page.click('[data-hand-take]:has-text("Release control")');
    await untilText(page, 'who', /^No one has control$/);
  });
});

test('drive keys move the cart until the pad loses focus, and key repeat is ignored', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    await page.keyboard.down('w');
    await page.keyboard.down('w');
    await untilDriven();
    await page.keyboard.up('w');
    assert.equal((await atRest()).state, 'FINISHED');
    await page.keyboard.down('ArrowDown');
    await untilDriven(({ telemetry }) => (telemetry?.speedMmps ?? 0) < -20);
    await page.focus('#distanceID');
    assert.equal((await atRest()).state, 'FINISHED');
    await page.keyboard.up('ArrowDown');
  });
});

test('Cmd, Ctrl or Alt pressed while a drive key is held stops the cart and clears the held keys', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    for (const [key, chord] of [
      ['w', 'Meta'],
      ['ArrowUp', 'Control'],
    ] as const) {
      await page.keyboard.down(key);
      await untilDriven();
      await page.keyboard.down(chord);
      const { reason, commandId } = await atRest();
      assert.equal(reason?.code, 'DRIVER_INPUT');
      await page.keyboard.up(chord);
      await page.keyboard.down(key);
      assert.equal((await atRest()).commandId, commandId, 'key repeat starts nothing');
    }
    await page.keyboard.down('s');
    await untilDriven(({ telemetry }) => (telemetry?.speedMmps ?? 0) < -20);
    await page.keyboard.up('s');
    assert.equal((await atRest()).state, 'FINISHED', 'no other key is held');
  });
});

test('a second mouse button, a context menu or a missed release event stops a cart driven with the pad', async () => {
  await app.visit('/', async ({ page }) => {
    await dragForward(page);
    await untilDriven();
    await page.mouse.down({ button: 'right' });
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'DRIVER_INPUT');
    await page.mouse.up({ button: 'right' });
    await page.mouse.move(8, 8);
    assert.equal((await atRest()).commandId, commandId, 'the rest of the hold is ignored');
    await page.mouse.up();

    await dragForward(page);
    await untilDriven();
    await page.$eval('[data-pad]', (pad) => {
      const move = { pointerId: 1, pointerType: 'mouse', buttons: 0, bubbles: true };
      pad.dispatchEvent(new PointerEvent('pointermove', move));
    });
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    await page.mouse.up();

    await dragForward(page);
    await untilDriven();
    assert.equal(await opensMenu(page), false);
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    await page.mouse.up();
    assert.equal(await opensMenu(page), true, 'a menu opens when nothing is held');
  });
});

test('pressing Space stops manual drive, and a key that is still held does not restart the cart', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    await page.keyboard.down('ArrowUp');
    await untilDriven();
    await page.keyboard.press(' ');
    await untilText(page, 'why', /^Stopped by the operator/);
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'STOPPED');
    await page.keyboard.down('ArrowUp');
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.up('ArrowLeft');
    assert.equal((await atRest()).commandId, commandId);
    await page.keyboard.up('ArrowUp');
    await page.keyboard.down('ArrowUp');
    await untilDriven();
    await page.keyboard.up('ArrowUp');
    assert.equal((await atRest()).state, 'FINISHED', 'a new press drives again');
  });
});

test('a lost connection stops a cart driven with the pad, and the page reports the loss and reconnects', async () => {
  await withPage(app.browser, network.url, async ({ page, pageErrors }) => {
    await dragForward(page);
    await untilDriven();
    const recorded = await recordTexts(page, '[data-hand-why]');
    network.disconnect();
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'CONNECTION_LOST');
    await untilText(page, 'who', /^No one has control$/);
    const texts = await recorded.jsonValue();
    assert.ok(
      texts.some((text) => /stops by itself within 0\.5 s/.test(text)),
      texts.join('|'),
    );
    assert.equal((await atRest()).commandId, commandId, 'the finger still on the pad is ignored');
    await page.mouse.up();
    pageErrors.splice(0);
  });
});

test('dropped network traffic stops a cart driven with the pad, and the page reports the lost connection', async () => {
  await withPage(app.browser, network.url, async ({ page, pageErrors }) => {
    await dragForward(page);
    await untilDriven();
    network.dropTraffic();
    const { reason } = await atRest();
    assert.equal(reason?.code, 'LEASE_ENDED');
    await page
      .locator('[data-hand-why], [data-live="lock"]')
      .filter({ hasText: /stops by itself|No update/ })
      .first()
      .waitFor();
    await untilText(page, 'who', /^No one has control$/);
    await page.mouse.up();
    network.disconnect();
    pageErrors.splice(0);
  });
});

test('the page names the operator in control only while the page is connected', async () => {
  await withPage(app.browser, network.url, async ({ page, pageErrors }) => {
    await untilText(page, 'who', /^No one has control$/);
    network.dropTraffic();
    await untilText(page, 'who', /^No connection for manual drive$/);
    assert.equal(await page.isDisabled('[data-hand-take]'), true);
    await untilText(page, 'who', /^No one has control$/);
    network.disconnect();
    pageErrors.splice(0);
  });
});

test('a cart driven with the pad stops when the browser goes offline, and the page reports the loss and reconnects', async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await dragForward(page);
    await untilDriven();
    await page.context().setOffline(true);
    assert.ok(
      ['DRIVER_OFFLINE', 'CONNECTION_LOST', 'CONNECTION_SLOW', 'LEASE_ENDED'].includes(
        (await atRest()).reason?.code ?? '',
      ),
    );
    await untilText(page, 'why', /stops by itself within 0\.5 s/);
    await page.mouse.up();
    await page.context().setOffline(false);
    await untilText(page, 'who', /^No one has control$/);
    await unlocked(page);
    pageErrors.splice(0);
  });
});

test('hiding the page or moving the focus out of the window stops a cart driven with the pad', async () => {
  await app.visit('/', async ({ page }) => {
    for (const [lose, code] of [
      [
        `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange')); delete document.visibilityState;`,
        'DRIVER_HIDDEN',
      ],
      [`dispatchEvent(new Event('blur'))`, 'DRIVER_BLURRED'],
    ] as const) {
      await dragForward(page);
      await untilDriven();
      await page.evaluate(lose);
      assert.equal((await atRest()).reason?.code, code);
      await untilText(page, 'why', /^Stopped: the driver's (page|window)/);
      await page.mouse.up();
    }
  });
});

test('a second finger on the pad is ignored, and a cancelled touch stops the cart', async () => {
  await app.visit(
    '/',
    async ({ page }) => {
      await unlocked(page);
      const pad = page.locator('[data-pad]');
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      assert.ok(box);
      const cdp = await page.context().newCDPSession(page);
      const first = { id: 1, x: box.x + box.width / 2, y: box.y + 8 };
      const second = { id: 2, x: box.x + box.width / 2, y: box.y + box.height - 8 };
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first] });
      await untilDriven();
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first, second] });
      const pulled = { ...second, y: second.y + 4 };
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [first, pulled] });
      assert.equal(await opensMenu(page), false, 'a long press opens no menu');
      await untilDriven(({ telemetry }) => (telemetry?.progressMm ?? 0) > 100);
      assert.ok(isMoving(await app.gateway.cart(1)), 'the first finger still drives forward');
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] });
      assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    },
    { hasTouch: true },
  );
});

test('a gamepad drives the cart after a new shoulder-button press, and unplugging the gamepad stops the cart', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    const gamepad = await connectGamepad(page);
    assert.ok(isStationary(await app.gateway.cart(1)), 'a button held since before is ignored');
    await pushStick(gamepad);
    await untilDriven();
    await gamepad.evaluate(({ pad, dispatch }) => {
      pad.connected = false;
      dispatch('gamepaddisconnected');
    });
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
  });
});

test('a gamepad moves the cart only after the page receives focus and the shoulder button is pressed again', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    await setFocus(page, false);
    const gamepad = await connectGamepad(page);
    await pushStick(gamepad);
    await setFocus(page, true);
    await gamepad.evaluate(({ read }) => read(4));
    assert.ok(isStationary(await app.gateway.cart(1)), 'a press in another window is ignored');
    await pushStick(gamepad);
    await untilDriven();
    await setFocus(page, false);
    const { commandId } = await atRest();
    await pushStick(gamepad);
    assert.equal((await atRest()).commandId, commandId);
  });
});

test('an operator who requests control receives it, and the previous driver can only watch', async () => {
  await app.visit('/', async ({ page: anna }) => {
    await app.visit('/', async ({ page: bob }) => {
      await dragForward(anna);
      await untilDriven();
      await untilText(bob, 'who', / is driving$/);
      await bob.locator('[data-pad][aria-disabled="true"]').waitFor();
      await bob.click('[data-hand-take]:has-text("Request control")');
      await untilText(anna, 'asker', / is requesting control/);
      await untilText(bob, 'wait', /^Control passes to you when .+ has not driven for 5 s\.$/);
      await anna.mouse.up();
      await atRest();
      await anna.click('[data-hand-over]');
      await untilText(bob, 'who', /^You have control$/);
      await untilText(anna, 'why', /^Control handed over to /);
      await anna.locator('[data-pad][aria-disabled="true"]').waitFor();
      await dragForward(bob);
      await untilDriven();
      await bob.mouse.up();
      assert.equal((await atRest()).state, 'FINISHED');
    });
    await untilText(anna, 'who', /^No one has control$/);
  });
});

/** Waits until the drive pad names another driver, and the panel of the cart the same one. */
async function untilDriverNamed(page: Page): Promise<void> {
  await untilText(page, 'who', /^(?!No one ).* has control$/);
  const who = (await page.textContent('[data-hand-who]')) ?? '';
  const name = who.replace(/ has control$/, '');
  await page.locator('[data-now] [data-f="control"]').getByText(name, { exact: true }).waitFor();
}

test('an operator can take over control from an idle holder, and the cart panel names the operator in control', async () => {
  await app.visit('/', async ({ page: anna }) => {
    await app.visit('/', async ({ page: bob }) => {
      await unlocked(anna);
      await anna.click('[data-hand-take]');
      await untilDriverNamed(bob);
      await bob.click('[data-hand-take]:has-text("Take over control")');
      await untilText(bob, 'who', /^You have control$/);
      await untilText(anna, 'why', / took control/);
    });
  });
});

test('the operator of a running command is shown as having control until someone takes manual control', async () => {
  await app.visit('/', async ({ page }) => {
    await unlocked(page);
    await app.gateway.move(1, 300, { maxSpeed: 50 });
    await untilDriverNamed(page);
    await app.gateway.call('POST', '/carts/1/stop');
    await untilText(page, 'who', /^No one has control$/);
    await page.locator('[data-now] [data-f="control"]:has-text("no one")').waitFor();
  });
});

test('latching a stop while the pad is held ends the lease and locks the pad until the stop is reset', async () => {
  await app.visit('/', async ({ page }) => {
    await dragForward(page);
    await untilDriven();
    await pressEstop(page, async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    });
    assert.equal((await atRest()).reason?.code, 'ESTOP_ACTIVE');
    await page.locator('[data-pad][aria-disabled="true"]').waitFor();
    // The band at the top of the page already states the reason.
    await page.locator('[data-hand-why]').waitFor({ state: 'hidden' });
    await page.mouse.up();
    await app.gateway.resetCarts(1, 2, 3);
    await unlocked(page);
    await page.locator('[data-hand-why]').waitFor({ state: 'hidden' });
  });
});

test('a preset button drives the cart only when it is held for the full time and no other button is pressed', async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator('.go:not(:disabled)').waitFor();
    const before = (await app.gateway.cart(1)).commandId;
    const preset = page.locator('[data-preset]:has-text("0.5 m back")');
    await preset.click();
    await page.locator('[data-progress]:has-text("Press and hold")').waitFor();
    await preset.hover();
    await page.mouse.down();
    await page.mouse.down({ button: 'right' });
    assert.equal(await preset.evaluate((button) => button.classList.contains('holding')), false);
    await page.mouse.up({ button: 'right' });
    await page.mouse.up();
    assert.equal((await app.gateway.cart(1)).commandId, before);
    await page.mouse.down();
    const line = page.locator('[data-last] .line');
    await line.filter({ hasText: /^(?:Finished:|Failed).* 0\.50 m back$/ }).waitFor();
    await page.mouse.up();
    await atRest();
  });
});

test("a preset leaves the operator's own numbers unchanged", async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator('.go:not(:disabled)').waitFor();
    await page.fill('#distanceID', '20000');
    await page.fill('#angleID', '-5');
    const line = page.locator('[data-last] .line');
    await page.locator('[data-preset]:has-text("0.5 m forward")').hover();
    await page.mouse.down();
    await line.filter({ hasText: /^(?:Finished:|Failed).* 0\.50 m forward$/ }).waitFor();
    await page.mouse.up();
    await atRest();
    assert.equal(await page.inputValue('#distanceID'), '20000');
    assert.equal(await page.inputValue('#angleID'), '5');
    assert.equal(await page.textContent('[data-sign="angleID"]'), 'Right');
  });
});

test('a preset is not sent while the speed is invalid', async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator('.go:not(:disabled)').waitFor();
    const before = (await app.gateway.cart(1)).commandId;
    await page.fill('#maxSpeed', '99999');
    // Assistive technology sends a click, which opens a confirmation dialog instead of requiring a hold.
    page.on('dialog', (dialog) => void dialog.accept());
    await page
      .locator('[data-preset]')
      .first()
      .evaluate((button: HTMLElement) => button.click());
    await page.locator('#maxSpeed:focus').waitFor();
    assert.equal((await app.gateway.cart(1)).commandId, before);
  });
});

test('touching Stop while a preset button is held cancels the preset', async () => {
  await app.visit(
    '/',
    async ({ page }) => {
      await page.locator('.go:not(:disabled)').waitFor();
      const before = (await app.gateway.cart(1)).commandId;
      const centreOf = async (selector: string): Promise<{ x: number; y: number }> => {
        const box = await page.locator(selector).boundingBox();
        assert.ok(box);
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      };
      const first = { id: 1, ...(await centreOf('[data-preset]:has-text("0.5 m back")')) };
      const second = { id: 2, ...(await centreOf('.stops .stop')) };
      const cdp = await page.context().newCDPSession(page);
      // Disables timers, so that the hold does not complete during the test.
      await page.evaluate(() => Object.assign(globalThis, { setTimeout: () => 0 }));
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first] });
      await page.locator('[data-preset].holding').waitFor();
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first, second] });
      await page.locator('[data-preset].holding').waitFor({ state: 'detached' });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      assert.equal((await app.gateway.cart(1)).commandId, before);
    },
    { hasTouch: true },
  );
});

test('the selected speed limits manual drive, is remembered and is shown with the corresponding stopping distance', async () => {
  await app.visit('/', async ({ page }) => {
    await untilText(page, 'most', /0\.11 m\/s/);
    // 110 mm/s × 280 ms + (110 mm/s)² / (2 × 500 mm/s²) = 43 mm; at half the speed, 18.5 mm.
    await page.locator('[data-speed-note]:has-text("0.02 m")').waitFor();
    const speeds = await page.locator('[data-speed-choice] label').allTextContents();
    assert.deepEqual(speeds, ['0.03 m/s', '0.06 m/s', '0.08 m/s', '0.11 m/s']);
    await page.check('[data-speed-choice] [value="100"]');
    await page.locator('[data-speed-note]:has-text("0.05 m")').waitFor();
    await page.check('[data-speed-choice] [value="50"]');
    const recorded = await page.evaluateHandle(() => {
      const all: number[] = [];
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) {
        const { say, speed } = JSON.parse(String(text));
        if (say === 'drive') all.push(speed);
        send.call(this, text);
      };
      return all;
    });
    await dragForward(page);
    await untilDriven(({ telemetry }) => (telemetry?.speedMmps ?? 0) > 20);
    const sent = await recorded.jsonValue();
    await page.mouse.up();
    await atRest();
    assert.ok(sent.length > 0 && sent.every((speed) => speed <= 55), sent.join());
    await page.reload();
    assert.equal(await page.isChecked('[data-speed-choice] [value="50"]'), true);
    // The Space key stops the cart even while the speed selector has the focus.
    await page.focus('[data-speed-choice] [value="50"]');
    const stopped = page.waitForResponse((response) => response.url().endsWith('/stop/mine'));
    await page.keyboard.press(' ');
    await stopped;
  });
});

test('the page does not show speeds while the selected cart cannot be driven manually', async () => {
  await app.gateway.untilCart(2, ({ online }) => online);
  await app.visit('/?cart=2', async ({ page }) => {
    await page.locator('[data-hand-lock]:has-text("Manual drive is available only for")').waitFor();
    assert.equal(await page.getAttribute('#tab-move', 'aria-selected'), 'true');
    await page.locator('[data-speed-note]').waitFor({ state: 'hidden' });
    assert.equal(await page.isDisabled('[data-speed-choice] [value="50"]'), true);
    const speeds = await page.locator('[data-speed-of]').allTextContents();
    assert.deepEqual([...new Set(speeds)], ['–']);
  });
});

test('messages about manual drive move neither the pad nor the form below it', async () => {
  const options = { viewport: { width: 1440, height: 900 } };
  const placesOf = async (page: Page) => {
    const boxes = await Promise.all(
      ['[data-pad]', '.presets', '.go'].map((part) => page.locator(part).boundingBox()),
    );
    return boxes.map((box) => Math.round(box?.y ?? 0));
  };
  await app.visit(
    '/',
    async ({ page }) => {
      await unlocked(page);
      const places = await placesOf(page);
      await page.click('[data-hand-take]');
      await untilText(page, 'who', /^You have control$/);
      await app.visit('/', async ({ page: other }) => {
        await other.click('[data-hand-take]:has-text("Request control")');
        await page.locator('[data-hand-ask]').waitFor();
        assert.deepEqual(await placesOf(page), places, 'request');
        await page.click('[data-hand-over]');
        await untilText(page, 'why', /^Control handed over to /);
        assert.deepEqual(await placesOf(page), places, 'end of control');
      });
      await page.selectOption('.cart-choice select', '2');
      await page.locator('[data-hand-lock]').waitFor();
      assert.deepEqual(await placesOf(page), places, 'other cart');
    },
    options,
  );
});

test("a layout change while the pad is held does not change the pad's deflection", async () => {
  await app.visit('/', async ({ page }) => {
    await dragForward(page);
    await untilDriven();
    await page.$eval('.area-hand', ({ style }: HTMLElement) => {
      style.paddingTop = '120px';
    });
    const pad = page.locator('[data-pad]');
    const box = await pad.boundingBox();
    assert.ok(box);
    await page.$eval(
      '[data-pad]',
      (element, [clientX, clientY]) => {
        const move = { pointerId: 1, pointerType: 'mouse', buttons: 1, bubbles: true, clientX, clientY };
        element.dispatchEvent(new PointerEvent('pointermove', move));
      },
      [box.x + box.width / 2, box.y - 116] as const,
    );
    assert.match((await page.locator('[data-knob]').getAttribute('transform')) ?? '', /translate\(-?0 -\d/);
    await page.mouse.up();
    await atRest();
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: manual drive in Chromium (Chromium is not installed)\n');
