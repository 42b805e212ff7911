import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GatewayError } from '../util/errors.js';
import { fileErrorCode, fileErrorReason } from '../util/files.js';
import type { MqttSettings } from './schema.js';

const MAX_BYTES = 1024;

/**
 * The broker's password: from the password file, else `MQTT_PASSWORD`, else systemd's credential `mqtt_password`, else
 * from the settings; empty when there is none. Rejects with `CONFIG_INVALID` when a password file is named and cannot
 * be used: another password would be a wrong guess, and three wrong guesses lock some brokers.
 */
export async function brokerPassword(
  mqtt: Pick<MqttSettings, 'password' | 'passwordFile'>,
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  if (mqtt.passwordFile) return readLine(resolve(dir, mqtt.passwordFile));
  if (env.MQTT_PASSWORD) return env.MQTT_PASSWORD;
  const credentials = env.CREDENTIALS_DIRECTORY;
  if (!credentials) return mqtt.password;
  try {
    return await readLine(join(credentials, 'mqtt_password'));
  } catch (error) {
    if (error instanceof GatewayError && fileErrorCode(error.cause) === 'ENOENT') return mqtt.password;
    throw error;
  }
}

/**
 * One line and no more: whoever may change settings must not be able to send /etc/shadow or a private key to a broker
 * of his own.
 */
async function readLine(path: string): Promise<string> {
  const refuse = (reason: string, cause?: unknown) =>
    new GatewayError('CONFIG_INVALID', `the password file ${path} cannot be used: ${reason}`, {
      field: '/mqtt/passwordFile',
      cause,
    });
  let text: string;
  try {
    const { size } = await stat(path).then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) throw refuse('it is not a plain file');
    if (size > MAX_BYTES) throw refuse(`it is longer than ${MAX_BYTES} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw error instanceof GatewayError ? error : refuse(fileErrorReason(error), error);
  }
  const line = text.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(line)) throw refuse('it has more than one line');
  return line;
}
