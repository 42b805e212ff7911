import {
  type BrakeTest,
  brakingMmps2,
  type CommissioningStep,
  type Results,
  STEPS,
  type StepResult,
} from '../../carts/index.js';
import { momentText, type StatusText } from '../../i18n/format.js';
import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';

interface StepTexts {
  title: string;
  what: readonly string[];
  button?: string;
  question: string;
  yes: string;
  no: string;
}

export interface StepFacts {
  /** Distance of step `forward` and angle of step `turn`; empty if the configured units allow none. */
  distance: string;
  turn: string;
  longest: string;
  topSpeed: string;
  /** If the controller receives no message for this long, it stops the cart. */
  timeoutMs: number;
}

export function stepTexts(step: CommissioningStep, facts: StepFacts): StepTexts {
  return TEXTS[step](facts);
}

const TEXTS: Readonly<Record<CommissioningStep, (facts: StepFacts) => StepTexts>> = {
  wheels: () => ({
    title: t('Wheels off the ground'),
    what: [
      t(
        'Put the cart on blocks so that no driven wheel touches the ground. Keep hands, hair and cables away from the wheels.',
      ),
      t('The next steps turn the wheels. Stay next to the E-stop button.'),
    ],
    question: t('Does every driven wheel turn freely?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  forward: ({ distance }) => ({
    title: t('Forward direction'),
    what: [
      t(
        'The wheels turn forward by {0}. If a wheel turns in the wrong direction, swap the wires to its motor.',
        distance || t('a small amount'),
      ),
    ],
    button: t('Drive {0} forward', distance),
    question: t('Did all driven wheels turn forward?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  turn: ({ turn }) => ({
    title: t('Turning direction'),
    what: [
      t(
        'The cart turns {0} to the left. If the cart turns to the right, the two motors are connected the wrong way round.',
        turn || t('a small amount'),
      ),
    ],
    button: t('Turn {0} left', turn),
    question: t(
      'Did the cart turn to the left, with the right wheel turning forward and the left wheel backward?',
    ),
    yes: t('Yes'),
    no: t('No'),
  }),
  limits: ({ longest, topSpeed }) => ({
    title: t('Limits'),
    what: [
      t(
        'One command drives the cart at most {0}, at a speed of up to {1}. Keep both limits low for the first few days; you can change them in the settings.',
        longest,
        topSpeed,
      ),
      t(
        'This step sends a command that slightly exceeds the distance limit. The gateway must reject the command, and the wheels must not turn.',
      ),
    ],
    button: t('Exceed the limit'),
    question: t('Are these limits right for this cart, and did the wheels stay still?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  estop: () => ({
    title: t('E-stop button'),
    what: [
      t(
        'Press the button on the cart. When this page detects the E-stop, release the button, then press the reset button on the cart or hold Reset at the top of the page.',
      ),
    ],
    button: t('Start the test'),
    question: t('Did the button cut the power to the motors directly, without the gateway?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  deadman: ({ timeoutMs }) => ({
    title: t('Watchdog stop'),
    what: [
      t(
        'The wheels turn slowly. While they turn, unplug the serial cable: the controller must start to brake by itself within {0} ms. Then plug the cable back in.',
        timeoutMs,
      ),
    ],
    button: t('Start, then unplug the cable'),
    question: t('Did the wheels start to brake by themselves within {0} ms, and then stop?', timeoutMs),
    yes: t('Yes'),
    no: t('No'),
  }),
  camera: () => ({
    title: t('Camera'),
    what: [t('Wave your hand in front of the camera.')],
    question: t('Do you see your hand move, and is the image the right way up?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  broker: () => ({
    title: t('MQTT server'),
    what: [
      t(
        'The MQTT server connects this cart to other carts and programs. You can drive this cart without it.',
      ),
    ],
    button: t('Check the connection'),
    question: t('Is this the correct MQTT server?'),
    yes: t('Yes'),
    no: t('No'),
  }),
  footprint: () => ({
    title: t('Footprint'),
    what: [
      t(
        'Measure the outline of the cart and its load, seen from above: the distance of each side from the middle of the drive axle, halfway between the driven wheels. For a cart that is not a rectangle, enter the corners in the settings.',
      ),
    ],
    question: t('Does the drawing match the cart?'),
    yes: t('Save the footprint'),
    no: t('No'),
  }),
  brake: () => ({
    title: t('Brake test'),
    what: [
      t(
        'Put the cart on the floor, with its heaviest load. Clear the way, and make a mark on the floor. On the Drive page, drive towards the mark at full speed, and press Stop when the front of the cart reaches the mark. Then measure the distance from the mark to the front.',
      ),
      t(
        'Near zones, the gateway assumes that the cart brakes no better than in the worst test. Repeat the test with other loads and on the most slippery floor.',
      ),
    ],
    question: t('How far did the cart roll?'),
    yes: t('Save the measurement'),
    no: t('The cart did not stop'),
  }),
};

/** Returns texts such as `320 mm from 500 mm/s, 80 kg` and who measured it. */
export function brakeTestTexts(test: BrakeTest): { measured: string; about: string } {
  const { speedMmps, distanceMm, load, by, at, withdrawn } = test;
  const braking = brakingMmps2(test);
  const distance = t('{0} mm from {1} mm/s', distanceMm, speedMmps);
  const about = [
    ...(Number.isFinite(braking) ? [t('Deceleration {0} mm/s².', Math.round(braking))] : []),
    t('Measured by {0} on {1}.', actorLabel(by), momentText(at)),
    ...(withdrawn ? [t('Withdrawn by {0} on {1}.', actorLabel(withdrawn.by), momentText(withdrawn.at))] : []),
  ];
  return { measured: load === '' ? distance : `${distance}, ${load}`, about: about.join(' ') };
}

/** Returns a text such as `Passed by Anna, 4 May 2026, 14:02:11`; empty if the step has no result. */
export function resultText(result: StepResult | undefined): string {
  if (!result) return '';
  const { outcome, by, at } = result;
  const who = actorLabel(by);
  const when = momentText(at);
  if (outcome === 'passed') return t('Passed, confirmed by {0} on {1}', who, when);
  return outcome === 'failed'
    ? t('Failed, reported by {0} on {1}', who, when)
    : t('Skipped by {0} on {1}', who, when);
}

export function commissioningSummary(results: Results): string {
  const by = (outcome: string): CommissioningStep[] =>
    STEPS.filter((step) => results[step]?.outcome === outcome);
  const [passed, failed, skipped] = [by('passed'), by('failed'), by('skipped')];
  const tried = passed.length + failed.length + skipped.length;
  if (tried === 0) return t('This cart has not been commissioned yet.');
  const newest = Math.max(...STEPS.map((step) => results[step]?.at ?? 0));
  const parts = [t('{0} of {1} steps passed', passed.length, STEPS.length)];
  if (failed.length > 0) parts.push(t('failed: {0}', failed.map(stepTitle).join(', ')));
  if (skipped.length > 0) parts.push(t('skipped: {0}', skipped.map(stepTitle).join(', ')));
  if (tried < STEPS.length) parts.push(t('{0} not done yet', STEPS.length - tried));
  return t('{0}. Last change: {1}.', parts.join('; '), momentText(newest));
}

/** Returns undefined if steps have not been done yet, because incomplete commissioning is not a fault. */
export function commissioningState(results: Results): StatusText | undefined {
  const outcomes = STEPS.map((step) => results[step]?.outcome);
  if (outcomes.includes('failed')) return { tone: 'warn', text: t('A step failed') };
  if (outcomes.includes(undefined)) return undefined;
  return {
    tone: 'quiet',
    text: outcomes.includes('skipped') ? t('Passed, with skipped steps') : t('Passed'),
  };
}

const NO_FACTS: StepFacts = { distance: '', turn: '', longest: '', topSpeed: '', timeoutMs: 0 };

export function stepTitle(step: CommissioningStep): string {
  return stepTexts(step, NO_FACTS).title;
}
