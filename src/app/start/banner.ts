import { GatewayError, hintOf, messageOf } from '../../shared/errors.js';
import { fileErrorCode } from '../../shared/files.js';

export interface StartFacts {
  version: string;
  name: string;
  simulated: boolean;
  controller: string;
  url: string;
  /** URLs for other devices; empty if only this machine can reach the gateway. */
  elsewhere: readonly string[];
  loginRequired: boolean;
  dataDir: string;
  setupUrl: string | undefined;
}

/** Returns the text that a terminal shows when the gateway is ready. A setup link, if any, is the last line. */
export function bannerText(facts: StartFacts): string {
  const { version, name, simulated, controller, url, elsewhere, loginRequired, dataDir } = facts;
  const rows = [
    ['Open', url],
    ...elsewhere.map((address, nth) => [nth === 0 ? 'Network' : '', address]),
    ['Carts', simulated ? 'SIMULATED: no motor is connected' : `real, controller on ${controller}`],
    ['Login', loginRequired ? 'required' : 'not required on private networks (trusted-lan)'],
    ['Data', dataDir],
    ['Stop', 'Ctrl+C'],
  ];
  const lines = rows.map(([label = '', text]) => `  ${label.padEnd(8)} ${text}`);
  return ['', `Cartwright ${version}, ${name}`, '', ...lines, '', ...setupLines(facts)].join('\n');
}

function setupLines({ elsewhere, setupUrl }: StartFacts): string[] {
  if (setupUrl === undefined) return [];
  const first = 'Create the first administrator with this link, which is valid for 24 hours.';
  const remote = 'On another device, replace the host name with an address listed under Network.';
  return [first, ...(elsewhere.length > 0 ? [remote] : []), setupUrl, ''];
}

export function startFailure(error: unknown): { text: string; line: string } {
  const hint = hintOf(error);
  const reason = `${messageOf(error)}${hint === '' ? '' : `. ${hint}`}`;
  // Only unexpected errors are logged with a stack trace.
  const isExpected = error instanceof GatewayError || fileErrorCode(error) !== '';
  const stack = error instanceof Error && !isExpected ? { stack: error.stack } : {};
  const code = error instanceof GatewayError ? { code: error.code } : {};
  const fields = { level: 'error', event: 'gateway.start_failed', ...code, reason, ...stack };
  return {
    text: `Cartwright did not start: ${stack.stack ?? reason}\n`,
    line: `${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`,
  };
}
