import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLocalTls } from '../app/composition/tls.js';
import { loadConfig } from '../app/config.js';
import { FILE_NAME, readDocument, readVersion } from '../settings/index.js';
import { conditionActor } from '../shared/actor.js';
import { systemClock } from '../shared/clock.js';
import { GatewayError, hintOf, messageOf } from '../shared/errors.js';
import { createLog, LogThreshold } from '../shared/log.js';
import { textOf } from '../shared/messages/message.js';
import { tlsView } from '../system/index.js';

const USAGE = `usage: npm run tls -- init [--replace-ca]
       npm run tls -- status
       npm run tls -- ca
       npm run tls -- redirect on|off
"init" creates a certificate, and the CA if there is none. "ca" prints the certificate of the CA.
"redirect" sets whether pages are redirected to HTTPS.
`;

const COMMAND = conditionActor('input', 'npm run tls');

/** Can run while the gateway is running. The gateway serves a new certificate within a minute. */
async function run(args: string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'replace-ca': { type: 'boolean', default: false } },
  });
  const [verb = '', value = ''] = positionals;
  const isRedirect = verb === 'redirect' && ['on', 'off'].includes(value);
  if (!isRedirect && !['init', 'status', 'ca'].includes(verb)) throw new GatewayError('INVALID_INPUT', USAGE);
  const config = loadConfig(process.env, process.cwd());
  const name = await gatewayName(config);
  const log = createLog(new LogThreshold('error'));
  const tls = await openLocalTls({ config, name: () => name, clock: systemClock, log });
  if (verb === 'ca') return tls.caPem().trimEnd();
  if (isRedirect) {
    await tls.setRedirect(value === 'on', COMMAND);
    return `redirect ${value}`;
  }
  if (verb === 'init') await tls.create({ replaceCa: values['replace-ca'], by: COMMAND });
  const nowMs = Date.now();
  const { state, names, notAfter, ca } = tlsView({
    source: 'local',
    port: null,
    redirect: 'off',
    fault: '',
    nowMs,
    leaf: tls.leaf?.facts,
    ca: tls.ca?.facts,
  });
  const fault = textOf(tls.fault());
  if (!ca) return fault || 'no certificate yet';
  return [
    `certificate   ${state}, until ${notAfter ?? '-'}`,
    `names         ${names.join(' ')}`,
    `CA            ${ca.name}, until ${ca.notAfter}`,
    `fingerprint   ${ca.fingerprint}`,
    ...(fault ? [`fault         ${fault}`] : []),
  ].join('\n');
}

async function gatewayName({ dataDir, settings }: ReturnType<typeof loadConfig>): Promise<string> {
  const found = await readVersion(join(dataDir, FILE_NAME));
  return readDocument(found?.raw ?? settings).settings.gateway.name;
}

run(process.argv.slice(2)).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    const hint = hintOf(error);
    process.stderr.write(`${messageOf(error)}${hint ? `. ${textOf(hint)}` : ''}\n`);
    process.exitCode = 1;
  },
);
