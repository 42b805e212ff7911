import { channel } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { Deframer } from '../src/carts/serial/codec/codec.js';

/**
 * This module is preloaded into the gateway. For each command, it prints a JSON list of the source files that
 * executed between the arrival of the `POST /` and the MOVE frame on the serial line.
 */

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/**
 * Returns the source files that executed since the last call. An in-process inspector session responds before
 * `post` returns.
 */
function filesSinceLast(): string[] {
  let files: string[] = [];
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    files = result
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName && ranges[0]?.count),
      )
      .map(({ url }) => /\/dist\/src\/(.*)\.js$/.exec(url)?.[1] ?? '')
      .filter(Boolean);
  });
  return files;
}

let isCommand = false;
channel('http.server.request.start').subscribe((message) => {
  const { method, url } = (message as { request: { method: string; url: string } }).request;
  isCommand = method === 'POST' && url.split('?')[0] === '/';
  if (isCommand) filesSinceLast();
});

const deframer = new Deframer(({ type }) => {
  if (type !== 'MOVE' || !isCommand) return;
  isCommand = false;
  process.stdout.write(`${JSON.stringify({ event: 'bench.command_files', files: filesSinceLast() })}\n`);
});
// The serial adapter writes synchronously, so its frames can be observed here.
const { writeSync } = fs;
fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  const bytes: unknown = args[1];
  if (bytes instanceof Uint8Array) deframer.push(bytes);
  return writeSync(...args);
}) as typeof writeSync;
syncBuiltinESMExports();
