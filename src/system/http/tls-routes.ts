import { isIPv4, isIPv6 } from 'node:net';
import type { Request, Response } from 'express';
import { failureNotice, failureOnPage, wantsPage } from '../../http/errors.js';
import { isEncrypted } from '../../http/guard/cookies.js';
import { callerActor } from '../../http/guard/principal.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Actor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { tlsMessage } from '../tls/messages.js';
import type { TlsView } from '../tls/tls-view.js';
import { tlsPage } from './pages.js';
import { CA_TYPE, tlsApi } from './tls-openapi.js';

export interface TlsRoutesDeps {
  https: {
    view(): TlsView;
    caPem(): string;
    create(request: { replaceCa: boolean; by: Actor }): Promise<void>;
    setRedirect(request: { isOn: boolean; isSecure: boolean; by: Actor }): Promise<void>;
  };
  httpPort: () => number;
}

/** Serves the HTTPS page, creates certificates and serves the CA certificate for download. */
export function tlsRoutes({ https, httpPort }: TlsRoutesDeps): DeclaredRouter {
  const router = routerOf(tlsApi);
  const page = (req: Request, res: Response, notice?: Notice): Promise<void> => {
    const view = https.view();
    const caUrl = `${downloadOrigin(req, view.names, httpPort())}/ca.crt`;
    return sendPage(req, res, tlsPage, { view, caUrl, isSecure: isEncrypted(req.socket), notice });
  };

  router.on('GET /ca.crt', (_req, res) => {
    // Sent inline, because iOS does not offer to install a certificate that is sent as an attachment.
    res.setHeader('content-disposition', 'inline; filename="cartwright-ca.crt"');
    res.type(CA_TYPE).send(Buffer.from(https.caPem()));
  });
  router.on('GET /system/tls', (req, res) => {
    if (wantsPage(req)) return page(req, res);
    res.json(https.view());
  });
  const attempt = async (req: Request, res: Response, done: Notice, action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      if (!wantsPage(req)) throw error;
      return page(req, res, failureNotice(failureOnPage(res, error)));
    }
    if (wantsPage(req)) return page(req, res, done);
    res.json(https.view());
  };
  router.on('POST /system/tls', (req, res) => {
    const replaceCa = isJsonObject(req.body) && req.body.replaceCa === 'yes';
    const done = { ok: true, title: tlsMessage('created'), message: tlsMessage('created-hint') };
    return attempt(req, res, done, async () => {
      await https.create({ replaceCa, by: callerActor(req) });
      res.status(201);
    });
  });
  router.on('POST /system/tls/redirect', (req, res) => {
    const { redirect } = isJsonObject(req.body) ? req.body : {};
    if (redirect !== 'on' && redirect !== 'off') {
      throw new GatewayError('INVALID_INPUT', 'redirect must be on or off', { field: 'redirect' });
    }
    const request = { isOn: redirect === 'on', isSecure: isEncrypted(req.socket), by: callerActor(req) };
    const done = { ok: true, title: tlsMessage(redirect === 'on' ? 'redirect-on' : 'redirect-off') };
    return attempt(req, res, done, () => https.setRedirect(request));
  });
  return router;
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/**
 * Returns an origin for devices that do not trust the CA: this request's host over HTTP or, for a browser on
 * the gateway itself, a host from the certificate.
 */
function downloadOrigin(req: Request, names: readonly string[], httpPort: number): string {
  // Behind a proxy, only the address in this request is certain to work.
  if (req.secure && !isEncrypted(req.socket)) return `https://${req.headers.host ?? ''}`;
  const others = names.filter((name) => !LOOPBACK.test(name));
  const { hostname: own } = req;
  const host = LOOPBACK.test(own) ? (others.find(isIPv4) ?? others[0] ?? own) : own;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${httpPort}`;
}
