import { connect, type Socket } from 'node:net';

/** Makes the text of the next request; called once for each request. */
export type NextRequest = () => string;

interface Tally {
  answered: number;
  failed: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * As many requests as a server answers over keep-alive connections, one at a time on each. It reads no more of an answer
 * than its status and its length: the load must cost less than what it measures, on a machine with two cores.
 * @returns answers of status 200 in a second; rejects when any answer was another.
 */
export async function requestRate(
  port: number,
  connections: number,
  seconds: number,
  next: NextRequest,
): Promise<number> {
  const tally: Tally = { answered: 0, failed: 0 };
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;
  const all = Array.from({ length: connections }, () => converse(port, endMs, next, tally));
  await Promise.all(all);
  if (tally.failed > 0) throw new Error(`${tally.failed} answers were not 200`);
  return (tally.answered * 1000) / (performance.now() - startedMs);
}

/** One connection: the next request goes out when the last byte of an answer has come in. */
function converse(port: number, endMs: number, next: NextRequest, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    let leftBytes = 0;
    let head = Buffer.alloc(0);
    const buffer = Buffer.alloc(64 * 1024);
    const take = (count: number, bytes: Uint8Array): boolean => {
      if (leftBytes > 0) leftBytes -= count;
      else {
        head = Buffer.concat([head, bytes.subarray(0, count)]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return true;
        const text = head.toString('latin1', 0, end);
        leftBytes = lengthOf(text) - (head.length - end - HEAD_END.length);
        if (!text.startsWith('HTTP/1.1 200')) tally.failed += 1;
        head = Buffer.alloc(0);
      }
      if (leftBytes === 0) answered();
      return true;
    };
    const socket: Socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: take } });
    const answered = (): void => {
      tally.answered += 1;
      if (performance.now() < endMs) socket.write(next());
      else socket.end(resolve);
    };
    socket.setNoDelay(true).on('error', reject);
    socket.on('connect', () => socket.write(next()));
  });
}

function lengthOf(head: string): number {
  const [, digits] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (digits === undefined) throw new Error('an answer without content-length cannot be measured');
  return Number(digits);
}

/** A request as it goes over the wire. */
export function requestText(method: string, path: string, body?: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: bench\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
