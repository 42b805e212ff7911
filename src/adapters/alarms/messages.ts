import { declareMessages } from '../../shared/messages/message.js';

export const deliveryMessage = declareMessages('delivery', {
  unreachable: 'no connection: {reason}',
  'login-rejected': 'the mail server rejected the username or password',
  status: 'the server responded with status {status}',
  rejected: 'the server rejected the message: {reason}',
  unanswered: 'the message was not confirmed, but may have been delivered: {reason}',
});
