import type { Request } from 'playwright-core';
import { openBrowser } from '../test/helpers/browser.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { verdict } from './verdict.js';

/**
 * Measures the requests and transferred bytes that a browser with an empty cache needs for each page's first
 * paint.
 */
const PAGES = ['/', '/cameraSettings', '/map', '/brokerSettings', '/system', '/shop'];
const MAX_REQUESTS = 6;
const MAX_BYTES = 150_000;
const TARGET = `${MAX_REQUESTS} requests and ${MAX_BYTES / 1000} kB at most`;

const gateway = await GatewayProcess.start();
const browser = await openBrowser();
try {
  for (const path of PAGES) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${gateway.url}${path}`, { waitUntil: 'domcontentloaded' });
    // The resources named in the document are sufficient for the first paint. Streams and sockets open later.
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
    const holds = named.length <= MAX_REQUESTS && bytes <= MAX_BYTES;
    if (path === '/') verdict(`${path}, first paint`, figure, TARGET, holds);
    else process.stdout.write(`${path}, first paint: ${figure}\n`);
    await context.close();
  }
} finally {
  await browser.close();
  await gateway.close();
}
