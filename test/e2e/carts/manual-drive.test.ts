import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CartView, CommandView } from '../../../src/carts/command/model.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { pressEstop, withPage } from '../../helpers/page-session.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';

/** Driving by hand on the page, in a real browser, with the simulated cart. */
const drives = suite('driving by hand in Chromium');

let gateway: GatewayProcess;
let network: UnreliableNetwork;
let browser: Browser;

drives.before(async () => {
  [gateway, browser] = await Promise.all([GatewayProcess.start(), openBrowser()]);
  network = await UnreliableNetwork.open(gateway.url);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});
drives.after(async () => {
  await browser.close();
  await network.close();
  await gateway.close();
});

const isMoving = ({ telemetry }: CartView): boolean => (telemetry?.speedMmps ?? 0) > 50;
const stands = ({ moving, telemetry }: CartView): boolean => !moving && telemetry?.speedMmps === 0;

/** Waits for what the panel says. */
const says = (page: Page, name: string, text: RegExp): Promise<void> =>
  page.locator(`[data-hand-${name}]`).filter({ hasText: text }).waitFor();

const unlocked = (page: Page): Promise<void> =>
  page.locator('[data-pad]:not([aria-disabled="true"])').waitFor();

/** Puts the mouse on the pad and pulls it to the rim, ahead. */
async function pull(page: Page): Promise<void> {
  await unlocked(page);
  const pad = page.locator('[data-pad]');
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
}

/** Plugs a gamepad in, with the stick at the rim and a shoulder button down, and waits until the page has looked. */
async function plugIn(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.pad = { index: 0, mapping: 'standard', connected: true, axes: [0, 0, 0, 0],
      buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
    navigator.getGamepads = () => [pad];
    globalThis.tell = (type) => dispatchEvent(Object.assign(new Event(type), { gamepad: pad }));
    globalThis.turns = (count) => new Promise((resolve) => { let left = count; const timer = setInterval(() => { left -= 1; if (left === 0) { clearInterval(timer); resolve(); } }, 50); });
    pad.axes[1] = -1; pad.buttons[4].pressed = true; tell('gamepadconnected');`);
  await page.evaluate('turns(4)');
}

/** Lets the shoulder button go with the stick in its middle, presses it anew and pushes the stick to the rim. */
async function pushStick(page: Page): Promise<void> {
  await page.evaluate('pad.axes[1] = 0.15; pad.buttons[4].pressed = false; turns(4)');
  await page.evaluate('pad.buttons[4].pressed = true; turns(2)');
  await page.evaluate('pad.axes[1] = -1; turns(4)');
}

/** Asks for a menu on the page and answers whether it would open. */
const opensMenu = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    `document.body.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))`,
  );

/** What ends a hold of which nothing was heard for 250 ms. */
const STALLS = ['LEASE_ENDED', 'CONNECTION_SLOW'];

/** The commands that ended because a page was not heard. */
async function stalled(): Promise<string[]> {
  const { body } = await gateway.call<CommandView[]>('GET', '/commands');
  return body.filter(({ reason }) => STALLS.includes(reason?.code ?? '')).map(({ commandId }) => commandId);
}

/**
 * A test that begins anew, four times at most, when it failed and this machine had stood still. Not for tests that stop the
 * network themselves: each of their failures would look like that.
 */
function test(name: string, run: () => Promise<void>): void {
  drives(name, async () => {
    for (let again = 0; ; again += 1) {
      const before = await stalled();
      try {
        return await run();
      } catch (thrown) {
        const isStall = (await stalled()).some((id) => !before.includes(id));
        if (!isStall || again === 4) throw thrown;
        for (const cartID of [1, 2, 3]) await gateway.resetCart(cartID);
      }
    }
  });
}

/** The last command, when the cart stands. */
async function atRest(): Promise<CommandView> {
  const { commandId = '' } = await gateway.untilCart(1, stands);
  return (await gateway.call<CommandView>('GET', `/commands/${commandId}`)).body;
}

/** Waits until the cart is driven as wanted, or no longer for a stall. */
async function driven(wanted = isMoving): Promise<void> {
  const before = await stalled();
  for (let asked = 0; asked < 20_000; asked += 1) {
    const cart = await gateway.cart(1);
    if (wanted(cart)) return;
    if (stands(cart) && (await stalled()).length > before.length) break;
  }
  assert.fail('the cart is not driven as wanted');
}

test('the pad drives while it is held, says so with the round trip, and letting go ends the command well', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await says(page, 'who', /^Nobody drives by hand$/);
    await pull(page);
    await driven();
    await says(page, 'who', /^You drive$/);
    await says(page, 'trip', /^Lease \d+, \d+ ms there and back$/);
    await page.mouse.up();
    const { kind, state, result } = await atRest();
    assert.deepEqual([kind, state], ['jog', 'FINISHED']);
    assert.ok((result?.distanceMm ?? 0) > 0);
    await says(page, 'who', /^You have the controls$/);
    await page.click('[data-hand-take]:has-text("Give the controls up")');
    await says(page, 'who', /^Nobody drives by hand$/);
  });
});

test('the keys drive while the pad has the focus; a key that is held down twice is one, and the focus lost is a stop', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    await page.keyboard.down('w');
    await page.keyboard.down('w');
    await driven();
    await page.keyboard.up('w');
    assert.equal((await atRest()).state, 'FINISHED');
    await page.keyboard.down('ArrowDown');
    await driven(({ telemetry }) => (telemetry?.speedMmps ?? 0) < -50);
    await page.focus('#distanceID');
    assert.equal((await atRest()).state, 'FINISHED');
    await page.keyboard.up('ArrowDown');
  });
});

test('Cmd, Ctrl or Alt in mid-hold is a stop, and the key of which nobody hears that it came up is forgotten', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    for (const [key, chord] of [
      ['w', 'Meta'],
      ['ArrowUp', 'Control'],
    ] as const) {
      await page.keyboard.down(key);
      await driven();
      await page.keyboard.down(chord);
      const { reason, commandId } = await atRest();
      assert.equal(reason?.code, 'DRIVER_INPUT');
      await page.keyboard.up(chord);
      await page.keyboard.down(key);
      assert.equal((await atRest()).commandId, commandId, 'a key that repeats starts nothing');
    }
    await page.keyboard.down('s');
    await driven(({ telemetry }) => (telemetry?.speedMmps ?? 0) < -50);
    await page.keyboard.up('s');
    assert.equal((await atRest()).state, 'FINISHED', 'nothing else is taken for held');
  });
});

test('a second button of the mouse in mid-hold is a stop, and so are a menu and a release that nobody heard', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await pull(page);
    await driven();
    await page.mouse.down({ button: 'right' });
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'DRIVER_INPUT');
    await page.mouse.up({ button: 'right' });
    await page.mouse.move(8, 8);
    assert.equal((await atRest()).commandId, commandId, 'what is left of the hold counts for nothing');
    await page.mouse.up();

    await pull(page);
    await driven();
    await page.evaluate(`document.querySelector('[data-pad]').dispatchEvent(
      new PointerEvent('pointermove', { pointerId: 1, pointerType: 'mouse', buttons: 0, bubbles: true }))`);
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    await page.mouse.up();

    await pull(page);
    await driven();
    assert.equal(await opensMenu(page), false);
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    await page.mouse.up();
    assert.equal(await opensMenu(page), true, 'what is not held refuses nothing');
  });
});

test('Space stops what is driven by hand, and the key that is still down starts nothing', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await unlocked(page);
    await page.focus('[data-pad]');
    await page.keyboard.down('ArrowUp');
    await driven();
    await page.keyboard.press(' ');
    await says(page, 'why', /^Stopped by the operator/);
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'STOPPED');
    await page.keyboard.down('ArrowUp');
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.up('ArrowLeft');
    assert.equal((await atRest()).commandId, commandId);
    await page.keyboard.up('ArrowUp');
    await page.keyboard.down('ArrowUp');
    await driven();
    await page.keyboard.up('ArrowUp');
    assert.equal((await atRest()).state, 'FINISHED', 'a new press drives again');
  });
});

test('the network torn in mid-hold: the cart stands, the page says so and comes back by itself', async () => {
  await withPage(browser, network.url, async ({ page, pageErrors }) => {
    await pull(page);
    await driven();
    await page.evaluate(`globalThis.said = [];
      new MutationObserver(() => said.push(document.querySelector('[data-hand-why]').textContent))
        .observe(document.querySelector('[data-hand-why]'), { childList: true, characterData: true, subtree: true });`);
    network.disconnect();
    const { reason, commandId } = await atRest();
    assert.equal(reason?.code, 'CONNECTION_LOST');
    await says(page, 'who', /^Nobody drives by hand$/);
    const said = await page.evaluate<string[]>('said');
    assert.ok(
      said.some((text) => /stops by itself within half a second/.test(text)),
      said.join('|'),
    );
    assert.equal(
      (await atRest()).commandId,
      commandId,
      'the finger is still on the pad, and that counts for nothing',
    );
    await page.mouse.up();
    pageErrors.splice(0);
  });
});

drives(
  'a network that swallows everything in mid-hold: silence stops the cart, and the page says so',
  async () => {
    await withPage(browser, network.url, async ({ page, pageErrors }) => {
      await pull(page);
      await driven();
      network.dropTraffic();
      const { reason } = await atRest();
      assert.equal(reason?.code, 'LEASE_ENDED');
      await page
        .locator('[data-hand-why], [data-hand-lock]')
        .filter({ hasText: /stops by itself|No fresh position/ })
        .first()
        .waitFor();
      await says(page, 'who', /^Nobody drives by hand$/);
      await page.mouse.up();
      network.disconnect();
      pageErrors.splice(0);
    });
  },
);

drives(
  'the browser goes offline in mid-hold: the cart stands, the page says so and comes back at once',
  async () => {
    await withPage(browser, gateway.url, async ({ page, pageErrors }) => {
      await pull(page);
      await driven();
      await page.context().setOffline(true);
      assert.ok(
        ['DRIVER_OFFLINE', 'CONNECTION_LOST', 'CONNECTION_SLOW', 'LEASE_ENDED'].includes(
          (await atRest()).reason?.code ?? '',
        ),
      );
      await says(page, 'why', /stops by itself within half a second/);
      await page.mouse.up();
      await page.context().setOffline(false);
      await says(page, 'who', /^Nobody drives by hand$/);
      await unlocked(page);
      pageErrors.splice(0);
    });
  },
);

test('a page out of sight and a window that is not in front let go', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    for (const [lose, code] of [
      [
        `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange')); delete document.visibilityState;`,
        'DRIVER_HIDDEN',
      ],
      [`dispatchEvent(new Event('blur'))`, 'DRIVER_BLURRED'],
    ] as const) {
      await pull(page);
      await driven();
      await page.evaluate(lose);
      assert.equal((await atRest()).reason?.code, code);
      await says(page, 'why', /^Stopped: the (page|window) of the driver was/);
      await page.mouse.up();
    }
  });
});

test('on a touch screen a second finger changes nothing, and a touch that the system takes away is a stop', async () => {
  await withPage(
    browser,
    gateway.url,
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
      await driven();
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first, second] });
      const pulled = { ...second, y: second.y + 4 };
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [first, pulled] });
      assert.equal(await opensMenu(page), false, 'a long press opens no menu');
      await driven(({ telemetry }) => (telemetry?.progressMm ?? 0) > 100);
      assert.ok(isMoving(await gateway.cart(1)), 'the first finger still drives, ahead');
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] });
      assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
    },
    { hasTouch: true },
  );
});

test('a gamepad drives while a shoulder button is held that was pressed at rest; unplugged is a stop', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await unlocked(page);
    await plugIn(page);
    assert.ok(stands(await gateway.cart(1)), 'held from before it counts for nothing');
    await pushStick(page);
    await driven();
    await page.evaluate(`pad.connected = false; tell('gamepaddisconnected')`);
    assert.equal((await atRest()).reason?.code, 'DRIVER_INPUT');
  });
});

test('a gamepad that is used in another window starts nothing here, and drives again after a new press', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await unlocked(page);
    await page.evaluate('document.hasFocus = () => false');
    await plugIn(page);
    await pushStick(page);
    await page.evaluate('delete document.hasFocus; turns(4)');
    assert.ok(stands(await gateway.cart(1)), 'pressed elsewhere it counts for nothing here');
    await pushStick(page);
    await driven();
    await page.evaluate('document.hasFocus = () => false');
    const { commandId } = await atRest();
    await pushStick(page);
    assert.equal((await atRest()).commandId, commandId);
  });
});

test('a second operator watches, asks, is seen, and gets the controls; then the first one watches', async () => {
  await withPage(browser, gateway.url, async ({ page: anna }) => {
    await withPage(browser, gateway.url, async ({ page: bob }) => {
      await pull(anna);
      await driven();
      await says(bob, 'who', / drives$/);
      await bob.locator('[data-pad][aria-disabled="true"]').waitFor();
      await bob.click('[data-hand-take]:has-text("Ask for the controls")');
      await says(anna, 'asker', / asks for the controls/);
      await anna.mouse.up();
      await atRest();
      await anna.click('[data-hand-over]');
      await says(bob, 'who', /^You have the controls$/);
      await says(anna, 'why', / has the controls now/);
      await anna.locator('[data-pad][aria-disabled="true"]').waitFor();
      await pull(bob);
      await driven();
      await bob.mouse.up();
      assert.equal((await atRest()).state, 'FINISHED');
    });
    await says(anna, 'who', /^Nobody drives by hand$/);
  });
});

test('E-stop in mid-hold takes the lease, and the pad stays locked until the reset', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await pull(page);
    await driven();
    await pressEstop(page, async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    });
    assert.equal((await atRest()).reason?.code, 'ESTOP_ACTIVE');
    await page.locator('[data-pad][aria-disabled="true"]').waitFor();
    await says(page, 'why', /emergency stop/i);
    await page.mouse.up();
    await gateway.resetCarts(1, 2, 3);
    await unlocked(page);
  });
});

test('a preset fills the form in and moves nothing by itself', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await page.click('[data-preset]:has-text("0.5 m back")');
    assert.equal(await page.inputValue('#distanceID'), '-500');
    await page.click('[data-preset]:has-text("90° left")');
    assert.deepEqual([await page.inputValue('#distanceID'), await page.inputValue('#angleID')], ['0', '90']);
    assert.ok(stands(await gateway.cart(1)));
  });
});

if (hasBrowser) drives.run();
else process.stdout.write('SKIPPED: driving by hand in a browser (chromium is not installed)\n');
