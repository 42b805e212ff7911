import type { Log, Supervisor } from '../../shared/ports/ports.js';
import { connectSystemd } from './systemd.js';

/** The part of `process` that a supervisor is found by. */
interface Supervised {
  env: NodeJS.ProcessEnv;
  /** There when the parent can be talked to. */
  send?: (message: unknown) => boolean;
  connected: boolean;
}

const NOBODY: Supervisor = {
  ready: () => undefined,
  alive: () => undefined,
  status: () => undefined,
  stopping: () => undefined,
  close: () => undefined,
};

/** Whoever started this process and waits to hear of it: systemd, a parent that Node can talk to (pm2), or nobody. */
export async function findSupervisor(log: Log, own: Supervised = process): Promise<Supervisor> {
  const { NOTIFY_SOCKET: socket } = own.env;
  if (socket) return connectSystemd({ socket, log });
  if (!own.send) return NOBODY;
  return { ...NOBODY, ready: () => void (own.connected && own.send?.('ready')) };
}
