import { declareMessages } from '../../shared/messages/message.js';

export const deliveryMessage = declareMessages('delivery', {
  unreachable: 'no connection: {reason}',
  status: 'the server responded with status {status}',
  rejected: 'the server rejected the message: {reason}',
  unanswered: 'the message was not confirmed, but may have been delivered: {reason}',
});
