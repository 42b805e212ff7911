import type { Text } from '../shared/messages/message.js';
import { joined } from '../shared/messages/messages.js';
import { updateMessage } from './messages.js';
import type { FailureCode } from './progress.js';

/** Why an update failed or was undone; empty if it succeeded. */
export interface Failure {
  code?: FailureCode | null;
  failedChecks?: readonly string[];
  /** The update service's English sentence. */
  reason?: string | null;
}

/** Returns why an update failed or was undone; empty if it succeeded. */
export function failureText({ code = null, failedChecks = [], reason = null }: Failure): Text {
  switch (code) {
    case null:
      return '';
    case 'SIGNATURE':
      return updateMessage('signature-invalid');
    case 'DAMAGED':
      return updateMessage('damaged');
    case 'OLDER':
      return updateMessage('not-newer');
    case 'PROCESSOR':
      return updateMessage('other-processor');
    case 'DISK_FULL':
      return updateMessage('disk-full');
    case 'NOT_PARKED':
      return updateMessage('not-parked');
    case 'NOT_READY':
      return updateMessage('not-ready');
    case 'CHECKS':
      return updateMessage('checks', { checks: joined(failedChecks.map(checkText), 'list') });
    case 'INTERRUPTED':
      return updateMessage('interrupted');
    case 'INTERNAL':
      return updateMessage('internal', { reason: reason ?? '' });
    case 'NOT_STARTED':
      return updateMessage('not-started');
  }
}

function checkText(name: string): Text {
  const key = `check.${name}`;
  return updateMessage.has(key) && isCheck(key) ? updateMessage(key) : name;
}

type CheckKey =
  `check.${'store' | 'settings' | 'controller' | 'stop' | 'camera' | 'broker' | 'emergencyStop'}`;

function isCheck(key: string): key is CheckKey {
  return key.startsWith('check.');
}
