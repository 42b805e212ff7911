import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks for a password without showing it; without a terminal, takes the first line of standard input. */
export async function readSecret(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  const line: unknown[] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  return String(line[0] ?? '');
}
