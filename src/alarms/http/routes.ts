import type { Request } from 'express';
import { failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor, userOf } from '../../http/guard/principal.js';
import { declarePage, type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { CHANNELS, type Target } from '../alarm.js';
import type { Alarms, TestResult } from '../alarms.js';
import { alarmMessage } from '../messages.js';
import { targetName } from '../outbox.js';
import { alarmApi } from './openapi.js';

export interface AlarmRoutesDeps {
  alarms: Pick<Alarms, 'subscriptions' | 'test' | 'testOwn' | 'hasMail'>;
  cartID: number;
}

/** The Account page, which contains the user's subscription. */
export const subscriptionPage = declarePage<{ notice: Notice }>('Alarm subscription');

/** The System page, which lists the channels. */
export const channelsPage = declarePage<{ notice: Notice }>('Alarm channels');

export function alarmRoutes({ alarms, cartID }: AlarmRoutesDeps): DeclaredRouter {
  const router = routerOf(alarmApi);
  const { subscriptions } = alarms;
  router.on('GET /account/alarms', (req, res) => void res.json(subscriptions.of(userOf(req).userId)));
  router.on('POST /account/alarms', async (req, res) => {
    const { userId } = userOf(req);
    try {
      const saved = await subscriptions.save(userId, inputOf(req));
      if (!wantsPage(req)) return void res.json(saved);
      const isSubscribed = saved.kinds.length > 0;
      const title = alarmMessage(isSubscribed ? 'subscribed' : 'unsubscribed');
      const warning = isSubscribed && !alarms.hasMail ? { message: alarmMessage('no-mail-yet') } : {};
      await sendPage(req, res, subscriptionPage, { notice: { ok: true, title, ...warning } });
    } catch (error) {
      if (!wantsPage(req)) throw error;
      const { error: title, message } = failureOnPage(res, error);
      await sendPage(req, res, subscriptionPage, { notice: { ok: false, title, message } });
    }
  });
  router.on('POST /account/alarms/test', async (req, res) => {
    const { userId } = userOf(req);
    const result = await alarms.testOwn(userId, { cartID, by: callerActor(req) });
    if (!wantsPage(req)) return void res.json(result);
    const notice = testNotice(result, subscriptions.of(userId).address);
    await sendPage(req, res, subscriptionPage, { notice });
  });
  router.on('POST /alarms/test', async (req, res) => {
    const target = targetOf(req.body);
    const result = await alarms.test(target, { cartID, by: callerActor(req) });
    if (!wantsPage(req)) return void res.json(result);
    await sendPage(req, res, channelsPage, { notice: testNotice(result, targetName(target)) });
  });
  return router;
}

function testNotice(result: TestResult, target: string): Notice {
  if (result.ok) {
    const message = alarmMessage('sent-in', { target, ms: result.ms });
    return { ok: true, title: alarmMessage('sent'), message };
  }
  const { reason } = result;
  const message = target === '' ? reason : alarmMessage('test-failed', { target, reason });
  return { ok: false, title: alarmMessage('not-sent'), message };
}

/** A form sends a single ticked checkbox as a string, and sends no field if no checkbox is ticked. */
function inputOf(req: Request): unknown {
  const { body } = req;
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(body)) return body;
  const { kinds = [] } = body;
  return { ...body, kinds: [kinds].flat() };
}

function targetOf({ channel, target }: Record<string, unknown>): Target {
  const known = CHANNELS.find((name) => name === channel);
  if (known && typeof target === 'string') return { channel: known, target };
  throw new GatewayError(
    'INVALID_INPUT',
    `channel must be one of ${CHANNELS.join(', ')}, and target must be a string`,
    {
      field: known ? 'target' : 'channel',
    },
  );
}
