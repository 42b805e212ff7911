import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { LISTEN_BACKLOG } from '../../shared/connections.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../../shared/files.js';
import type { Config } from '../config.js';

type ListenAddress = Pick<Config, 'host' | 'port'>;

/** Resolves when the server is listening. Rejects with `LISTEN_FAILED`. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  server.listen({ port, host, backlog: LISTEN_BACKLOG });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { reason, hint } = listenFailure(cause, { host, port });
    throw new GatewayError('LISTEN_FAILED', `cannot listen on ${host} port ${port}: ${reason}`, {
      cause,
      hint,
    });
  }
}

/** Call this before opening devices that another gateway may be using. Rejects with `LISTEN_FAILED`. */
export async function checkPort(address: ListenAddress): Promise<void> {
  if (address.port === 0) return;
  const probe = createServer();
  await listen(probe, address);
  probe.close();
  await once(probe, 'close');
}

function listenFailure(error: unknown, { host, port }: ListenAddress): { reason: string; hint: string } {
  switch (fileErrorCode(error)) {
    case 'EADDRINUSE':
      return {
        reason: 'another program is using this port',
        hint: 'Stop that program, or set PORT to a free port.',
      };
    case 'EACCES':
      return {
        reason: `this user is not permitted to use port ${port}`,
        hint: 'Set PORT to 1024 or higher.',
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        reason: `${host} is not an address of this machine`,
        hint: 'Set HOST to 0.0.0.0 to listen on every network, or to 127.0.0.1 to listen on this machine only.',
      };
    default:
      return { reason: messageOf(error), hint: 'Set HOST and PORT to different values.' };
  }
}

/** Rejects with `DATA_DIR_UNUSABLE`. Accepts a read-only file system; the gateway then saves no data. */
export async function checkDataDir(dir: string): Promise<void> {
  try {
    await makeDirectory(dir);
    // The suffix `/.` makes the check fail if the path is a regular file.
    await access(`${dir}/.`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (fileErrorCode(cause) === 'EROFS') return;
    const text = `the data directory ${dir} cannot be used: ${fileErrorReason(cause)}`;
    throw new GatewayError('DATA_DIR_UNUSABLE', text, {
      cause,
      hint: 'Give this user write access to the directory, or set CARTWRIGHT_DATA_DIR to a different directory.',
    });
  }
}

/** Recursive `mkdir` is not used, because it never returns in /proc and does not report a read-only file system. */
async function makeDirectory(dir: string, tries = 2): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || tries === 1 || dirname(dir) === dir) throw error;
    await makeDirectory(dirname(dir));
    await makeDirectory(dir, 1);
  }
}
