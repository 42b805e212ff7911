import type { FromSchema } from 'json-schema-to-ts';
import { GatewayError } from '../shared/errors.js';
import type { Store } from '../shared/ports/store.js';
import { faultSentence } from '../shared/validation/messages.js';
import { checkerFor } from '../shared/validation/validate.js';
import { ALARM_KINDS, type AlarmKind } from './alarm.js';
import { alarmMessage } from './messages.js';
import type { AlarmReads } from './reads.js';
import { addressSchema } from './settings-schema.js';

export const subscriptionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['address', 'kinds'],
  properties: {
    /** The address can be empty if `kinds` is empty. */
    address: { ...addressSchema, pattern: `^$|${addressSchema.pattern}` },
    kinds: { type: 'array', uniqueItems: true, items: { type: 'string', enum: ALARM_KINDS } },
  },
} as const;

const check = checkerFor<FromSchema<typeof subscriptionSchema>>(subscriptionSchema);

export interface Subscription {
  address: string;
  kinds: readonly AlarmKind[];
}

/** The alarms that each user receives by e-mail. */
export class AlarmSubscriptions {
  readonly #store: Pick<Store, 'write'>;
  readonly #reads: AlarmReads;

  constructor(store: Pick<Store, 'write'>, reads: AlarmReads) {
    this.#store = store;
    this.#reads = reads;
  }

  of(userId: number): Subscription {
    const row = this.#reads.subscription(userId);
    return row ? { address: row.address, kinds: JSON.parse(row.kinds) } : { address: '', kinds: [] };
  }

  addresses(kind: string): string[] {
    const rows = this.#reads.subscriptions();
    return rows
      .filter(({ kinds }) => (JSON.parse(kinds) as string[]).includes(kind))
      .map(({ address }) => address);
  }

  /** Removes the subscription if `kinds` is empty. Throws `INVALID_INPUT`. */
  async save(userId: number, input: unknown): Promise<Subscription> {
    const found = check(input);
    const faults = 'faults' in found ? found.faults : missingAddress(found.value);
    if ('faults' in found || faults.length > 0) {
      const named = faults.map(({ path, message }) => ({ path: path.slice(1), message }));
      throw new GatewayError('INVALID_INPUT', faultSentence(named), { faults });
    }
    const { address, kinds } = found.value;
    if (kinds.length === 0) await this.#store.write('alarms.unsubscribe', { userId });
    else await this.#store.write('alarms.subscribe', { userId, address, kinds: JSON.stringify(kinds) });
    return this.of(userId);
  }
}

function missingAddress({ address, kinds }: Subscription) {
  const isMissing = address === '' && kinds.length > 0;
  return isMissing ? [{ path: '/address', message: alarmMessage('address-missing') }] : [];
}
