import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { serviceLookups } from '../../shared/dns-lookup.js';
import { messageOf } from '../../shared/errors.js';
import { networkFault } from '../../shared/network-errors.js';
import { packageVersion } from '../../shared/package-root.js';
import type { PostWebhook } from '../../shared/ports/alarms.js';
import { deliveryMessage } from './messages.js';

const TIMEOUT_MS = 10_000;

/** Redirects are not followed and count as failures. */
export const postWebhook: PostWebhook = (url, { id, body, secret }) =>
  new Promise((resolve) => {
    const isSecure = url.startsWith('https:');
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Cartwright/${packageVersion()}`,
      'x-cartwright-delivery': id,
      ...(secret === '' ? {} : { 'x-cartwright-signature': `sha256=${signature}` }),
    };
    // Each request uses a new connection, so if connecting fails, the request was never sent.
    const options = {
      method: 'POST',
      headers,
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      lookup: serviceLookups.lookup,
    };
    const request = (isSecure ? https : http).request(url, options);
    let isConnected = false;
    request.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const reason = deliveryMessage('status', { status });
      if (status >= 200 && status < 300) resolve({ outcome: 'delivered' });
      else resolve({ outcome: 'failed', scope: 'channel', reason });
      response.on('error', () => undefined);
      response.destroy();
    });
    request.on('error', (error) => {
      const reason = networkFault(error, new URL(url).hostname) ?? messageOf(error);
      if (isConnected) resolve({ outcome: 'unknown', reason: deliveryMessage('unanswered', { reason }) });
      else {
        const text = deliveryMessage('unreachable', { reason });
        resolve({ outcome: 'failed', scope: 'channel', reason: text });
      }
    });
    request.end(body);
  });
