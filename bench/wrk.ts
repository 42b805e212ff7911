import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileErrorCode } from '../src/shared/files.js';
import { packageRoot } from '../src/shared/package-root.js';

/**
 * Arguments of `beacons.lua`, which reads random beacons numbered 1 to `of`, adds beacons whose IDs start
 * with `of`, or lists beacons with alternating queries.
 */
export type Requests = readonly ['read' | 'post', of: string] | readonly ['list', ...queries: string[]];

export interface Rate {
  perSecond: number;
  p99Ms: number;
  requests: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
  requests: Requests;
}

/**
 * Runs `wrk` (Debian package: wrk). One thread is sufficient, because a load generator in C uses less
 * processor time than the servers under test.
 */
export function startWrk(url: string, { connections, seconds, requests }: LoadOptions) {
  const script = join(packageRoot(), 'bench', 'beacons.lua');
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  const child = spawn('wrk', [...options, url, '--', ...requests], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.on('error', (error) => {
    const isMissing = fileErrorCode(error) === 'ENOENT';
    throw isMissing ? new Error('wrk is not installed: apt-get install wrk') : error;
  });
  return child;
}

/** Measures the response rate and latency under load. Rejects if any response status is not 2xx. */
export async function wrk(port: number, load: LoadOptions): Promise<Rate> {
  const output = await text(startWrk(`http://127.0.0.1:${port}`, load).stdout);
  const [, json] = /^result (.*)$/m.exec(output) ?? [];
  if (json === undefined) throw new Error(`wrk printed no result: ${output}`);
  const result = JSON.parse(json) as { requests: number; seconds: number; failed: number; p99Ms: number };
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} requests failed`);
  return {
    perSecond: result.requests / result.seconds,
    p99Ms: result.p99Ms,
    requests: result.requests,
  };
}
