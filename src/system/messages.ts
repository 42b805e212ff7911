import { declareMessages } from '../shared/messages/message.js';

export const systemMessage = declareMessages('system', {
  'backup-made': 'Backup created',
  'recording-pinned': 'Recording pinned',
  'recording-unpinned': 'Recording unpinned',
  'too-many-pinned': '{limit} recordings are already pinned',
  'too-many-pinned-hint': 'Unpin a recording first.',
  'backup-verified': '{size}. The copy was checked and is intact.',
  'restore-scheduled': 'Restore scheduled for the next restart',
  'loss-acknowledged': 'Lost writes acknowledged',
  'gateway-backup-made': 'Gateway backup made',
  'gateway-backup-download':
    'Its size is {size}. Download it, and keep it in a place other than this SD card.',
  'payments-confirmed': 'Payments confirmed',
  'payments-enabled': 'Customers can pay again.',
  'upload-encoded': 'the file must be sent without a content encoding',
  'upload-range': 'the body must be a part of a file that Content-Range describes',
  'upload-part-too-large': 'a part of the file must not be larger than 4 MiB',
  'upload-parts': 'Send larger files in several parts with Content-Range.',
  'restore-cancelled': 'Restore cancelled',
  'restore-confirmed': 'Restore confirmed',
  'gateway-restarts': 'The gateway restarts in a few seconds',
  'gateway-restart-needed': 'Restart the gateway to continue',
  'database-unchanged': 'The database remains unchanged.',
  'other-people': 'other people',
  'no-security-contact': 'this release names no contact for reports of vulnerabilities',
  'disk-low': 'not enough free disk space for a recording',
});
