import { isIP } from 'node:net';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { serviceLookups } from '../../shared/dns-lookup.js';
import { messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { networkFault } from '../../shared/network-errors.js';
import type { Alarm, MailServer, SendMail, SendResult } from '../../shared/ports/alarms.js';
import { deliveryMessage } from './messages.js';

const CONNECT_MS = 10_000;
/** Maximum time without data from the server. */
const SILENCE_MS = 20_000;

type Step = (done: (error?: Error | null) => void) => void;

/** Loads nodemailer on first use. */
export const sendMail: SendMail = async (server, recipient, alarm) => {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  let address: string;
  try {
    // The host name is resolved here, because nodemailer does not limit its own DNS lookups.
    address = await addressOf(server.host);
  } catch (error) {
    return { outcome: 'failed', scope: 'channel', reason: connectionReason(error, server) };
  }
  const connection = new Connection(connectionOptions(server, address));
  // If this listener were missing, an error event between two steps would end the process.
  connection.on('error', () => undefined);
  let message: Buffer;
  try {
    message = await compose(server, recipient, alarm);
    await logIn(connection, server);
  } catch (error) {
    connection.close();
    return { outcome: 'failed', scope: 'channel', reason: connectionReason(error, server) };
  }
  try {
    const envelope = { from: server.sender, to: recipient };
    await run(connection, (done) => connection.send(envelope, message, done));
    connection.quit();
    return { outcome: 'delivered' };
  } catch (error) {
    connection.close();
    return failureOf(error, server);
  }
};

async function addressOf(host: string): Promise<string> {
  return isIP(host) === 0 ? await serviceLookups.address(host, CONNECT_MS) : host;
}

function connectionOptions({ host, port, tls }: MailServer, address: string) {
  return {
    host: address,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // The connection uses the IP address, but the certificate contains the host name.
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
  };
}

async function logIn(connection: SMTPConnection, { username: user, password: pass }: MailServer) {
  await run(connection, (done) => connection.connect(done));
  if (user !== '') await run(connection, (done) => connection.login({ user, pass }, done));
}

/** Runs a step. Rejects with the error that nodemailer passes to the step's callback or emits as an event. */
function run(connection: SMTPConnection, step: Step): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    step((error) => {
      connection.off('error', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function compose({ sender }: MailServer, recipient: string, alarm: Alarm): Promise<Buffer> {
  const { default: Composer } = await import('nodemailer/lib/mail-composer');
  const { id, text, gateway, url, at } = alarm;
  const composer = new Composer({
    from: { name: gateway, address: sender },
    to: recipient,
    subject: text,
    text: `${text}\n\n${url}\n`,
    date: new Date(at),
    messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return await composer.compile().build();
}

/** An error without a response code means that the connection failed, possibly after the e-mail was sent. */
function failureOf(error: unknown, { host }: MailServer): SendResult {
  const reason = networkFault(error, host) ?? oneLine(error);
  const { responseCode } = error as { responseCode?: number };
  if (responseCode === undefined)
    return { outcome: 'unknown', reason: deliveryMessage('unanswered', { reason }) };
  return { outcome: 'failed', scope: 'message', reason: deliveryMessage('rejected', { reason }) };
}

function connectionReason(error: unknown, { host }: MailServer): Text {
  const { code } = error as { code?: string };
  if (code === 'EAUTH') return deliveryMessage('login-rejected');
  return deliveryMessage('unreachable', { reason: networkFault(error, host) ?? oneLine(error) });
}

function oneLine(error: unknown): string {
  return messageOf(error).replace(/\s+/g, ' ').trim();
}
