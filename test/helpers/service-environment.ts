import { join } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.js';

/** Environment variables that set the same memory limit and number of threads as the systemd unit. */
export async function serviceEnvironment(): Promise<Record<string, string>> {
  const config = await import(join(packageRoot(), 'ecosystem.config.js'));
  return config.apps[0].env;
}
