import { randomBytes } from 'node:crypto';
import { principalName } from '../../i18n/messages.js';
import { settingText, t } from '../../i18n/page-text.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Preview } from '../document/contracts.js';
import type { ValueChange } from '../document/diff.js';
import type { VersionEntry, Why } from '../history/history.js';
import { settingsMessage } from '../messages.js';
import type { FormSchema } from './fields.js';

/** A changed value as it is shown: what, from what, to what. */
interface ChangeRow {
  /** `MQTT broker`. */
  section: string;
  /** `TLS, CA file`. */
  label: string;
  from: string;
  to: string;
  /** `live`, `idle` or `restart`, as in the schema. */
  apply: string;
  /** When it takes effect in words, if not at once. */
  mark: string;
}

/** The page between a form and the change that it asks for. */
export interface Review {
  /** What the proposal is kept under. */
  proposal: string;
  title: Text;
  rows: ChangeRow[];
  /** It could cut off whoever makes it: seconds for confirming it, else 0. */
  trialS: number;
  needsIdle: boolean;
  needsRestart: boolean;
  /** Somebody else has changed the settings since the form was opened. */
  isStale: boolean;
  /** Whether there is a form to go back to; otherwise it came from the history page. */
  fromForm: boolean;
}

/** When a change takes effect, in a word beside the field; what takes effect at once needs none. */
export function markOf(apply: string | undefined): string {
  if (apply === 'idle') return t`Cart must stand still`;
  return apply === 'restart' ? t`After a restart` : '';
}

export function changeRows(schema: FormSchema, changes: Preview['changes']): ChangeRow[] {
  return changes.map((change) => rowOf(schema, change));
}

function rowOf(root: FormSchema, { keys, from, to }: ValueChange): ChangeRow {
  const titles: string[] = [];
  let schema: FormSchema | undefined = root;
  let apply = '';
  for (const key of keys) {
    schema = schema?.properties?.[key];
    titles.push(schema?.title ? settingText(schema.title) : key);
    apply = schema?.apply ?? apply;
  }
  const unit = schema?.unit ?? '';
  const [section = '', ...label] = titles;
  return {
    section,
    label: label.join(', '),
    from: textOf(from, unit),
    to: textOf(to, unit),
    apply,
    mark: markOf(apply),
  };
}

function textOf(value: unknown, unit: string): string {
  if (value === undefined) return t`not there`;
  if (value === null || value === '') return t`empty`;
  if (typeof value === 'boolean') return value ? t`on` : t`off`;
  if (typeof value === 'object') return JSON.stringify(value);
  return [String(value), settingText(unit)].filter(Boolean).join(' ');
}

const whys = (): Record<Why, string> => ({
  start: t`found in the file at a start`,
  save: t`saved`,
  import: t`imported`,
  restore: t`an older version restored`,
  rollback: t`rolled back`,
  'hand-edit': t`the file was edited`,
});

/** A version of the settings as the history page shows it. */
interface VersionRow {
  version: number;
  /** ISO 8601. */
  at: string;
  /** `2026-05-04 14:02:11 UTC`. */
  when: string;
  by: string;
  why: string;
  rows: ChangeRow[];
  /** `3 changes`. */
  count: string;
  isNow: boolean;
}

export function versionRows(schema: FormSchema, versions: readonly VersionEntry[]): VersionRow[] {
  return versions.map(({ version, atMs, by, why, changes }, place) => {
    const at = new Date(atMs).toISOString();
    return {
      version,
      at,
      when: `${at.slice(0, 19).replace('T', ' ')} UTC`,
      by: principalName(by),
      why: whys()[why],
      rows: changeRows(schema, [...changes]),
      count: changes.length === 1 ? t`1 change` : t`${changes.length} changes`,
      isNow: place === 0,
    };
  });
}

/** Who looks at a change for longer than it takes to make twenty others begins again. */
const KEPT = 20;

/** A change that was shown and not made yet. */
export interface Proposal {
  patch: Record<string, unknown>;
  why: Why;
  /** Of the settings that it was compared with. */
  etag: string;
  /** What stood in the form, by pointer. */
  entered?: Record<string, unknown>;
}

/**
 * Changes between the page that shows them and the button that makes them. They stay in the gateway, so that what is made
 * is what was shown, and no secret goes to the browser and back.
 */
export class Proposals {
  #byId = new Map<string, Proposal>();

  add(proposal: Proposal): string {
    const id = randomBytes(12).toString('hex');
    this.#byId.set(id, proposal);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > KEPT && oldest) this.#byId.delete(oldest);
    return id;
  }

  /** Gives a proposal out, once. Throws `CONFLICT` when it is not there any more. */
  take(id: unknown): Proposal {
    const proposal = this.#byId.get(String(id));
    this.#byId.delete(String(id));
    if (proposal) return proposal;
    throw new GatewayError('CONFLICT', settingsMessage('proposal-gone'), {
      hint: 'Look at the settings, and begin again where something is missing.',
    });
  }
}
