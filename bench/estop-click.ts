import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { SerialPort } from 'serialport';
import { openBrowser } from '../test/helpers/browser.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { quantile } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Measures the latency from Stop all in a real browser (a mouse click or the second press of Esc) to the stop frame at
 * the far end of a pty. The time of the input is the timestamp of the browser event, corrected for the clock offset.
 */

const WARM_UP = 10;
const ROUNDS = 100;
const TARGET_MS = 30;

const now = (): number => performance.timeOrigin + performance.now();

/** Returns the browser's clock offset in ms, as measured in the fastest of 50 round trips. */
async function clockOffset(page: Page): Promise<number> {
  let best = { roundTripMs: Number.POSITIVE_INFINITY, offset: 0 };
  for (let question = 0; question < 50; question += 1) {
    const sentMs = now();
    const theirs = await page.evaluate(() => performance.timeOrigin + performance.now());
    const roundTripMs = now() - sentMs;
    if (roundTripMs < best.roundTripMs) best = { roundTripMs, offset: theirs - (sentMs + roundTripMs / 2) };
  }
  return best.offset;
}

const WAYS = {
  'E-stop by the mouse': (page: Page) => page.click('.estop'),
  'E-stop by Esc Esc': async (page: Page) => {
    // Because of the pause, the last Esc of the previous round does not count as the first Esc of this round.
    await page.waitForTimeout(800);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  },
} as const;

const line = await openPtyPair();
const far = new SerialPort({ path: line.far, baudRate: 115_200 });
await once(far, 'open');
let arrived: (at: number) => void = () => undefined;
instantController(far, (frame) => void (frame.type === 'ESTOP' && arrived(now())));
const gateway = await GatewayProcess.start({ serial: { path: line.near } });
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  await page.goto(gateway.url);
  const press = await page.evaluateHandle(() => {
    const last = { at: 0 };
    for (const type of ['pointerdown', 'keydown'])
      document.addEventListener(
        type,
        ({ timeStamp }) => {
          last.at = performance.timeOrigin + timeStamp;
        },
        true,
      );
    return last;
  });
  let offset = 0;
  for (const [way, act] of Object.entries(WAYS)) {
    const times: number[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      if (round % 20 === 0) offset = await clockOffset(page);
      const frame = new Promise<number>((resolve) => {
        arrived = resolve;
      });
      await act(page);
      const at = await frame;
      const { at: pressedAt } = await press.jsonValue();
      if (round >= WARM_UP) times.push(at - (pressedAt - offset));
      await gateway.untilCart(1, ({ safety }) => safety.emergencyStop !== 'NONE');
      // A reset is rejected until the E-stop input has been healthy for one second.
      while ((await gateway.call('POST', '/estop/reset', { cartID: 1 })).status !== 200);
    }
    const [p50, p99, most] = [0.5, 0.99, 1].map((q) => quantile(times, q));
    process.stdout.write(
      `${way}: p50 ${p50?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms, most ${most?.toFixed(1)} ms (${times.length})\n`,
    );
    verdict(
      `${way}, press to stop frame, p99`,
      `${p99?.toFixed(1)} ms`,
      `${TARGET_MS} ms at most`,
      (p99 ?? 0) <= TARGET_MS,
    );
  }
} finally {
  await browser.close();
  await gateway.close();
  far.destroy();
  await line.close();
}
