import { join } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.js';

/** What a service gives the gateway into its environment for the sake of memory; the systemd unit has the same. */
export async function serviceEnvironment(): Promise<Record<string, string>> {
  const config = await import(join(packageRoot(), 'ecosystem.config.js'));
  return config.apps[0].env;
}
