import { type Results, STEPS, type Step, type StepResult } from '../ops/commissioning.js';
import { momentText } from './system-words.js';

/** What a step of the commissioning says to who does it. */
export interface StepWords {
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

const PASSED = 'Yes';
const FAILED = 'No';

/** The words of a step. */
export function stepWords(step: Step, facts: StepFacts): StepWords {
  return WORDS[step](facts);
}

const WORDS: Readonly<Record<Step, (facts: StepFacts) => StepWords>> = {
  wheels: () => ({
    title: 'Wheels off the ground',
    what: [
      'Put the cart on blocks, so that no driven wheel touches the ground. Keep hands, hair and cables away from them.',
      'The next steps turn the wheels. Stay beside the emergency-stop button.',
    ],
    question: 'Does every driven wheel turn freely?',
    ...{ yes: PASSED, no: FAILED },
  }),
  forward: ({ distance }) => ({
    title: 'Forward is forward',
    what: [
      `The wheels turn forward for ${distance || 'a little'}. When a wheel turns the wrong way, swap the wires of its motor.`,
    ],
    button: `Drive ${distance} forward`,
    question: 'Did all driven wheels turn forward?',
    ...{ yes: PASSED, no: FAILED },
  }),
  turn: ({ turn }) => ({
    title: 'Left is left',
    what: [
      `The cart turns ${turn || 'a little'} to the left. When it turns to the right, the motors are swapped.`,
    ],
    button: `Turn ${turn} left`,
    question: 'Did it turn to the left: the right wheel forward, the left one back?',
    ...{ yes: PASSED, no: FAILED },
  }),
  limits: ({ longest, topSpeed }) => ({
    title: 'Limits',
    what: [
      `One command drives at most ${longest}, at most ${topSpeed}. For the first days both should be low: they are in the settings.`,
      'This asks for one step more than is allowed. It must be refused, and nothing must move.',
    ],
    button: 'Ask for too much',
    question: 'Are these limits right for this cart, and did nothing move?',
    ...{ yes: PASSED, no: FAILED },
  }),
  estop: () => ({
    title: 'Emergency-stop button',
    what: [
      'Press the button on the cart. When the page has seen it, release the button, and reset the stop on the cart or with Reset at the top.',
    ],
    button: 'I stand beside the button',
    question: 'Did the button take the power off the motors, by wire?',
    ...{ yes: PASSED, no: FAILED },
  }),
  deadman: ({ timeoutMs }) => ({
    title: 'It stops by itself',
    what: [
      `The wheels turn slowly. Pull the plug of the serial line while they do: the controller must stop them by itself within ${timeoutMs} ms. Then put the plug back.`,
    ],
    button: 'Start, and then pull the plug',
    question: `Did the wheels stop by themselves, within ${timeoutMs} ms and the braking?`,
    ...{ yes: PASSED, no: FAILED },
  }),
  camera: () => ({
    title: 'Camera',
    what: ['Move a hand in front of the camera.'],
    question: 'Do you see it move in the picture, the right way up?',
    ...{ yes: PASSED, no: FAILED },
  }),
  broker: () => ({
    title: 'MQTT broker',
    what: ['Other carts and programs are reached through the broker. Driving this cart does not need it.'],
    button: 'Look at the connection',
    question: 'Is this the broker that you mean?',
    ...{ yes: PASSED, no: FAILED },
  }),
};

/** `Passed by Anna, 4 May 2026, 14:02:11`; empty when a step was not tried. */
export function resultText(result: StepResult | undefined): string {
  if (!result) return '';
  const { outcome, by, at } = result;
  return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)} by ${by}, ${momentText(at)}`;
}

/** How far the commissioning is, in a sentence. */
export function tourSentence(results: Results): string {
  const by = (outcome: string): Step[] => STEPS.filter((step) => results[step]?.outcome === outcome);
  const [passed, failed, skipped] = [by('passed'), by('failed'), by('skipped')];
  const tried = passed.length + failed.length + skipped.length;
  if (tried === 0) return 'This cart has not been commissioned yet.';
  const newest = Math.max(...STEPS.map((step) => results[step]?.at ?? 0));
  const parts = [`${passed.length} of ${STEPS.length} steps passed`];
  if (failed.length > 0) parts.push(`failed: ${failed.map(nameOf).join(', ')}`);
  if (skipped.length > 0) parts.push(`skipped: ${skipped.map(nameOf).join(', ')}`);
  if (tried < STEPS.length) parts.push(`${STEPS.length - tried} not tried yet`);
  return `${parts.join('; ')}. Last change ${momentText(newest)}.`;
}

const NO_FACTS: StepFacts = { distance: '', turn: '', longest: '', topSpeed: '', timeoutMs: 0 };

/** A step as it is called in a list. */
export function nameOf(step: Step): string {
  return stepWords(step, NO_FACTS).title;
}
