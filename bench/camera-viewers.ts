import { connect, type Socket } from 'node:net';
import { pause } from './process-figures.js';

/**
 * Simulates camera viewers in a separate process. Arguments: `<host> <port> <count> <seconds>
 * <stream|poll|stalled>`. The viewers read the time that the simulated camera writes into each image, and
 * print their results as one line of JSON.
 */

export interface ViewerResult {
  /** Images per second that the slowest viewer received. */
  fps: number;
  /** Time from the creation of each image to the arrival of its last byte at the viewer, in ms. */
  latenciesMs: number[];
}

const [host = '', port = '', count = '1', seconds = '1', how = 'stream'] = process.argv.slice(2);
const STAMP = Buffer.from('"atNs":"');
const STAMP_DIGITS = 25;
const latenciesMs: number[] = [];
const pictures: number[] = [];
let isCounting = false;

function requestOf(after: number): string {
  const path = how === 'poll' ? `/camera/frame?after=${after}` : '/camera/stream.mjpg';
  return `GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\n\r\n`;
}

/** Parses lengths and counts bytes; searches the image content only for the timestamp. */
class Reader {
  readonly #done: (head: string) => void;
  #head = '';
  #left = 0;
  #atNs = 0n;

  constructor(done: (head: string) => void) {
    this.#done = done;
  }

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; )
      rest = this.#left > 0 ? this.#picture(rest) : this.#skipToImage(rest);
  }

  #picture(bytes: Buffer): Buffer {
    const own = bytes.subarray(0, this.#left);
    const at = own.indexOf(STAMP);
    const [digits] = /^\d+(?=")/.exec(own.toString('latin1', at + 8, at + 8 + STAMP_DIGITS)) ?? [];
    if (at >= 0 && digits) this.#atNs = BigInt(digits);
    this.#left -= own.length;
    if (this.#left === 0) this.#end();
    return bytes.subarray(own.length);
  }

  #end(): void {
    // Images whose timestamp is split between two chunks are not counted; enough other images remain.
    if (isCounting && this.#atNs > 0n) latenciesMs.push(Number(process.hrtime.bigint() - this.#atNs) / 1e6);
    this.#atNs = 0n;
    this.#done(this.#head);
    this.#head = '';
  }

  /** Skips data up to the end of the next header that contains an image length. */
  #skipToImage(bytes: Buffer): Buffer {
    const at = bytes.indexOf('\r\n\r\n');
    const end = at < 0 ? bytes.length : at + 4;
    this.#head += bytes.toString('latin1', 0, end);
    if (at < 0) return bytes.subarray(end);
    const [, length] = /content-length: (\d+)/i.exec(this.#head) ?? [];
    if (length === undefined) this.#head = '';
    else this.#left = Number(length);
    return bytes.subarray(end);
  }
}

function watch(nth: number): Socket {
  pictures[nth] = 0;
  const socket = connect(Number(port), host);
  const reader = new Reader((head) => {
    if (isCounting) pictures[nth] = (pictures[nth] ?? 0) + 1;
    if (how === 'poll') socket.write(requestOf(Number(/x-frame: (\d+)/i.exec(head)?.[1] ?? 0)));
  });
  socket.setNoDelay(true);
  socket.write(requestOf(0));
  if (how === 'stalled') socket.pause();
  else socket.on('data', (chunk) => reader.push(chunk));
  return socket;
}

const sockets = Array.from({ length: Number(count) }, (_, nth) => watch(nth));
await pause(1500);
isCounting = true;
const startedMs = performance.now();
await pause(Number(seconds) * 1000);
isCounting = false;
const fps = (Math.min(...pictures) * 1000) / (performance.now() - startedMs);
for (const socket of sockets) socket.destroy();
process.stdout.write(`${JSON.stringify({ fps, latenciesMs } satisfies ViewerResult)}\n`);
