import { join } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.js';

/** Environment variables that limit the gateway's memory and set its threads as the systemd unit does. */
export async function serviceEnvironment(): Promise<Record<string, string>> {
  const config = await import(join(packageRoot(), 'ecosystem.config.js'));
  return config.apps[0].env;
}
