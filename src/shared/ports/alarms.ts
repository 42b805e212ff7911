import type { Text } from '../messages/message.js';

export interface Alarm {
  /** UUID; the same for all channels and attempts. */
  id: string;
  kind: string;
  cartID: number;
  /** Unix time in ms. */
  at: number;
  count: number;
  /** One sentence, in the language that is set for alarms. */
  text: string;
  gateway: string;
  /** URL of the page that shows the cause of the alarm. */
  url: string;
}

/**
 * Result of a delivery attempt. `failed`: not delivered; with the scope `channel`, other messages to the
 * channel would fail too. `unknown`: possibly delivered, so the message must not be sent again.
 */
export type SendResult =
  | { outcome: 'delivered' }
  | { outcome: 'failed'; scope: 'channel' | 'message'; reason: Text }
  | { outcome: 'unknown'; reason: Text };

export interface MailServer {
  host: string;
  port: number;
  tls: 'starttls' | 'tls' | 'none';
  username: string;
  password: string;
  sender: string;
}

/** Sends one e-mail to one recipient. Never rejects. */
export type SendMail = (server: MailServer, recipient: string, alarm: Alarm) => Promise<SendResult>;

/** Posts JSON to a URL, signed if `secret` is not empty. Never rejects. */
export type PostWebhook = (
  url: string,
  message: { id: string; body: string; secret: string },
) => Promise<SendResult>;
