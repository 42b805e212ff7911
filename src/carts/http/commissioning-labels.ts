import { momentText } from '../../i18n/format.js';
import { principalName } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { type Results, STEPS, type Step, type StepResult } from '../commissioning/commissioning.js';

/** What a step of the commissioning says to who does it. */
interface StepTexts {
  title: string;
  what: readonly string[];
  /** The button that does the real thing; none where a person only looks. */
  button?: string;
  question: string;
  yes: string;
  no: string;
}

/** Numbers that the words need, from the settings. */
export interface StepFacts {
  /** How far `forward` drives and how far `turn` turns, in words; empty when the units are too coarse for it. */
  distance: string;
  turn: string;
  longest: string;
  topSpeed: string;
  /** The controller stops by itself after this much silence. */
  timeoutMs: number;
}

/** The words of a step. */
export function stepTexts(step: Step, facts: StepFacts): StepTexts {
  return WORDS[step](facts);
}

const WORDS: Readonly<Record<Step, (facts: StepFacts) => StepTexts>> = {
  wheels: () => ({
    title: t`Wheels off the ground`,
    what: [
      t`Put the cart on blocks, so that no driven wheel touches the ground. Keep hands, hair and cables away from them.`,
      t`The next steps turn the wheels. Stay beside the emergency-stop button.`,
    ],
    question: t`Does every driven wheel turn freely?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  forward: ({ distance }) => ({
    title: t`Forward is forward`,
    what: [
      t`The wheels turn forward for ${distance || t('a little')}. When a wheel turns the wrong way, swap the wires of its motor.`,
    ],
    button: t`Drive ${distance} forward`,
    question: t`Did all driven wheels turn forward?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  turn: ({ turn }) => ({
    title: t`Left is left`,
    what: [
      t`The cart turns ${turn || t('a little')} to the left. When it turns to the right, the motors are swapped.`,
    ],
    button: t`Turn ${turn} left`,
    question: t`Did it turn to the left: the right wheel forward, the left one back?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  limits: ({ longest, topSpeed }) => ({
    title: t`Limits`,
    what: [
      t`One command drives at most ${longest}, at most ${topSpeed}. For the first days both should be low: they are in the settings.`,
      t`This asks for one step more than is allowed. It must be refused, and nothing must move.`,
    ],
    button: t`Ask for too much`,
    question: t`Are these limits right for this cart, and did nothing move?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  estop: () => ({
    title: t`Emergency-stop button`,
    what: [
      t`Press the button on the cart. When the page has seen it, release the button, and reset the stop on the cart or with Reset at the top.`,
    ],
    button: t`I stand beside the button`,
    question: t`Did the button take the power off the motors, by wire?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  deadman: ({ timeoutMs }) => ({
    title: t`It stops by itself`,
    what: [
      t`The wheels turn slowly. Pull the plug of the serial line while they do: the controller must stop them by itself within ${timeoutMs} ms. Then put the plug back.`,
    ],
    button: t`Start, and then pull the plug`,
    question: t`Did the wheels stop by themselves, within ${timeoutMs} ms and the braking?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  camera: () => ({
    title: t`Camera`,
    what: [t`Move a hand in front of the camera.`],
    question: t`Do you see it move in the picture, the right way up?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
  broker: () => ({
    title: t`MQTT broker`,
    what: [t`Other carts and programs are reached through the broker. Driving this cart does not need it.`],
    button: t`Look at the connection`,
    question: t`Is this the broker that you mean?`,
    ...{ yes: t`Yes`, no: t`No` },
  }),
};

/** `Passed by Anna, 4 May 2026, 14:02:11`; empty when a step was not tried. */
export function resultText(result: StepResult | undefined): string {
  if (!result) return '';
  const { outcome, by, at } = result;
  const who = principalName(by);
  const when = momentText(at);
  if (outcome === 'passed') return t`Passed by ${who}, ${when}`;
  return outcome === 'failed' ? t`Failed by ${who}, ${when}` : t`Skipped by ${who}, ${when}`;
}

/** How far the commissioning is, in a sentence. */
export function tourSentence(results: Results): string {
  const by = (outcome: string): Step[] => STEPS.filter((step) => results[step]?.outcome === outcome);
  const [passed, failed, skipped] = [by('passed'), by('failed'), by('skipped')];
  const tried = passed.length + failed.length + skipped.length;
  if (tried === 0) return t`This cart has not been commissioned yet.`;
  const newest = Math.max(...STEPS.map((step) => results[step]?.at ?? 0));
  const parts = [t`${passed.length} of ${STEPS.length} steps passed`];
  if (failed.length > 0) parts.push(t`failed: ${failed.map(stepTitle).join(', ')}`);
  if (skipped.length > 0) parts.push(t`skipped: ${skipped.map(stepTitle).join(', ')}`);
  if (tried < STEPS.length) parts.push(t`${STEPS.length - tried} not tried yet`);
  return t`${parts.join('; ')}. Last change ${momentText(newest)}.`;
}

const NO_FACTS: StepFacts = { distance: '', turn: '', longest: '', topSpeed: '', timeoutMs: 0 };

/** A step as it is called in a list. */
export function stepTitle(step: Step): string {
  return stepTexts(step, NO_FACTS).title;
}
