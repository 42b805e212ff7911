import type { Text } from '../../shared/messages/message.js';
import { joined } from '../../shared/messages/messages.js';
import { firmwareMessage } from './messages.js';

export const CHECKS = ['ready', 'version', 'status', 'estop-input', 'motors-off', 'stop'] as const;
type CheckName = (typeof CHECKS)[number];

export interface SelfCheck {
  name: CheckName;
  passed: boolean;
}

/** Observations after the controller has responded to HELLO. */
export interface SelfTestFacts {
  isReady: boolean;
  /** The version that the controller reported in HELLO_R. */
  version: string | undefined;
  /** The version that must be installed; undefined if any version is accepted. */
  expected: string | undefined;
  /** Number of STATUS frames that were received. */
  statusCount: number;
  isEstopReadable: boolean;
  motorsOn: boolean;
  isStopAcknowledged: boolean;
}

/** Minimum number of STATUS frames; two show that the controller sends them periodically. */
export const MIN_STATUS_COUNT = 2;

export function selfTest(facts: SelfTestFacts): SelfCheck[] {
  const { version, expected } = facts;
  const results: Record<CheckName, boolean> = {
    ready: facts.isReady,
    version: version !== undefined && (expected === undefined || version === expected),
    status: facts.statusCount >= MIN_STATUS_COUNT,
    'estop-input': facts.isEstopReadable,
    'motors-off': !facts.motorsOn,
    stop: facts.isStopAcknowledged,
  };
  return CHECKS.map((name) => ({ name, passed: results[name] }));
}

export function failedChecks(checks: readonly SelfCheck[]): Text {
  const failed = checks.filter(({ passed }) => !passed);
  return joined(
    failed.map(({ name }) => firmwareMessage(`check.${name}`)),
    'list',
  );
}
