import type { Request, RequestHandler, Response } from 'express';
import { failureOf, failureOnPage, wantsPage } from '../../http/errors.js';
import { safeNext } from '../../http/guard/origin.js';
import { sendPage } from '../../http/pages.js';
import { queryOneOf } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import type { ActiveDrivers } from '../command/active-drivers.js';
import type { Command } from '../command/command.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { Authority, Origin, StoppedCart, WaitFor } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { withPressId } from '../safety/press-id.js';
import { commandApi } from './openapi.js';
import { type CommandOutcome, drivePage } from './pages.js';
import { answerMalformedStop, answerStop, sendMalformedStop, withStoppedCarts } from './stop-answers.js';

const WAITS = ['accept', 'ack', 'done'] as const;

interface CommandRoutesDeps {
  dispatcher: CommandDispatcher;
  drivers: Pick<ActiveDrivers, 'list'>;
  originOf: (req: Request) => Origin;
  /** Commands end when the request's session ends or its key is revoked. */
  authorityOf: (req: Request) => Authority;
  log: Log;
}

export function commandRoutes(deps: CommandRoutesDeps): DeclaredRouter {
  const { dispatcher, drivers, originOf, authorityOf, log } = deps;
  const router = routerOf(commandApi);

  router.on('GET /', (req, res) => sendPage(req, res, drivePage, {}));

  const post: RequestHandler = async (req, res) => {
    const key = req.get('idempotency-key');
    try {
      if (req.bodyFault !== undefined) throw req.bodyFault;
      const wait: WaitFor = queryOneOf(req, 'wait', WAITS, 'ack');
      const command = dispatcher.submit(req.body, originOf(req), key, authorityOf(req));
      await answer(req, res, await command.reached(wait));
    } catch (fault) {
      const carts = await dispatcher.stopNevertheless(req.body, originOf(req));
      if (!wantsPage(req)) {
        if (!carts) throw fault;
        return sendMalformedStop(req, res, { fault, carts, log });
      }
      const error = carts ? withStoppedCarts(fault, carts) : fault;
      const { error: title, message, hint } = failureOnPage(res, error);
      const outcome = { ok: false, title, message, ...(hint ? { hint } : {}) };
      await sendPage(req, res, drivePage, { outcome, entered: req.body });
    }
  };
  router.on('POST /', post);

  async function answer(req: Request, res: Response, command: Command): Promise<void> {
    const failure = endedBadly(command) ? failureOf(asError(command)) : undefined;
    if (!wantsPage(req)) {
      if (failure) res.status(failure.status).json({ ...command.view(), ...failure.body });
      else res.status(200).json(command.view());
      return;
    }
    const entered = failure ? req.body : undefined;
    await sendPage(req, res.status(failure?.status ?? 200), drivePage, {
      outcome: outcomeOf(command),
      entered,
    });
  }

  router.on('GET /carts', (_req, res) => void res.json(dispatcher.carts()));
  router.on(
    'GET /carts/:cartID',
    (req, res) => void res.json(dispatcher.cartView(cartIdOf(req.params.cartID))),
  );
  router.on(
    'GET /commands',
    (_req, res) => void res.json(dispatcher.newest(100).map((command) => command.view())),
  );
  router.on('GET /commands/:commandId', (req, res) => {
    const command = dispatcher.find(req.params.commandId);
    if (!command) throw new GatewayError('NOT_FOUND', 'no command from the last 10 minutes has this ID');
    res.json(command.view());
  });

  router.on('POST /carts/:cartID/stop', async (req, res) => {
    const cartId = cartIdOf(req.params.cartID);
    const carts = await dispatcher.stop(cartId, req.body.kind === 'halt' ? 'halt' : 'stop', originOf(req));
    if (req.bodyFault !== undefined)
      return answerMalformedStop(req, res, { fault: req.bodyFault, carts, log });
    answerStop(req, res, carts, cartId);
  });
  router.on('POST /carts/:cartID/duplicate/clear', (req, res) => {
    const cartID = cartIdOf(req.params.cartID);
    dispatcher.clearDuplicate(cartID);
    done(req, res, { cartID });
  });
  router.on('POST /stop', async (req, res) => {
    const { cartId, fault } = stopTarget(req, dispatcher);
    const carts = await dispatcher.stop(cartId, 'stop', originOf(req));
    if (fault !== undefined) return answerMalformedStop(req, res, { fault, carts, log });
    answerStop(req, res, carts, cartId ?? 'all');
  });
  router.on('POST /stop/mine', async (req, res) => {
    const { cartId, fault } = stopTarget(req, dispatcher);
    const origin = originOf(req);
    const cartIds = new Set(drivers.list(origin.actor).map(({ cartID }) => cartID));
    if (cartId !== null) cartIds.add(cartId);
    const carts = await stopEach(dispatcher, [...cartIds], origin);
    if (fault !== undefined) return answerMalformedStop(req, res, { fault, carts, log });
    answerStop(req, res, carts, [...cartIds]);
  });
  router.on('POST /estop', async (req, res) => {
    // If `cartID` is invalid, every cart is stopped before the error is reported.
    const { cartId, fault } = stopTarget(req, dispatcher);
    const carts = await dispatcher.stop(cartId, 'estop', withPressId(originOf(req), req.body?.pressId));
    if (fault !== undefined) return answerMalformedStop(req, res, { fault, carts, log });
    answerStop(req, res, carts, cartId ?? 'all');
  });
  router.on('POST /estop/reset', async (req, res) => {
    const cartId = optionalCartId(req) ?? dispatcher.ownCart().cartID;
    const emergencyStop = await dispatcher.reset(cartId, originOf(req), seenStop(req), authorityOf(req));
    done(req, res, { cartID: cartId, emergencyStop });
  });
  return router;
}

/** Sends all stops before waiting for confirmations, this gateway's first. Rejects with the first error. */
async function stopEach(
  dispatcher: CommandDispatcher,
  cartIds: readonly number[],
  origin: Origin,
): Promise<StoppedCart[]> {
  const ownId = dispatcher.ownCart().cartID;
  const ordered = cartIds.toSorted((a, b) => Number(b === ownId) - Number(a === ownId));
  const stops = await Promise.allSettled(ordered.map((cartId) => dispatcher.stop(cartId, 'stop', origin)));
  const failed = stops.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return stops.flatMap((stop) => (stop.status === 'fulfilled' ? stop.value : []));
}

/** Redirects browsers to the page named in `back`. */
function done(req: Request, res: Response, body: object): void {
  if (wantsPage(req)) res.redirect(303, safeNext(req.body?.back));
  else res.json({ success: true, ...body });
}

function cartIdOf(text: unknown): number {
  const id =
    typeof text === 'number' || (typeof text === 'string' && /^\d{1,5}$/.test(text)) ? Number(text) : 0;
  if (Number.isInteger(id) && id >= 1 && id <= 65_535) return id;
  throw new GatewayError('INVALID_INPUT', 'cartID must be a whole number from 1 to 65535', {
    field: 'cartID',
  });
}

function optionalCartId(req: Request): number | null {
  const { cartID } = req.body;
  return cartID === undefined || cartID === '' ? null : cartIdOf(cartID);
}

function seenStop(req: Request): string | undefined {
  const { stoppedAt } = req.body;
  return stoppedAt === undefined || stoppedAt === '' ? undefined : String(stoppedAt);
}

function stopTarget(req: Request, dispatcher: CommandDispatcher): { cartId: number | null; fault?: unknown } {
  if (req.bodyFault !== undefined) return { cartId: null, fault: req.bodyFault };
  try {
    const cartId = optionalCartId(req);
    if (cartId !== null) dispatcher.cartView(cartId);
    return { cartId };
  } catch (fault) {
    return { cartId: null, fault };
  }
}

function endedBadly({ state }: Command): boolean {
  return state === 'FAILED' || state === 'EXPIRED' || state === 'REJECTED' || state === 'CANCELLED';
}

function asError(command: Command): GatewayError {
  const { code, text } = command.reason ?? { code: 'TIMEOUT', text: cartMessage('no-outcome') };
  return new GatewayError(code, text, { commandId: command.id });
}

function outcomeOf(command: Command): CommandOutcome {
  const view = command.view();
  const message = command.reason?.text ?? '';
  return { ok: !endedBadly(command), title: cartMessage(`ended.${view.state}`), message, command: view };
}
