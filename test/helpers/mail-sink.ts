import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  to: string;
  source: string;
  username: string | undefined;
}

interface MailSinkOptions {
  host?: string;
  port?: number;
  /** Credentials that the server requires. */
  login?: { username: string; password: string };
  /** SMTP replies for the recipients that the server rejects. */
  rejected?: Readonly<Record<string, { code: number; text: string }>>;
  /** True if the server closes the connection without a response after it has received the whole message. */
  dropsAfterData?: boolean;
}

/** A mail server that stores the messages that it accepts. */
export class MailSink {
  readonly mails: Mail[] = [];
  readonly #server: SMTPServer;
  #port = 0;

  private constructor({ login, rejected = {}, dropsAfterData = false }: MailSinkOptions) {
    this.#server = new SMTPServer({
      disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
      allowInsecureAuth: true,
      authOptional: !login,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === login?.username && password === login?.password;
        done(isRight ? null : new Error('wrong username or password'), { user: username });
      },
      onRcptTo: ({ address }, _session, done) => {
        const reply = rejected[address];
        done(reply ? Object.assign(new Error(reply.text), { responseCode: reply.code }) : null);
      },
      onData: (stream, session, done) => {
        void text(stream).then((source) => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(',');
          const username = typeof session.user === 'string' ? session.user : undefined;
          this.mails.push({ to, source, username });
          if (dropsAfterData) for (const connection of this.#server.connections) connection.close();
          else done();
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async listen(options: MailSinkOptions = {}): Promise<MailSink> {
    const sink = new MailSink(options);
    const { host = '127.0.0.1', port = 0 } = options;
    sink.#server.listen(port, host);
    await once(sink.#server.server, 'listening');
    sink.#port = (sink.#server.server.address() as AddressInfo).port;
    return sink;
  }

  get port(): number {
    return this.#port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
