import { randomBytes } from 'node:crypto';
import { localNumber } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import { type Preview, type Since, settingsMessage, type Why } from '../../settings/index.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { ChangeRow } from './change-rows.js';

export interface Review {
  proposal: string;
  title: Text;
  rows: ChangeRow[];
  /** Time limit for confirming a risky change, in seconds; 0 if no confirmation is required. */
  trialS: number;
  /** True if the change only tightens limits, which requires no confirmation. */
  isStricter: boolean;
  /** Warns that the default speed is above the maximum speed; otherwise, empty. */
  speedNote: string;
  needsIdle: boolean;
  needsRestart: boolean;
  /** Warns that the settings have changed since the form was opened; null if they have not. */
  stale: { tone: 'stop' | ''; message: string } | null;
  fromForm: boolean;
}

/** Describes how the settings have changed since the form was opened; null if they have not. */
export function staleText(rows: readonly ChangeRow[], since: Since | undefined): Review['stale'] {
  if (!since) {
    return { tone: 'stop', message: t('Check every line: saving may overwrite the newer settings.') };
  }
  if (rows.some(({ conflict }) => conflict !== '')) {
    const message = t(
      'Check the marked lines: saving replaces the newer values. All other settings keep their new values.',
    );
    return { tone: 'stop', message };
  }
  if (since.changes.length === 0) return null;
  return { tone: '', message: t('The settings that you have not changed keep their new values.') };
}

/**
 * Returns a note if the change sets the default speed above the maximum speed, which then applies to commands without
 * a speed; otherwise, returns an empty string.
 */
export function speedNote({ change: { changed, settings } }: Preview): string {
  const { defaultSpeedMmps, maxSpeedMmps } = settings.limits;
  if (!changed.includes('limits') || defaultSpeedMmps <= maxSpeedMmps) return '';
  return t(
    'The default speed ({0} mm/s) is above the maximum speed. Commands without a speed use {1} mm/s.',
    localNumber(defaultSpeedMmps),
    localNumber(maxSpeedMmps),
  );
}

const MAX_PROPOSALS = 20;

export interface Proposal {
  patch: Record<string, unknown>;
  why: Why;
  /** ETag of the settings at the time of the preview. */
  etag: string;
  entered?: Record<string, unknown>;
}

/** Stores previewed changes on the server, so that the browser receives no secrets and cannot alter them. */
export class Proposals {
  #byId = new Map<string, Proposal>();

  add(proposal: Proposal): string {
    const id = randomBytes(12).toString('hex');
    this.#byId.set(id, proposal);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MAX_PROPOSALS && oldest) this.#byId.delete(oldest);
    return id;
  }

  /** Returns and removes a proposal. Throws `CONFLICT` if the proposal does not exist. */
  take(id: unknown): Proposal {
    const proposal = this.#byId.get(String(id));
    this.#byId.delete(String(id));
    if (proposal) return proposal;
    throw new GatewayError('CONFLICT', settingsMessage('proposal-gone'), {
      hint: settingsMessage('proposal-gone-hint'),
    });
  }
}
