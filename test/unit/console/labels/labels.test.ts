import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { CartView, CommandView, SafetyView } from '../../../../src/carts/command/model.js';
import { cartFaultText } from '../../../../src/carts/faults/fault-names.js';
import { cartFaultMessage } from '../../../../src/carts/faults/messages.js';
import { fleetRow } from '../../../../src/carts/fleet/fleet-rows.js';
import { cartMessage } from '../../../../src/carts/messages.js';
import { safetyMessage, stopCause } from '../../../../src/carts/safety/messages.js';
import { FAULTS } from '../../../../src/carts/serial/codec/codec.js';
import { roboclawStatus } from '../../../../src/carts/serial/codec/roboclaw.js';
import { cartRow } from '../../../../src/console/labels/cart-rows.js';
import { commandRow, shownCommand } from '../../../../src/console/labels/command-rows.js';
import { estopHeading, estopNext } from '../../../../src/console/labels/fleet-labels.js';
import {
  commandText,
  freshness,
  safetySentence,
  safetyTone,
  staleSentence,
  stoppedSentence,
  turn,
} from '../../../../src/console/labels/labels.js';
import { ageText, lowerFirst, metres } from '../../../../src/i18n/format.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { translated } from '../../../../src/i18n/messages.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { cart, command, LATCHED, SAFE } from '../../app/api/samples.js';

const TELEMETRY = {
  state: 'RUNNING',
  faults: [],
  progressMm: 1200,
  odoLeftMm: 0,
  odoRightMm: 0,
  speedMmps: 300,
  omegaDdegps: 0,
  batteryMv: null,
  batteryCa: null,
  soc: null,
  tempBoardC: null,
  tempM1C: null,
  tempM2C: null,
} as const;

const moving = cart(1, { moving: true, commandId: 'c-1', telemetry: { ...TELEMETRY, faults: [] } });

test('a stationary cart that is allowed to move is shown as ready', () => {
  assert.equal(safetySentence(cart(1)), 'Ready');
});

test("shows a moving cart's progress if the progress is known", () => {
  assert.equal(safetySentence(moving, command()), 'Moving: 1.20 m of 3.00 m');
  assert.equal(safetySentence(moving), 'Moving at 0.30 m/s');
  const turning = { ...moving, telemetry: { ...TELEMETRY, faults: [], progressMm: 0, speedMmps: 0 } };
  assert.equal(safetySentence(turning, command({ angleDeg: -90 })), 'Moving: turning 90° right');
});

test('a latched stop shows its source, time and next step, and takes precedence over other states', () => {
  const stopped = cart(1, { safety: LATCHED, online: false, moving: true });
  assert.match(
    safetySentence(stopped),
    /^Stopped by Anna at \d\d:\d\d:11: the E-stop button is still pressed$/,
  );
  assert.equal(safetyTone(stopped), 'stop');
  const free = { ...LATCHED, resetNeeds: '' };
  assert.match(
    safetySentence(cart(1, { safety: free })),
    /: make sure that the way is clear, then hold Reset$/,
  );
});

const ON_CART = {
  'the E-stop button': [
    safetyMessage('button'),
    'E-stop button pressed at TIME',
    'Noodstopknop ingedrukt om TIME',
  ],
  "the controller's input": [
    safetyMessage('at-controller'),
    'E-stop triggered by the E-stop on the cart (input of the motor controller) at TIME',
    'Noodstop geactiveerd door de noodstop op de kar (ingang van de motorcontroller) om TIME',
  ],
  'a chattering input': [
    safetyMessage('input-chatters'),
    'E-stop triggered by a chattering E-stop input (loose contact) at TIME',
    'Noodstop geactiveerd door een instabiele noodstopingang (los contact) om TIME',
  ],
  'an unknown cause on the cart': ['', 'E-stop active', 'Noodstop actief'],
} as const;

for (const [cause, [stoppedBy, english, dutch]] of Object.entries(ON_CART)) {
  test(`the status line names the E-stop when ${cause} stopped the cart`, () => {
    const stopped = cart(1, { safety: { ...LATCHED, emergencyStop: 'MANUAL', stoppedBy, resetNeeds: '' } });
    assert.equal(what(stopped), english);
    assert.equal(
      withLanguage('nl', () => what(stopped)),
      dutch,
    );
  });
}

const BY_SOFTWARE = {
  'a person': ['Anna', 'Stopped by Anna at TIME', 'Gestopt door Anna om TIME'],
  'an API key': ['key hall', 'Stopped by key hall at TIME', 'Gestopt door sleutel hall om TIME'],
  'an unknown source': ['', 'Stopped', 'Gestopt'],
} as const;

for (const [source, [stoppedBy, english, dutch]] of Object.entries(BY_SOFTWARE)) {
  test(`the status line does not mention the E-stop when ${source} stopped the cart over the network`, () => {
    const stopped = cart(1, { safety: { ...LATCHED, stoppedBy, resetNeeds: '' } });
    assert.equal(what(stopped), english);
    assert.equal(
      withLanguage('nl', () => what(stopped)),
      dutch,
    );
    assert.doesNotMatch(safetySentence(stopped), /E-stop/);
    assert.doesNotMatch(safetySentence(stopped, undefined, false), /E-stop/);
  });
}

/** The first part of the status line, without the time of day. */
function what(stopped: CartView): string {
  return safetySentence(stopped)
    .replace(/\d\d:\d\d:\d\d/, 'TIME')
    .replace(/: (?:make sure|zorg).*$/, '');
}

test('the Fleet page names the E-stop only for a stop at the cart', () => {
  const why = (safety: Partial<SafetyView>): string =>
    textOf(fleetRow(cart(1, { safety: { ...LATCHED, ...safety } })).why);
  assert.equal(
    why({ emergencyStop: 'MANUAL', stoppedBy: safetyMessage('button') }),
    'stopped by the E-stop button on the cart',
  );
  assert.equal(why({ emergencyStop: 'MANUAL', stoppedBy: '' }), 'the E-stop is active');
  assert.equal(why({ stoppedBy: '' }), 'a reset is required');
});

test('the heading names the person only when one press of Stop all stopped every cart', () => {
  const stopped = (cartID: number, changes: Partial<SafetyView> = {}): CartView =>
    cart(cartID, { safety: { ...LATCHED, pressId: 'p-1', ...changes } });
  const heading = (carts: CartView[], total = carts.length): string =>
    estopHeading(carts, total).replace(/\d\d:\d\d:\d\d/, 'TIME');
  assert.equal(heading([stopped(1), stopped(2)]), 'All carts stopped by Anna at TIME');
  assert.equal(heading([stopped(1), stopped(2)], 3), '2 carts stopped');
  assert.equal(heading([stopped(1), stopped(2, { pressId: 'p-2' })]), '2 carts stopped');
  assert.equal(heading([stopped(1), stopped(2, { emergencyStop: 'MANUAL' })]), '2 carts stopped');
  assert.equal(heading([cart(1, { safety: LATCHED }), cart(2, { safety: LATCHED })]), '2 carts stopped');
  assert.deepEqual([heading([stopped(1)]), heading([])], ['1 cart stopped', '']);
});

for (const [text, key] of [
  ['the emergency-stop button on the cart', 'button'],
  ['the emergency stop on the cart (input of the motor controller)', 'at-controller'],
  ['a chattering emergency-stop input (loose contact)', 'input-chatters'],
] as const) {
  test(`recognises the stop cause "${text}" that earlier versions recorded`, () => {
    assert.equal(stopCause(text), safetyMessage(key));
  });
}

test('a list of carts with a latched stop states the usual next step only once', () => {
  const free = cart(1, { safety: { ...LATCHED, resetNeeds: '' } });
  const pressed = cart(2, { safety: LATCHED });
  const sentences = [free, pressed].map((each) => [
    safetySentence(each),
    safetySentence(each, undefined, true, true),
  ]);
  const next = estopNext([free, pressed], true);
  assert.notEqual(next, '');
  assert.equal(`${sentences[0]?.[1]}: ${lowerFirst(next)}`, `${sentences[0]?.[0]}.`);
  assert.equal(sentences[1]?.[1], sentences[1]?.[0]);
  assert.deepEqual([estopNext([free], true), estopNext([pressed, pressed], true)], ['', '']);
});

test('the status line states why a cart is unreachable or must not move', () => {
  const gone = cart(2, { online: false, reason: 'Its connection broke' });
  assert.equal(safetySentence(gone), 'Not reachable: its connection broke');
  const blocked = cart(1, { safety: { ...SAFE, mayMove: false, reason: 'motor 1 is at 91 °C' } });
  assert.deepEqual(
    [safetySentence(blocked), safetyTone(blocked)],
    ['Cannot move: motor 1 is at 91 °C', 'warn'],
  );
});

test("the age limits of a cart's data depend on its report interval", () => {
  assert.equal(freshness(cart(1, { moving: true })).lockMs, 500);
  assert.equal(freshness(cart(2)).lockMs, 2500);
  assert.ok(
    freshness(cart(1)).lockMs >= 1000,
    'a standing cart reports every 500 ms, told up to 500 ms later',
  );
  assert.equal(staleSentence(1, 712), 'No update from cart 1 for 0.7 s');
  assert.equal(staleSentence(3, null), 'No data received from cart 3 yet');
});

test("describes a command's parts in order of execution", () => {
  assert.equal(commandText(command({ angleDeg: 90 })), 'turn 90° left, then 3.00 m forward');
  assert.equal(commandText(command({ distanceMm: -500 })), '0.50 m back');
  assert.equal(commandText(command({ distanceMm: 0, angleDeg: -12.5 })), 'turn 12.5° right');
  assert.equal(commandText(command({ distanceMm: 0 })), 'stop');
});

test('the duration of a command excludes the time before its start, except in the total in the last step', () => {
  const timeline = [
    { state: 'ACCEPTED', ms: 0, cause: '' },
    { state: 'RUNNING', ms: 5600, cause: '' },
    { state: 'FINISHED', ms: 8510, cause: '' },
  ] as const;
  const row = commandRow(command({ state: 'FINISHED', timeline: [...timeline] }));
  assert.match(row.line, / in 2\.9 s$/);
  assert.match(row.outcome, /: Finished.* in 2\.9 s$/);
  assert.deepEqual(
    row.steps.slice(0, 2).map(({ took }) => took),
    ['', '+5.6 s'],
  );
  assert.match(row.steps[2]?.took ?? '', /^\+2\.9 s .*8\.5 s/);
});

test("shows a cart's running command, with the number of commands that are queued behind it", () => {
  const at = (commandId: string, state: CommandView['state'], more: Partial<CommandView> = {}) =>
    command({ commandId, state, ...more });
  const stop = at('stop', 'ACCEPTED', { kind: 'stop' });
  for (const [commands, id, waiting] of [
    [[at('c', 'QUEUED'), at('b', 'QUEUED'), at('a', 'RUNNING')], 'a', 2],
    [[at('c', 'QUEUED'), at('b', 'ACCEPTED'), at('a', 'FINISHED')], 'b', 1],
    [[at('b', 'QUEUED'), at('a', 'SENT')], 'a', 1],
    [[stop, at('a', 'PAUSED')], 'a', 0],
    [[stop, at('a', 'CANCELLED')], 'stop', 0],
    [
      [at('b', 'CANCELLED'), at('a', 'CANCELLED', { timeline: [{ state: 'RUNNING', ms: 100, cause: '' }] })],
      'a',
      0,
    ],
    [[at('b', 'FAILED'), at('a', 'FINISHED')], 'b', 0],
  ] as const) {
    const shown = shownCommand(commands, command().cartID);
    assert.deepEqual([shown?.command.commandId, shown?.waiting], [id, waiting]);
  }
  assert.equal(shownCommand([at('a', 'RUNNING')], 99), undefined);
  assert.match(commandRow(at('a', 'RUNNING'), true, 2).outcome, /Running \+ 2 waiting$/);
});

test('shows how far an interrupted command moved the cart', () => {
  const ended = (changes: Partial<CommandView>) =>
    commandRow(
      command({
        state: 'CANCELLED',
        reason: { code: 'STOPPED', text: 'stopped by anna' },
        timeline: [{ state: 'CANCELLED', ms: 900, cause: '' }],
        ...changes,
      }),
    );
  const move = ended({ result: { distanceMm: 250, angleDeg: 0, estimated: false } });
  assert.match(move.line, /0\.25 m/);
  assert.equal(move.note, 'Stopped by anna. Movement: 0.25 m');
  const turned = ended({ angleDeg: 90, result: { distanceMm: 0, angleDeg: 45, estimated: false } });
  assert.match(turned.line, /45° left/);
  assert.doesNotMatch(ended({}).line, /0\.00 m/);
});

for (const [code, state] of [
  ['STOPPED', 'CANCELLED'],
  ['ESTOP_ACTIVE', 'FAILED'],
] as const) {
  test(`shows a move that ended with ${state} (${code}) as stopped, and shows who stopped it`, () => {
    const by =
      code === 'STOPPED'
        ? cartMessage('stopped-by', { by: 'Anna' })
        : safetyMessage('emergency-stop', { by: 'Anna' });
    const timeline = (['RUNNING', state] as const).map((each, at) => ({
      state: each,
      ms: at * 900,
      cause: '',
    }));
    const result = { distanceMm: 250, angleDeg: 0, estimated: false };
    const ended = command({ state, reason: { code, text: by }, timeline, result });
    const row = commandRow(ended);
    assert.match(row.line, /, stopped by Anna after 0\.25 m in 900 ms$/);
    assert.deepEqual([row.state, row.tone, row.steps.at(-1)?.label], ['stopped', 'warn', 'stopped']);
    const waiting = commandRow({ ...ended, timeline: [{ state: 'QUEUED', ms: 0, cause: '' }] });
    assert.notEqual(waiting.state, 'stopped');
  });
}

test('rounds numbers for display and never shows a negative zero', () => {
  assert.deepEqual(
    [metres(-3), metres(-1), metres(12_345), metres(-1500)],
    ['0.00 m', '0.00 m', '12.3 m', '−1.50 m'],
  );
  assert.deepEqual(
    [ageText(712), ageText(42_000), ageText(300_000), ageText(9_000_000)],
    ['0.7 s', '42 s', '5 min', '3 h'],
  );
  assert.equal(turn(0), '0°');
});

test('uses the same minus sign in every number', () => {
  const row = cartRow(cart(1, { pose: { xMm: -1500, yMm: -20, headingDeg: -90.4 } }));
  assert.deepEqual([row.heading.n, row.position.n], ['−90°', '−1.50, −0.02']);
  assert.equal(cartRow(cart(1, { pose: { xMm: 0, yMm: 0, headingDeg: -0.2 } })).heading.n, '0°');
});

test('shows the user who started a long move as the driver, even after the control lease ends', () => {
  const running = command({ commandId: 'c7' });
  const moving = cart(1, { moving: true, commandId: 'c7' });
  assert.equal(cartRow(moving, running).control, running.origin.principal);
  assert.equal(cartRow(cart(1, { moving: false, commandId: 'c7' }), running).control, 'no one');
});

test('a fault that both the gateway and the controller report is listed only once', () => {
  const faults = [{ path: 'carts/1', message: 'undervolt' }];
  const view = cart(1, { faults, telemetry: { ...TELEMETRY, faults: ['undervolt'] } });
  assert.deepEqual(cartRow(view).faults, ['Battery voltage too low']);
  assert.equal(fleetRow(view).why, cartFaultMessage('undervolt'));
  assert.deepEqual(
    withLanguage('nl', () => cartRow(view).faults),
    ['Accuspanning te laag'],
  );
});

test('every controller fault has a message in both languages', () => {
  const ones = [2, 4].map((bytes) => roboclawStatus(new Uint8Array(bytes).fill(255)));
  const names = [...Object.keys(FAULTS), ...ones.flatMap(({ errors, warnings }) => [...errors, ...warnings])];
  for (const name of names) {
    const english = cartFaultText(name);
    assert.notEqual(english, name);
    assert.notEqual(
      withLanguage('nl', () => translated(english)),
      english,
    );
  }
});

test('does not add the prefix "Stopped" to a message that states who stopped the cart', () => {
  const stopped = cartMessage('stopped-by', { by: 'piet' });
  assert.equal(stoppedSentence(stopped), 'Stopped by piet');
  assert.equal(
    stoppedSentence(safetyMessage('latched', { by: 'piet' })),
    'Stopped by piet: a reset is required',
  );
  assert.equal(stoppedSentence(safetyMessage('emergency-stop', { by: 'piet' })), 'Stopped by piet');
  assert.equal(stoppedSentence('the connection of piet ended'), 'Stopped: the connection of piet ended');
  assert.equal(
    withLanguage('nl', () => stoppedSentence(stopped)),
    'Gestopt door piet',
  );
  const latched = cart(1, {
    safety: { ...LATCHED, reason: 'stopped by Anna: a reset is required' },
  });
  assert.equal(textOf(fleetRow(latched).why), 'stopped by Anna');
});

test('adds the prefix "Stopped" to any other reason, even one that begins with the word "stopped"', () => {
  assert.equal(stoppedSentence('stopped trucks block the way'), 'Stopped: stopped trucks block the way');
});

test("shows the date of a command accepted on an earlier day, in the operator's language", () => {
  const now = new Date();
  const today = commandRow({ ...command(), acceptedAt: now.toISOString() });
  assert.match(today.time, /^\d\d:\d\d:\d\d$/);
  assert.doesNotMatch(today.outcome, /\d\d:\d\d:\d\d/);
  const may = { ...command(), acceptedAt: new Date(2020, 4, 3, 14, 2, 11).toISOString() };
  const english = commandRow(may);
  assert.equal(english.time, '3 May, 14:02:11');
  assert.ok(english.outcome.startsWith('3 May, 14:02:11: '), english.outcome);
  assert.equal(
    withLanguage('nl', () => commandRow(may).time),
    '3 mei, 14:02:11',
  );
});

test.run();
