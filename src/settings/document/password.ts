import { isUtf8 } from 'node:buffer';
import { dirname, join, resolve } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason, readSmallFile } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { MqttSettings } from '../schema/schema.js';

const MAX_BYTES = 1024;
/** Users can select only files in this folder, so that they cannot send other secrets to a broker. */
const FOLDER = 'broker-passwords';

/**
 * Returns the password from the first source that is set: the file, `MQTT_PASSWORD`, the `mqtt_password`
 * credential, the settings. Rejects with `CONFIG_INVALID` if a configured file is unusable, because some
 * brokers lock an account after three wrong passwords.
 */
export async function brokerPassword(
  mqtt: Pick<MqttSettings, 'password' | 'passwordFile'>,
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  if (mqtt.passwordFile) return readLine(pathOf(mqtt.passwordFile, join(dir, FOLDER)));
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

function pathOf(name: string, folder: string): string {
  const path = resolve(folder, name);
  if (dirname(path) !== folder) throw unusable(path, `the file is not in ${folder}`);
  return path;
}

async function readLine(path: string): Promise<string> {
  const content = await readSmallFile(path, MAX_BYTES).catch((error: unknown) => {
    throw unusable(path, fileErrorReason(error), error);
  });
  if (!isUtf8(content)) throw unusable(path, sharedMessage('not-utf8'));
  const line = content.toString().replace(/\r?\n$/, '');
  if (line.startsWith('\uFEFF')) throw unusable(path, 'the file starts with a byte order mark');
  if (/[\r\n]/.test(line)) throw unusable(path, 'the file has more than one line');
  return line;
}

function unusable(path: string, reason: Text, cause?: unknown): GatewayError {
  const text = `password file ${path} cannot be used: ${reason}`;
  return new GatewayError('CONFIG_INVALID', text, { field: '/mqtt/passwordFile', cause });
}
