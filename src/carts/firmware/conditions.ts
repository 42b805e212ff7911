import type { Message } from '../../shared/messages/message.js';
import { CAPS } from '../serial/codec/codec.js';
import { firmwareMessage } from './messages.js';

/** Names of the conditions, in the order of the checklist. */
export const NEEDS = [
  ...(['driver', 'real', 'image', 'program', 'configuration', 'standing', 'safe'] as const),
];
export type UpdateCondition = (typeof NEEDS)[number];

export interface Condition {
  need: UpdateCondition;
  isMet: boolean;
  text: Message;
  /** What to do if the condition is not met. */
  hint: Message;
}

export interface ConditionFacts {
  driver: string;
  isSimulated: boolean;
  hasImage: boolean;
  isProgramInstalled: boolean;
  /** True if the firmware was built with a custom configuration. */
  isConfigured: boolean;
  /** Capabilities that the installed firmware reports; undefined if it does not respond. */
  caps: number | undefined;
  baudRate: number;
  isMoving: boolean;
  /** True if a stop is latched or the E-stop button is pressed. */
  isStopped: boolean;
  motorsOn: boolean;
}

/** Capabilities that the default configuration does not have. */
const OWN_CAPS = CAPS.closedLoopDistance | CAPS.odometry | CAPS.motorTemp | CAPS.protectiveField;
const DEFAULT_BAUD = 115_200;

/** Returns the conditions for an update, apart from the confirmation that the wheels are off the ground. */
export function conditions(facts: ConditionFacts): Condition[] {
  const hasOwnCaps = facts.caps !== undefined && (facts.caps & OWN_CAPS) !== 0;
  const met: Record<UpdateCondition, boolean> = {
    driver: facts.driver === 'cgw1',
    real: !facts.isSimulated,
    image: facts.hasImage,
    program: facts.isProgramInstalled,
    configuration: facts.isConfigured || (!hasOwnCaps && facts.baudRate === DEFAULT_BAUD),
    standing: !facts.isMoving,
    safe: facts.isStopped || !facts.motorsOn,
  };
  return NEEDS.map((need) => ({
    need,
    isMet: met[need],
    text: firmwareMessage(`need.${need}`),
    hint: firmwareMessage(`need.${need}-hint`),
  }));
}

export function unmetCondition(all: readonly Condition[]): Condition | undefined {
  return all.find(({ isMet }) => !isMet);
}
