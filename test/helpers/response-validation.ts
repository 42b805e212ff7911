import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OpenApiValidator } from './openapi-validator.js';
import { type RecordedResponse, recordResponse } from './response-recorder.js';

let validator: OpenApiValidator | undefined;

/** All servers share one validator, because building it takes half a second. */
function faultOf(answer: RecordedResponse): string | undefined {
  validator ??= new OpenApiValidator();
  return validator.faultOf(answer);
}

/**
 * Validates every response of a server against the OpenAPI document. Returns a function that lists the
 * validation errors.
 */
export function validateResponses(server: Server): () => string[] {
  const faults: string[] = [];
  server.prependListener('request', (req, res) =>
    recordResponse(req, res, (answer) => {
      const fault = faultOf(answer);
      if (fault) faults.push(fault);
    }),
  );
  return () => faults;
}

export type ValidationMessage = RecordedResponse | { fault: string };

/** Validates responses that other processes record and send over a Unix socket. */
export class ValidationSocket {
  /** Value of the environment variable `VALIDATION_SOCKET` in the processes that record responses. */
  readonly path: string;
  readonly #server = createServer((socket) => this.#receive(socket));
  readonly #closing = new Set<Promise<unknown>>();
  readonly #faults: string[] = [];

  private constructor(dir: string) {
    this.path = join(dir, 'validation.sock');
  }

  static async open(dir: string): Promise<ValidationSocket> {
    const socket = new ValidationSocket(dir);
    socket.#server.listen(socket.path);
    await once(socket.#server, 'listening');
    // If a gateway fails to start, this server must not keep the test process running.
    socket.#server.unref();
    return socket;
  }

  /** Waits until all processes have exited and returns the errors in their responses. */
  async close(): Promise<string[]> {
    await Promise.all(this.#closing);
    this.#server.close();
    return this.#faults;
  }

  #receive(socket: Socket): void {
    // Errors are ignored, because a killed process resets its connection.
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    this.#closing.add(new Promise((resolve) => socket.once('close', resolve)));
    let cut = '';
    lines.on('line', (line) => {
      // Only the last line of a killed process may be truncated.
      if (cut) throw new Error(`invalid message of a gateway: ${cut}`);
      const message = parsed(line);
      if (!message) cut = line;
      const fault = message && ('fault' in message ? message.fault : faultOf(message));
      if (fault) this.#faults.push(fault);
    });
  }
}

function parsed(line: string): ValidationMessage | undefined {
  try {
    return JSON.parse(line) as ValidationMessage;
  } catch {
    return undefined;
  }
}
