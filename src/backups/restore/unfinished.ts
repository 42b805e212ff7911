import { GatewayError } from '../../shared/errors.js';
import { RestoreFiles } from './files.js';
import { restoreMessage } from './messages.js';

/**
 * A check for programs that use the data directory without the gateway. Throws `CONFLICT` if the next start of the
 * gateway replaces the data, and `DATA_DIR_UNUSABLE` if the journal is unreadable.
 * @param isReading true if the program changes nothing; in that case, only a mixture of two states is rejected.
 */
export function requireFinishedRestore(dir: string, isReading: boolean): void {
  const step = new RestoreFiles(dir).read()?.step;
  const isMixture = step === 'switching' || step === 'returning';
  if (!isMixture && (isReading || step !== 'staged')) return;
  const details = { hint: restoreMessage('unfinishable-hint') };
  throw new GatewayError('CONFLICT', restoreMessage('unfinishable'), details);
}
