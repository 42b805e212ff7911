import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../test/helpers/browser.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { median, verdict } from './verdict.js';

/**
 * Measures how long operators wait for the pages in Chromium with a processor that is slowed down four times.
 * The peer is a static page on node:http, whose button shows a line when its request is answered.
 */

const ROUNDS = 10;
const SLOWDOWN = 4;
const VIEWPORT = { width: 1440, height: 900 };
const MOVE_MM = 2000;

const PEER_PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Peer</title><link rel="icon" href="data:,"><a href="/other">Other page</a><button>Send</button>
<p hidden>Done</p><script>
const [button, line] = [document.querySelector('button'), document.querySelector('p')];
addEventListener('pointerdown', async ({ target }) => {
  if (target !== button) return;
  await fetch('/', { method: 'POST' });
  line.hidden = false;
});</script></html>`;

/** Sets `shown` to a promise of the time from the next press to a drawn frame with the element, in ms. */
const watch = (selector: string): string => `(() => {
  let pressedAt;
  const press = ({ timeStamp }) => { pressedAt = timeStamp; };
  addEventListener('pointerdown', press, { capture: true, once: true });
  globalThis.shown = new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (pressedAt === undefined || !element?.checkVisibility()) return void requestAnimationFrame(look);
      // A frame callback runs before its frame is drawn; the message arrives afterwards.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - pressedAt);
      port2.postMessage(undefined);
    };
    look();
  });
})()`;

/** First contentful paint, in ms since the navigation started. */
const FIRST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => {
  const entry = list.getEntriesByName('first-contentful-paint')[0];
  if (entry) resolve(entry.startTime);
}).observe({ type: 'paint', buffered: true }))`;

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url);
  return page;
}

async function firstPaintMs(browser: Browser, url: string): Promise<number> {
  const page = await openPage(browser, url);
  const ms = await page.evaluate<number>(FIRST_PAINT);
  await page.context().close();
  return ms;
}

/** Returns the time from pressing a button to the first frame that shows an element. */
async function pressMs(page: Page, button: string, shown: string): Promise<number> {
  await page.evaluate(watch(shown));
  await page.click(button);
  return page.evaluate<number>('shown');
}

/** Returns the time from the click on a link to the next page's first paint. */
async function switchMs(page: Page, link: string): Promise<number> {
  await page.evaluate(`addEventListener('click', ({ timeStamp }) => {
    sessionStorage.setItem('clickedAt', performance.timeOrigin + timeStamp);
  }, true)`);
  const loaded = page.waitForEvent('load');
  await page.locator(link).dispatchEvent('click');
  await loaded;
  const paintedMs = await page.evaluate<number>(FIRST_PAINT);
  return (
    paintedMs + (await page.evaluate<number>(`performance.timeOrigin - sessionStorage.getItem('clickedAt')`))
  );
}

interface Task {
  name: string;
  limitMs: number;
  measure: () => Promise<number>;
  measurePeer: () => Promise<number>;
}

async function startPeer(): Promise<Server> {
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(PEER_PAGE));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const gateway = await GatewayProcess.start();
const peer = await startPeer();
const peerUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
const browser = await openBrowser();
const mayMove = (): Promise<unknown> =>
  gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);

try {
  const page = await openPage(browser, gateway.url);
  const peerPage = await openPage(browser, peerUrl);
  const other = await openPage(browser, gateway.url);
  const peerOther = await openPage(browser, peerUrl);
  const press = async (): Promise<number> => {
    await peerPage.reload();
    return pressMs(peerPage, 'button', 'p:not([hidden])');
  };
  const switchPeer = (): Promise<number> => switchMs(peerOther, 'a');
  const pages = ['/fleet', '/brokerSettings', '/map', '/system', '/'];
  let visits = 0;
  const tasks: Task[] = [
    {
      name: 'first paint of the Drive page, empty cache',
      limitMs: 1000,
      measure: () => firstPaintMs(browser, gateway.url),
      measurePeer: () => firstPaintMs(browser, peerUrl),
    },
    {
      name: 'E-stop press to band',
      limitMs: 150,
      measure: async () => {
        await page.bringToFront();
        await mayMove();
        const ms = await pressMs(page, '.estop', '[data-band-main] [data-tone="stop"]');
        await gateway.resetCarts(1, 2, 3);
        return ms;
      },
      measurePeer: press,
    },
    {
      name: 'Drive press to "moving"',
      limitMs: 150,
      measure: async () => {
        await mayMove();
        await page.fill('#distanceID', String(MOVE_MM));
        const ms = await pressMs(page, '.go:not(:disabled)', '[data-band-main] [data-tone="live"]');
        await gateway.call('POST', '/carts/1/stop');
        return ms;
      },
      measurePeer: press,
    },
    {
      name: 'page switch',
      limitMs: 300,
      measure: () => switchMs(other, `.nav a[href="${pages[visits++ % pages.length]}"]`),
      measurePeer: switchPeer,
    },
  ];
  for (const { name, limitMs, measure, measurePeer } of tasks) {
    const times: number[] = [];
    const peerTimes: number[] = [];
    await measure();
    for (let round = 0; round < ROUNDS; round += 1) {
      peerTimes.push(await measurePeer());
      times.push(await measure());
    }
    const [ms, peerMs] = [median(times), median(peerTimes)];
    const figure = `median ${ms.toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms; peer ${peerMs.toFixed(0)} ms (${(ms / peerMs).toFixed(1)}x)`;
    verdict(name, figure, `${limitMs} ms at most`, ms <= limitMs);
  }
} finally {
  await browser.close();
  await gateway.close();
  peer.close();
}
