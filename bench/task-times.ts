import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBrowser } from '../test/helpers/browser.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import {
  firstPaint,
  limited,
  openPage,
  PREPARATION_LIMIT_MS,
  press,
  type Round,
  type Subject,
  slowedDown,
  switchPage,
} from './page-times.js';
import { median, verdict } from './verdict.js';

/**
 * Measures how long operators wait for the pages in Chromium with a processor that is slowed down by a
 * factor of four. For comparison, it also measures a static page on node:http with a button that sends a
 * request and shows a line of text when the response arrives. The processor time is that of the page's main
 * thread, slowed down by the same factor; it depends less on other programs than the waiting time does.
 */

const ROUNDS = 10;
const MOVE_MM = 2000;
/** A task starts no further round after this time, so a busy machine completes fewer rounds. */
const TASK_LIMIT_MS = 25_000;
/** The gateway stops a cart if the machine is too busy (LOOP_LAG), so a failed step is repeated. */
const TRIES = 3;
/** The page shows an image of the camera after its script has started. */
const LIVE = '[data-camera]:not([data-stale])';

const PEER_PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Peer</title><link rel="icon" href="data:,"><a href="/other">Other page</a><button>Send</button>
<p hidden>Done</p><script>
const [button, line] = [document.querySelector('button'), document.querySelector('p')];
addEventListener('pointerdown', async ({ target }) => {
  if (target !== button) return;
  await fetch('/', { method: 'POST' });
  line.hidden = false;
});</script></html>`;

interface Task {
  /** One name and limit for each measured time. */
  limits: readonly { name: string; limitMs: number }[];
  /** True if each round opens its own page. */
  opensPages?: boolean;
  measure: (subject: Subject) => Promise<Round>;
  measurePeer: (subject: Subject) => Promise<Round>;
}

async function repeated(measure: () => Promise<Round>): Promise<Round> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await measure();
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

async function startPeer(): Promise<Server> {
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(PEER_PAGE));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Measures the peer and the page alternately. */
async function measureRounds({ opensPages, measure, measurePeer }: Task): Promise<[Round[], Round[]]> {
  const peer = await openPage(browser, opensPages ? 'about:blank' : peerUrl);
  const subject = await openPage(browser, opensPages ? 'about:blank' : gateway.url);
  if (!opensPages) await subject.page.locator(LIVE).waitFor();
  const slowed = opensPages ? <T>(_: Subject, run: () => Promise<T>) => run() : slowedDown;
  const measureOnce = () => slowed(subject, () => repeated(() => measure(subject)));
  await measureOnce();
  const rounds: Round[] = [];
  const peerRounds: Round[] = [];
  const endAt = performance.now() + TASK_LIMIT_MS;
  while (rounds.length === 0 || (rounds.length < ROUNDS && performance.now() < endAt)) {
    peerRounds.push(await slowed(peer, () => measurePeer(peer)));
    rounds.push(await measureOnce());
  }
  return [rounds, peerRounds];
}

async function run(task: Task): Promise<void> {
  try {
    report(task, ...(await measureRounds(task)));
  } catch (error) {
    const [message = ''] = String(error).split('\n');
    for (const { name, limitMs } of task.limits) verdict(name, message, `${limitMs} ms at most`, false);
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
  }
}

function report({ limits }: Task, rounds: readonly Round[], peerRounds: readonly Round[]): void {
  const cpu = median(rounds.map((round) => round.cpuMs));
  const peerCpu = median(peerRounds.map((round) => round.cpuMs));
  const peerMs = median(peerRounds.map(({ times: [ms = 0] }) => ms));
  limits.forEach(({ name, limitMs }, at) => {
    const times = rounds.map((round) => round.times[at] ?? Number.NaN);
    const ms = median(times);
    const waiting = `median ${ms.toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms; peer ${peerMs.toFixed(0)} ms (${(ms / peerMs).toFixed(1)}x)`;
    const processor = `processor ${cpu.toFixed(0)} ms; peer ${peerCpu.toFixed(0)} ms (${(cpu / peerCpu).toFixed(1)}x)`;
    const count = times.length < ROUNDS ? `; only ${times.length} rounds, because the machine is busy` : '';
    verdict(name, `${waiting}; ${processor}${count}`, `${limitMs} ms at most`, ms <= limitMs);
  });
}

const gateway = await GatewayProcess.start();
const peer = await startPeer();
const peerUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
const browser = await openBrowser();

/** Resets the stop that an earlier round latched, and waits until the cart is at rest. */
const untilReady = async (): Promise<void> => {
  const reset = async (): Promise<void> => {
    for (const cartID of [1, 2, 3]) await gateway.resetCart(cartID);
    await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
  };
  await limited('the reset', reset(), PREPARATION_LIMIT_MS);
};
const pressPeer = async (subject: Subject): Promise<Round> => {
  await subject.page.reload();
  return press(subject, 'button', ['p:not([hidden])']);
};
const pages = ['/fleet', '/brokerSettings', '/map', '/system', '/'];
let visits = 0;

try {
  const tasks: Task[] = [
    {
      limits: [{ name: 'first paint of the Drive page, empty cache', limitMs: 1000 }],
      opensPages: true,
      measure: () => firstPaint(browser, gateway.url),
      measurePeer: () => firstPaint(browser, peerUrl),
    },
    {
      limits: [
        { name: 'E-stop press to band', limitMs: 150 },
        { name: 'E-stop press to "latched"', limitMs: 300 },
      ],
      measure: async (subject) => {
        await untilReady();
        const shown = ['[data-band-main] [data-tone="stop"]', '[data-estop-summary]:not([hidden])'];
        return press(subject, '.estop', shown);
      },
      measurePeer: pressPeer,
    },
    {
      limits: [{ name: 'Drive press to "moving"', limitMs: 150 }],
      measure: async (subject) => {
        await untilReady();
        await subject.page.fill('#distanceID', String(MOVE_MM));
        const shown = ['[data-band-main] [data-tone="live"]'];
        const round = await press(subject, '.go:not(:disabled)', shown);
        await gateway.call('POST', '/carts/1/stop');
        return round;
      },
      measurePeer: pressPeer,
    },
    {
      limits: [{ name: 'page switch', limitMs: 300 }],
      measure: (subject) => switchPage(subject, `.nav a[href="${pages[visits++ % pages.length]}"]`),
      measurePeer: (subject) => switchPage(subject, 'a'),
    },
  ];
  for (const task of tasks) await run(task);
} finally {
  await browser.close();
  await gateway.close();
  peer.close();
}
