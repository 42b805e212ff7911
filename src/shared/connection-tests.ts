import { GatewayError } from './errors.js';
import { sharedMessage } from './messages/messages.js';

/** Each test can keep a file descriptor in use for up to 20 s. */
const MAX_RUNNING = 8;

/** Limits how many tests of outgoing connections run at the same time, because each opens a connection. */
export class ConnectionTests {
  #running = 0;

  /** Throws `RATE` if eight tests are running; otherwise, passes on the result or the error of `test`. */
  async run<T>(test: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_RUNNING) {
      const limits = { limit: MAX_RUNNING, unit: 'tests', retryAfterS: 5 };
      throw new GatewayError('RATE', sharedMessage('tests-too-many'), limits);
    }
    this.#running += 1;
    try {
      return await test();
    } finally {
      this.#running -= 1;
    }
  }
}

/** Limits all of this process's connection tests together. */
export const connectionTests = new ConnectionTests();
