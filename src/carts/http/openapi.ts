import * as t from '../../http/openapi/schema-helpers.js';
import { cartIdSchema, commandRequestSchema } from '../command/request-schema.js';
import { STEP_OUTCOMES, STEPS, type StepResult } from '../commissioning/commissioning.js';
import { FOOTPRINT_FIELDS } from '../commissioning/footprint.js';
import { COMMAND_SCHEMAS, estopSchema } from './openapi-schemas.js';

const CONTROL = { scopes: ['cart:control'] };
const see = t.access({ need: 'session', ...CONTROL });
const read = t.access({ need: 'session', scopes: ['cart:read', 'cart:control'] });
const move = t.access({ need: 'operator', ...CONTROL });
/** Every user is allowed to stop carts; a stop is executed before the request body is validated. */
const stop = t.access({ need: 'session', ...CONTROL, stopToken: true });

const oneCart = t.open([], { cartID: cartIdSchema });
const stopped = (value: t.Schema) => t.json(t.success({ stopped: value, carts: t.refs('StoppedCart') }));
const unconfirmed = (description: string) => ({ description, ...t.jsonOf('StopFailure') });

const malformed = {
  description: 'The request is malformed; `carts` lists the carts that were stopped anyway',
  content: t.jsonOrPage(t.ref('StopFailure')).content,
};

const STOP = {
  redirect: t.BACK,
  headers: {
    'X-Stop-Token': {
      description:
        'The `stopToken` from the first `/events` snapshot or the first `/drive` state. The token replaces an expired session in requests that accept JSON. The token is valid while that stream is open and for 10 minutes afterwards, unless a logout, a revocation or a password change ends it. A 401 response to a request with a valid token has the `X-Stop-Token-Expires-In` header, in seconds.',
    },
  },
  answers: {
    207: unconfirmed('Only some of the carts confirmed the stop within 1 s'),
    503: unconfirmed('No cart confirmed the stop within 1 s'),
    400: malformed,
    404: malformed,
    413: malformed,
    415: malformed,
  },
  fails: [400, 404, 504],
} as const;
const STOP_ALL = {
  ...STOP,
  description:
    'If the body is malformed, every cart is stopped, and the response contains the error and the list of carts.',
  body: t.optionalBody(oneCart),
  ok: stopped({ anyOf: [cartIdSchema, { const: 'all' }] }),
};
const ESTOP = {
  ...STOP_ALL,
  body: t.optionalBody(
    t.open([], {
      cartID: cartIdSchema,
      pressId: {
        description:
          'ID of the button press, at most 64 characters. The history records a press once, regardless of how often it is sent. An invalid ID is ignored.',
      },
    }),
  ),
};
const endedBadly = { description: 'The command failed', ...t.jsonOf('FailedCommand') };

const commandChapter = {
  name: 'Carts',
  description: 'Send commands to carts, stop them, and read their state.',
  schemas: COMMAND_SCHEMAS,
  path: { cartID: cartIdSchema },
};
export const commandApi = t.api(commandChapter, {
  'GET /': see('Shows the Drive page', {
    query: { cart: { ...cartIdSchema, description: 'The selected cart; every page accepts this parameter' } },
    ok: t.page,
  }),
  'GET /fleet': read('Lists the carts, those with the most severe state first', {
    ok: t.jsonOrPage(t.ref('Fleet')),
  }),
  'POST /': move('Sends a command to a cart', {
    description:
      'Whole numbers can be sent as strings. If the request has no `Accept: application/json` header, the response is the Drive page. Requests with the same `commandId` and content are treated as a single command.',
    query: {
      wait: {
        ...t.oneOf(['accept', 'ack', 'done']),
        default: 'ack',
        description: 'Stage that the command must reach before the gateway responds',
      },
    },
    headers: { 'Idempotency-Key': { description: 'A UUID that can be sent in place of `commandId`' } },
    body: { ...t.formBody(commandRequestSchema, { cartID: 1, distanceID: 500, angleID: 0 }), mayStop: true },
    ok: t.jsonOrPage(t.ref('Command')),
    pageFirst: true,
    answers: Object.fromEntries([400, 403, 404, 409, 429, 500, 503, 504].map((at) => [at, endedBadly])),
    fails: [404, 409, 429, 504],
  }),
  'GET /carts': read('Lists all carts', { ok: t.jsonListOf('Cart') }),
  'GET /carts/:cartID': read('Returns a cart', { ok: t.jsonOf('Cart') }),
  'GET /commands': read('Lists the last 100 commands, newest first', { ok: t.jsonListOf('Command') }),
  'GET /commands/:commandId': read('Returns a command from the last 10 minutes', { ok: t.jsonOf('Command') }),
  'POST /carts/:cartID/stop': stop('Stops a cart', {
    ...STOP,
    description: 'The cart is stopped before the rest of the request is checked.',
    body: t.optionalBody(t.open([], { kind: { ...t.oneOf(['stop', 'halt']), default: 'stop' } })),
    ok: stopped(cartIdSchema),
  }),
  'POST /carts/:cartID/duplicate/clear': move('Confirms that only one gateway uses the cart number', {
    description:
      'A cart cannot move while two gateways use its number. The response is 409 until the other gateway has been silent for 10 s. The conflict must be confirmed on each gateway that reports it.',
    body: t.optionalBody(t.open([], {})),
    ok: t.json(t.success({ cartID: cartIdSchema })),
    redirect: t.BACK,
    fails: [404, 409],
  }),
  'POST /stop': stop('Stops one cart or all carts without latching the stop', STOP_ALL),
  'POST /stop/mine': stop('Stops all carts that the caller is moving, and also the cart `cartID` if given', {
    ...STOP,
    description:
      'A cart counts as moved by the caller if it is executing a command that the same user or API key sent through this gateway.',
    body: t.optionalBody(oneCart, { cartID: 2 }),
    ok: stopped(t.listOf(cartIdSchema)),
  }),
  'POST /estop': stop('Stops one cart or all carts and latches the stop (Stop all on the pages)', ESTOP),
  'POST /estop/reset': move("Resets the latched stop of one cart (default: this gateway's cart)", {
    body: t.optionalBody(
      t.open([], {
        cartID: cartIdSchema,
        stoppedAt: {
          ...t.text,
          description:
            '`stoppedAt` of the stop that the user saw; the reset is rejected if there has been a later stop',
        },
      }),
      { cartID: 1 },
    ),
    ok: t.json(t.success({ cartID: cartIdSchema, emergencyStop: estopSchema })),
    redirect: t.BACK,
    fails: [400, 404, 409, 504],
  }),
});

const MESSAGES = 'The messages are described in `/asyncapi.json`.';

const eventsChapter = { name: 'Live', description: 'Live events and manual drive.' };
export const eventsApi = t.api(eventsChapter, {
  'GET /events': read('Returns a stream of server-sent events', {
    description: MESSAGES,
    query: { cart: { ...cartIdSchema, description: 'Cart to include in addition to the first 50 carts' } },
    ok: { content: t.contentOf(['text/event-stream'], t.text) },
  }),
  // API keys are rejected, because manual drive is for people only. Every user can see the current driver.
  'GET /drive': t.user('Opens the WebSocket for manual drive; rejects API keys', {
    description: MESSAGES,
    answers: { 101: {} },
    fails: [426],
  }),
});

const stepResults = t.mapOf(t.ref('StepResult'));

const commissioningChapter = {
  name: 'System',
  schemas: {
    StepResult: t.record<StepResult>({
      outcome: t.oneOf(STEP_OUTCOMES),
      ...t.each(t.text, 'note', 'by'),
      at: t.since1970,
    }),
    BrakeTest: t.exact(
      {
        ...t.each(t.whole, 'speedMmps', 'distanceMm'),
        ...t.each(t.text, 'load', 'by'),
        at: t.since1970,
        brakingMmps2: {
          ...t.orNull(t.number),
          description:
            'Deceleration after the reaction time; `null` if the cart stopped within the reaction time',
        },
      },
      { withdrawn: t.exact({ by: t.text, at: t.since1970 }) },
    ),
  },
};
export const commissioningApi = t.api(commissioningChapter, {
  'GET /commissioning': t.operator('Returns the commissioning steps and their results', {
    query: { step: { ...t.oneOf(STEPS), description: 'The step to show' } },
    ok: t.jsonOrPage(
      t.exact({ steps: t.listOf(t.oneOf(STEPS)), results: stepResults, brakeTests: t.refs('BrakeTest') }),
    ),
  }),
  'POST /commissioning': t.operator('Records the result of a commissioning step', {
    body: t.formBody(
      t.open(['step'], {
        step: { ...t.oneOf([...STEPS, 'rest']), description: '`rest` skips all remaining steps' },
        outcome: t.oneOf(STEP_OUTCOMES),
        note: { ...t.text, maxLength: 300 },
        speedMmps: {
          ...t.whole,
          unit: 'mm/s',
          description:
            'For a passed brake test: speed when the stop was requested, at least half of the speed limit',
        },
        distanceMm: { ...t.between(1, 20_000), unit: 'mm', description: 'For a passed brake test' },
        ...t.each(
          {
            ...t.between(1, 5000),
            unit: 'mm',
            description:
              'For the passed step `footprint`: distance from the middle of the drive axle. Sets `kinematics.footprint`',
          },
          ...FOOTPRINT_FIELDS,
        ),
        load: { ...t.text, maxLength: 100, description: 'For a passed brake test: what the cart carried' },
      }),
      { step: 'wheels', outcome: 'passed', note: '' },
      4,
    ),
    ok: t.json(t.success({ results: stepResults })),
    redirect: 'Browsers are redirected to the next step',
    fails: [409],
  }),
  'POST /commissioning/brake-tests/withdraw': t.admin('Declares a brake test wrong', {
    body: t.formBody(t.open(['at'], { at: t.since1970 }), { at: 1777889002000 }, 4),
    ok: t.done,
    redirect: t.BACK,
    fails: [404],
  }),
});

export const wallsSchema = {
  ...t.listOf(t.exact(t.each(t.mm, 'x1', 'y1', 'x2', 'y2'))),
  maxItems: 50,
  description: 'For `walls`: the walls that the sensors detect and the camera sees',
};

const marker = t.exact({
  id: { type: 'integer', minimum: 0, maximum: 586, description: 'Number in the tag36h11 family' },
  sizeMm: { ...t.mm, minimum: 10, maximum: 2000, description: 'Side of the black square' },
  ...t.each(t.mm, 'xMm', 'yMm'),
  headingDeg: { ...t.deg, description: "Direction of the marker's normal" },
});

export const markersSchema = {
  ...t.listOf(marker),
  maxItems: 100,
  description: 'For `markers`: the markers that the camera sees; by default, the registered markers',
};

const snapshot = t.open(['x', 'y', 'heading', 'speed', 'state', 'estop', 'faults'], {
  ...t.each(t.mm, 'x', 'y'),
  heading: t.deg,
  speed: t.mmps,
  state: t.text,
  faults: t.listOf(t.text),
  estop: t.open(['pressed', 'latched'], t.each(t.flag, 'pressed', 'latched')),
  markers: { ...t.listOf(marker), description: 'The markers that the simulated camera sees' },
  verbs: { ...t.listOf(t.text), description: 'The faults that can be injected' },
});

const simulatorChapter = {
  name: 'Simulator',
  description: 'Available only while the controller is simulated.',
};
export const simulatorApi = t.api(simulatorChapter, {
  'GET /simulator': move('Returns the true state of the simulated cart', {
    ok: t.json(snapshot),
    fails: [404],
  }),
  'POST /simulator': move(
    "Operates the simulated cart's E-stop button and serial connector, places walls and markers, and injects faults",
    {
      body: t.formBody(
        t.open(['action'], {
          action: {
            ...t.text,
            description: '`button`, `plug`, `reset-here`, `walls`, `markers`, or a value from `verbs`',
          },
          on: { anyOf: [t.flag, t.oneOf(['true', 'false'])] },
          argument: t.orNull({ anyOf: [t.number, t.text] }),
          walls: wallsSchema,
          markers: markersSchema,
        }),
        { action: 'button', on: true },
        8,
      ),
      ok: t.json(snapshot),
      fails: [404, 409, 504],
    },
  ),
});
