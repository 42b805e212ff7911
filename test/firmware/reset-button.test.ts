import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FAULTS, type FrameOf } from '../../src/carts/serial/codec/codec.js';
import { Host } from '../unit/simulator/host.js';
import { buildHost, ControllerScript, type HostEvent, hasCompiler } from './host.js';

let program = '';
let dispose = () => {};
test.before(() => {
  ({ program, dispose } = buildHost());
});
test.after(() => dispose());

type Status = FrameOf<'STATUS'>;
/** `estop` and `reset`: 1 = the button is pressed. `frame` sends ESTOP. Numbers are pauses in ms. */
type Step = 'estop 1' | 'estop 0' | 'reset 1' | 'reset 0' | 'frame' | number;

const ESTOP = { type: 'ESTOP', source: 1 } as const;

const statuses = (events: HostEvent[]): Status[] =>
  events.flatMap((one) => (one.kind === 'frame' && one.frame.type === 'STATUS' ? [one.frame as Status] : []));

function firmwareStatus(steps: readonly Step[]): Status | undefined {
  const script = new ControllerScript(program).ready();
  for (const step of steps) {
    if (typeof step === 'number') script.heartbeats(step);
    else if (step === 'frame') script.send(ESTOP);
    else if (step.startsWith('estop')) script.step('estop', step === 'estop 1' ? 0 : 1);
    else script.step('reset', step === 'reset 1' ? 1 : 0);
  }
  return statuses(script.heartbeats(600).run()).at(-1);
}

function simulatedStatus(steps: readonly Step[]): Status | undefined {
  const host = new Host().ready();
  for (const step of steps) {
    if (typeof step === 'number') host.heartbeatFor(step);
    else if (step === 'frame') host.send(ESTOP);
    else if (step === 'estop 1') host.controller.pressEstop();
    else if (step === 'estop 0') host.controller.releaseEstop();
    else host.controller.holdReset(step === 'reset 1');
  }
  host.heartbeatFor(600);
  return host.last('STATUS');
}

const PRESSED: Step[] = ['estop 1', 50, 'estop 0', 50];
const CASES: readonly [name: string, steps: Step[], isReset: boolean][] = [
  ['a glitch of 1 ms', [...PRESSED, 'reset 1', 1, 'reset 0'], false],
  ['a glitch of 49 ms', [...PRESSED, 'reset 1', 49, 'reset 0'], false],
  ['a press of 90 ms', [...PRESSED, 'reset 1', 90, 'reset 0'], false],
  ['a press of 110 ms', [...PRESSED, 'reset 1', 110, 'reset 0'], true],
  ['a press of 3 s', [...PRESSED, 'reset 1', 3000, 'reset 0'], true],
  ['a button that is held down', [...PRESSED, 'reset 1', 3000], false],
  [
    'a press that is interrupted after 80 ms',
    [...PRESSED, 'reset 1', 80, 'reset 0', 1, 'reset 1', 80, 'reset 0'],
    false,
  ],
  ['a press that began before the stop', ['reset 1', 200, ...PRESSED, 200, 'reset 0'], false],
  [
    'a press while the E-stop button is pressed',
    ['estop 1', 50, 'reset 1', 200, 'reset 0', 50, 'estop 0'],
    false,
  ],
  [
    'a press that began while the E-stop button was pressed',
    ['estop 1', 50, 'reset 1', 50, 'estop 0', 300, 'reset 0'],
    false,
  ],
  [
    'a press during which the E-stop button is pressed',
    [...PRESSED, 'reset 1', 50, ...PRESSED, 200, 'reset 0'],
    false,
  ],
  [
    'a press during which an ESTOP frame arrives',
    [...PRESSED, 'reset 1', 50, 'frame', 200, 'reset 0'],
    false,
  ],
  [
    'a second press after a new stop',
    [...PRESSED, 'reset 1', 50, 'frame', 200, 'reset 0', 50, 'reset 1', 150, 'reset 0'],
    true,
  ],
];

for (const [name, steps, isReset] of CASES) {
  // Fault case 59
  test(`${name} ${isReset ? 'resets' : 'does not reset'} the E-stop of the firmware or of the simulated controller`, () => {
    for (const status of [firmwareStatus(steps), simulatedStatus(steps)]) {
      assert.equal(status?.state, isReset ? 'IDLE' : 'ESTOP');
    }
  });
}

test('a button that is pressed at startup resets the E-stop only after it has been released and pressed again', () => {
  const stuck = new ControllerScript(program).step('reset', 1).ready().send(ESTOP).heartbeats(500);
  assert.equal(statuses(stuck.step('reset', 0).heartbeats(600).run()).at(-1)?.state, 'ESTOP');
  stuck.step('reset', 1).heartbeats(200).step('reset', 0).heartbeats(600);
  assert.equal(statuses(stuck.run()).at(-1)?.state, 'IDLE');
});

// Fault case 59
test('two glitches on the reset input do not reset the E-stop when the main loop misses the pause between them', () => {
  const script = new ControllerScript(program).ready().send(ESTOP).heartbeats(100);
  const events = script
    .step('loop', 110)
    .step('reset', 1)
    .heartbeats(220)
    .step('reset', 0)
    .heartbeats(1000)
    .run();
  assert.equal(statuses(events).at(-1)?.state, 'ESTOP');
});

// Fault case 60
test('STATUS frames report an open E-stop input until the reset, even during a stop caused by a frame', () => {
  for (const statusOf of [firmwareStatus, simulatedStatus]) {
    const isByInput = (...steps: Step[]) => ((statusOf(steps)?.faults ?? 0) & FAULTS.estopInput) !== 0;
    assert.equal(isByInput('frame', 50), false, statusOf.name);
    assert.equal(isByInput(...PRESSED), true, statusOf.name);
    assert.equal(isByInput('frame', 50, ...PRESSED), true, statusOf.name);
    assert.equal(isByInput(...PRESSED, 'frame', 50), true, statusOf.name);
    assert.equal(isByInput(...PRESSED, 'reset 1', 150, 'reset 0'), false, statusOf.name);
    assert.equal(isByInput(...PRESSED, 'reset 1', 150, 'reset 0', 50, 'frame'), false, statusOf.name);
  }
});

if (hasCompiler()) test.run();
else process.stdout.write('SKIPPED test/firmware/reset-button.test.ts: g++ is not installed\n');
