import type { Request } from 'playwright-core';
import { openBrowser } from '../test/helpers/browser.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { verdict } from './verdict.js';

/** What a browser that was never here fetches before each page is drawn: requests, and bytes as they go over the wire. */
const PAGES = ['/', '/cameraSettings', '/map', '/brokerSettings', '/system', '/shop'];
const MOST_REQUESTS = 6;
const MOST_BYTES = 150_000;
const WANTED = `${MOST_REQUESTS} requests and ${MOST_BYTES / 1000} kB at most`;

const gateway = await GatewayProcess.start();
const browser = await openBrowser();
try {
  for (const path of PAGES) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${gateway.url}${path}`, { waitUntil: 'domcontentloaded' });
    // What the document names is fetched before it is drawn; streams and sockets are opened by what was fetched.
    const named = requests.filter((request) =>
      ['document', 'stylesheet', 'script', 'image', 'font'].includes(request.resourceType()),
    );
    let bytes = 0;
    for (const request of named) {
      const response = await request.response();
      await response?.finished();
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    }
    const figure = `${named.length} requests, ${(bytes / 1000).toFixed(0)} kB`;
    const holds = named.length <= MOST_REQUESTS && bytes <= MOST_BYTES;
    if (path === '/') verdict(`${path}, first paint`, figure, WANTED, holds);
    else process.stdout.write(`${path}, first paint: ${figure}\n`);
    await context.close();
  }
} finally {
  await browser.close();
  await gateway.close();
}
