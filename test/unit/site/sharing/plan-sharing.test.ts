import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Reason } from '../../../../src/carts/command/model.js';
import { type GatewayError, hintOf } from '../../../../src/shared/errors.js';
import type { Text } from '../../../../src/shared/messages/message.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { Cancel } from '../../../../src/shared/ports/clock.js';
import type { MessageBus } from '../../../../src/shared/ports/mqtt.js';
import type { SitePlanView } from '../../../../src/site/plan-data/site-plan.js';
import { type SitePlanMessage, signPlan } from '../../../../src/site/sharing/plan-message.js';
import { PlanSharing } from '../../../../src/site/sharing/plan-sharing.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';
import { MemoryBroker, type MemoryBus } from '../../../helpers/memory-bus.js';
import { until } from '../../../helpers/until.js';
import { Inbox, openBroker, openBus, withCleanup } from '../../carts/mqtt/test-bus.js';
import { identityOf } from '../../carts/mqtt/test-fleet.js';
import { ANNA, CHARGER, DOOR, loseDatabase, type SiteSetup, SLOW, withSite } from '../site-setup.js';

const test = suite('plan sharing');

const TOPIC = 'cart/v1/site1/site/plan';
const KEY = createSecretKey('a test key with more than 32 characters', 'utf8');
const OTHER_KEY = createSecretKey('another key with more than 32 characters', 'utf8');

/** One gateway of the fleet, with its own database and floor plan. */
class Gateway<Bus extends MessageBus = MemoryBus> {
  readonly site: SiteSetup;
  readonly bus: Bus;
  readonly clock = new FakeClock();
  readonly settings = { planOwner: 1 };
  readonly rejected: string[] = [];
  readonly #cartId: number;
  readonly #key: typeof KEY | null;
  #settingsChanged = () => {};
  #stop: Cancel = () => {};
  /** The gateways whose state this gateway receives. */
  others: readonly Gateway[] = [];
  sharing: PlanSharing;

  constructor(site: SiteSetup, bus: Bus, cartId: number, key: typeof KEY | null = KEY) {
    this.site = site;
    this.bus = bus;
    this.#cartId = cartId;
    this.#key = key;
    this.sharing = this.#open();
  }

  /** Restarts the gateway with its database, in a new session. */
  async restart(how?: Parameters<SiteSetup['restart']>[0]): Promise<void> {
    this.#stop();
    await this.site.restart(how);
    this.sharing = this.#open();
  }

  setOwner(planOwner: number): void {
    this.settings.planOwner = planOwner;
    this.#settingsChanged();
  }

  putZones(zones: readonly unknown[]): Promise<SitePlanView> {
    const { sitePlan } = this.site;
    return sitePlan.putZones({ zones }, { by: ANNA, basis: sitePlan.current.etag });
  }

  /** Resolves when the gateway has applied this version. */
  has(version: number): Promise<void> {
    return until(() => this.sharing.report?.version === version);
  }

  get ids(): string[] {
    return this.site.sitePlan.current.zones.map(({ id }) => id);
  }

  #open(): PlanSharing {
    const { site, bus, clock, settings } = this;
    const sharing = new PlanSharing({
      bus,
      identity: identityOf(this.#cartId),
      siteKey: this.#key ?? undefined,
      settings: () => settings,
      clock,
      log: site.log,
    });
    site.ownership = sharing;
    this.#stop = sharing.start({
      sitePlan: site.sitePlan,
      onSettings: (listener) => {
        this.#settingsChanged = listener;
        return () => {};
      },
      carts: () =>
        this.others.map(({ sharing: { report: sitePlan } }) => ({
          online: true,
          ...(sitePlan && { sitePlan }),
        })),
      url: () => `http://gateway-${this.#cartId}:3000`,
      reject: ({ text }: Omit<Reason, 'text'> & { text: Text }) => this.rejected.push(textOf(text)),
    });
    return sharing;
  }
}

interface Fleet {
  broker: MemoryBroker;
  owner: Gateway;
  member: Gateway;
}

/** Runs a test with the gateways of carts 1, the owner of the site plan, and 2. */
function withFleet(run: (fleet: Fleet) => Promise<void>): () => Promise<void> {
  return withSite((ownerSite) =>
    withSite(async (memberSite) => {
      const broker = new MemoryBroker();
      const [owner, member] = [
        new Gateway(ownerSite, broker.client(), 1),
        new Gateway(memberSite, broker.client(), 2),
      ];
      await run({ broker, owner, member });
    })(),
  );
}

function spoilRecord(dir: string): void {
  writeFileSync(join(dir, 'site-plan.json'), '{}');
}

/** Returns the retained message with a change, signed with this key. */
function changed(
  broker: MemoryBroker,
  change: (message: SitePlanMessage) => void,
  key: typeof KEY | null = KEY,
): string {
  const message = JSON.parse(String(broker.retained.get(TOPIC))) as SitePlanMessage;
  message.sessionId = 'another session';
  change(message);
  if (key) message.signature = signPlan(key, TOPIC, message);
  return JSON.stringify(message);
}

test(
  'the other gateway applies each change and keeps the plan across a restart without a broker',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    await owner.putZones([DOOR, SLOW]);
    await owner.site.sitePlan.putPlaces(
      { places: [CHARGER] },
      { by: ANNA, basis: owner.site.sitePlan.current.etag },
    );
    await member.has(3);
    member.bus.setOutage('the broker is down');
    await member.restart();
    const { zones, places, needsReview } = member.site.sitePlan.current;
    assert.deepEqual([zones, places, needsReview], [[DOOR, SLOW], [CHARGER], false]);
    const { planHash } = owner.site.sitePlan.current;
    assert.deepEqual(member.sharing.report, { version: 3, planHash, state: 'CURRENT' });
  }),
);

test(
  'a cart that was offline during a change applies the change when it reconnects',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    member.bus.setOutage('no Wi-Fi');
    await owner.putZones([SLOW]);
    assert.deepEqual(member.ids, ['door']);
    member.bus.setOutage('');
    await member.has(2);
    assert.deepEqual(member.ids, ['slow']);
  }),
);

test(
  'the owner publishes the plan again for a cart that did not receive it from the broker',
  withFleet(async ({ broker, owner, member }) => {
    member.bus.setOutage('no Wi-Fi');
    await owner.putZones([DOOR]);
    broker.retained.clear();
    member.bus.setOutage('');
    owner.others = [member];
    owner.clock.advance(30_000);
    await member.has(1);
    broker.retained.clear();
    owner.clock.advance(60_000);
    assert.equal(broker.retained.size, 0, 'a current cart needs no repetition');
  }),
);

test(
  'the other gateways keep the last plan while the owner is offline, and the owner continues after a restart',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    owner.bus.setOutage('the owner is off');
    await owner.restart();
    await owner.putZones([DOOR, SLOW]);
    assert.deepEqual([member.ids, member.sharing.report?.state], [['door'], 'CURRENT']);
    owner.bus.setOutage('');
    await member.has(2);
    assert.deepEqual(member.ids, ['door', 'slow']);
  }),
);

const MANY = Array.from({ length: 200 }, (_, nth) => ({
  ...DOOR,
  id: `zone-${nth}`,
  name: 'x'.repeat(80),
  polygon: Array.from({ length: 22 }, (_, corner) => [100 * corner, corner % 2 === 0 ? 7000 : 6900 - corner]),
})).map((zone) => ({ ...zone, polygon: [...zone.polygon, [2100, 10], [0, 10]] }));

test(
  'shares the largest number of zones through a broker in a gateway, also with a cart that connects later',
  withSite((ownerSite) =>
    withSite((memberSite) =>
      withCleanup(async (later) => {
        const broker = await openBroker();
        later(() => broker.close());
        const open = async (site: SiteSetup, cartId: number): Promise<Gateway<MessageBus>> => {
          const bus = await openBus(broker.port);
          later(() => bus.close());
          return new Gateway(site, bus, cartId);
        };
        const owner = await open(ownerSite, 1);
        const inbox = new Inbox(owner.bus, TOPIC);
        await owner.putZones(MANY);
        const { payload } = await inbox.first('the plan');
        assert.ok(payload.length > 64 * 1024);
        const member = await open(memberSite, 2);
        await member.has(1);
        assert.equal(member.ids.length, 200);
        await owner.putZones([...MANY.slice(1), SLOW]);
        await member.has(2);
        assert.equal(member.ids.at(-1), 'slow');
      }),
    )(),
  ),
);

const INVALID: Record<string, { payload: (broker: MemoryBroker) => string; reason: RegExp }> = {
  'without a signature': {
    payload: (broker) => changed(broker, (message) => Reflect.deleteProperty(message, 'signature'), null),
    reason: /signature/,
  },
  'signed with another key': {
    payload: (broker) => changed(broker, ({ plan }) => Object.assign(plan, { version: 9 }), OTHER_KEY),
    reason: /the site keys differ/,
  },
  'changed after it was signed': {
    payload: (broker) => changed(broker, ({ plan }) => Object.assign(plan, { zones: [] }), null),
    reason: /the site keys differ/,
  },
  'with a zone that crosses itself': {
    payload: (broker) =>
      changed(broker, ({ plan }) => {
        plan.version = 9;
        plan.zones[0]?.polygon.splice(1, 1, [500, 3000]);
        plan.zones[0]?.polygon.splice(2, 1, [0, 1000], [1500, 1000]);
      }),
    reason: /zone "door"/,
  },
  'with an unknown kind of zone': {
    payload: (broker) =>
      changed(broker, ({ plan }) => {
        plan.version = 9;
        Object.assign(plan.zones[0] ?? {}, { kind: 'NO_GO' });
      }),
    reason: /kind/,
  },
  'from a cart that does not own the plan': {
    payload: (broker) =>
      changed(broker, (message) => {
        message.cartID = 3;
        message.plan.version = 9;
      }),
    reason: /cart 3 has published a site plan, but cart 1 owns it/,
  },
  'over 256 kB': {
    payload: (broker) => changed(broker, (message) => Object.assign(message, { x: 'x'.repeat(256 * 1024) })),
    reason: /the limit is 262144/,
  },
  'that is not JSON': { payload: () => '{"plan":', reason: /JSON/ },
};
for (const [name, { payload, reason }] of Object.entries(INVALID)) {
  // Fault case 82
  test(
    `a plan ${name} changes nothing and is reported`,
    withFleet(async ({ broker, owner, member }) => {
      await owner.putZones([DOOR]);
      await member.has(1);
      const before = member.site.sitePlan.current.etag;
      await broker.client().publish(TOPIC, payload(broker), { qos: 1, retain: true });
      await until(() => member.rejected.length > 0);
      assert.match(member.rejected.join(), reason);
      assert.equal(member.site.sitePlan.current.etag, before);
      assert.equal(member.sharing.report?.state, 'CURRENT');
    }),
  );
}

// Fault case 82
test(
  'refuses and reports a replayed older plan until the next change',
  withFleet(async ({ broker, owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    const old = String(broker.retained.get(TOPIC));
    await owner.putZones([DOOR, SLOW]);
    await member.has(2);
    await member.restart();
    await broker.client().publish(TOPIC, old, { qos: 1, retain: true });
    await until(() => member.sharing.report?.state === 'REFUSED');
    assert.deepEqual(member.ids, ['door', 'slow']);
    assert.match(member.rejected.join(), /version 1 of the site plan is not newer/);
    await owner.putZones([SLOW]);
    await member.has(3);
    assert.equal(member.sharing.report?.state, 'CURRENT');
  }),
);

/**
 * Replaces the owner of version 2 with a gateway whose database is from version 1.
 * @param start what happens before that gateway connects
 */
function withRestoredOwner(
  start: (fleet: Fleet) => void,
  run: (restored: Gateway, fleet: Fleet) => Promise<void>,
): () => Promise<void> {
  return withFleet(async (fleet) => {
    const { broker, owner, member } = fleet;
    await owner.putZones([DOOR]);
    await owner.putZones([DOOR, SLOW]);
    await member.has(2);
    owner.bus.setOutage('the owner is being replaced');
    await withSite(async (site) => {
      await site.sitePlan.putZones({ zones: [SLOW] }, { by: ANNA, basis: site.sitePlan.current.etag });
      start(fleet);
      const restored = new Gateway(site, broker.client(), 1);
      restored.others = [member];
      await run(restored, fleet);
      assert.match(textOf(restored.sharing.fault), /version 1 of the site plan is older than version 2/);
      assert.deepEqual(member.ids, ['door', 'slow']);
      const { sitePlan } = site;
      assert.equal((await sitePlan.confirm({ by: ANNA, basis: sitePlan.current.etag })).version, 3);
      await member.has(3);
      assert.deepEqual(member.ids, ['slow']);
      assert.deepEqual([member.sharing.report?.state, restored.sharing.fault], ['CURRENT', '']);
    })();
  });
}

// Fault case 82
test(
  'a restored owner leaves the later plan on the broker until its own plan is confirmed with a higher version',
  withRestoredOwner(
    () => undefined,
    async (_restored, { broker, member }) => {
      assert.match(String(broker.retained.get(TOPIC)), /"version":2,/);
      assert.equal(member.sharing.report?.state, 'CURRENT');
    },
  ),
);

// Fault case 82
test(
  'a restored owner puts the later plan back if its own plan has already replaced it on the broker',
  withRestoredOwner(
    ({ broker }) => {
      const later = String(broker.retained.get(TOPIC));
      broker.retained.clear();
      setImmediate(() => void broker.client().publish(TOPIC, later, { qos: 1 }));
    },
    async (_restored, { broker, member }) => {
      assert.match(String(broker.retained.get(TOPIC)), /"version":1,/);
      await until(() => String(broker.retained.get(TOPIC)).includes('"version":2,'));
      await until(() => member.sharing.report?.state === 'CURRENT');
    },
  ),
);

// Fault case 82
test(
  'a restored owner learns from the other carts that its plan is older if the broker has lost the later one',
  withRestoredOwner(
    ({ broker }) => broker.retained.clear(),
    async (_restored, { member }) => {
      await until(() => member.sharing.report?.state === 'REFUSED');
    },
  ),
);

test(
  'a gateway that does not own the plan needs it as soon as the setting changes, until it has applied the plan',
  withFleet(async ({ owner, member }) => {
    member.setOwner(0);
    await member.putZones([DOOR]);
    const seen: unknown[] = [];
    const { sitePlan } = member.site;
    sitePlan.onChange(() => seen.push(sitePlan.current.reviewReason));
    member.setOwner(1);
    assert.deepEqual(seen, ['NOT_RECEIVED']);
    await owner.putZones([SLOW]);
    await member.has(1);
    assert.deepEqual([member.ids, sitePlan.current.reviewReason], [['slow'], null]);
  }),
);

test(
  'rejects edits on a gateway that does not own the plan, and names the owner and its address',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    const { sitePlan } = member.site;
    const edit = () => ({ by: ANNA, basis: sitePlan.current.etag });
    for (const attempt of [
      member.putZones([]),
      sitePlan.putPlaces({ places: [CHARGER] }, edit()),
      sitePlan.confirm(edit()),
    ]) {
      await assert.rejects(attempt, (error: GatewayError) => {
        assert.equal(error.code, 'CONFLICT');
        assert.match(error.message, /cart 1 owns the site plan/);
        assert.equal(
          textOf(hintOf(error)),
          'Change the site plan on gateway gw-1 (Cart 1): http://gateway-1:3000',
        );
        return true;
      });
    }
    assert.deepEqual(member.ids, ['door']);
    member.setOwner(0);
    await member.putZones([]);
    assert.deepEqual([member.ids, member.sharing.report], [[], undefined]);
  }),
);

test(
  'reports another floor plan while the image or the scale differs',
  withFleet(async ({ owner, member }) => {
    await member.site.drawFloor(100);
    await owner.putZones([DOOR]);
    await member.has(1);
    assert.equal(member.sharing.report?.state, 'OTHER_FLOOR_PLAN');
    await member.site.drawFloor(240, 20);
    assert.equal(member.sharing.report?.state, 'OTHER_FLOOR_PLAN');
    await member.site.drawFloor();
    assert.equal(member.sharing.report?.state, 'CURRENT');
    await owner.site.drawFloor(100);
    assert.deepEqual(
      [owner.sharing.report?.state, member.sharing.report?.state],
      ['NEEDS_REVIEW', 'CURRENT'],
    );
  }),
);

// Fault case 81
test(
  'an owner that has lost its database publishes nothing until its plan is confirmed',
  withFleet(async ({ broker, owner, member }) => {
    await owner.putZones([DOOR, SLOW]);
    await member.has(1);
    await owner.restart({ between: loseDatabase });
    await until(() => owner.sharing.fault !== '');
    const retained = String(broker.retained.get(TOPIC));
    await owner.putZones([SLOW]);
    owner.clock.advance(30_000);
    assert.equal(String(broker.retained.get(TOPIC)), retained);
    assert.deepEqual(member.ids, ['door', 'slow']);
    const { sitePlan } = owner.site;
    const { version } = await sitePlan.confirm({ by: ANNA, basis: sitePlan.current.etag });
    await member.has(version);
    assert.deepEqual(member.ids, ['slow']);
  }),
);

test(
  'the other gateway refuses a change until the owner has confirmed it on a new floor plan',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    await owner.site.drawFloor(100);
    await owner.putZones([SLOW]);
    await until(() => member.rejected.some((text) => /has not been confirmed/.test(text)));
    assert.deepEqual([member.ids, member.sharing.report?.state], [['door'], 'CURRENT']);
    const { sitePlan } = owner.site;
    const { version } = await sitePlan.confirm({ by: ANNA, basis: sitePlan.current.etag });
    await member.has(version);
    assert.deepEqual(member.ids, ['slow']);
  }),
);

for (const [title, between] of [
  ['has lost its database', loseDatabase],
  ['does not know which plan was saved last', spoilRecord],
] as const) {
  test(
    `a gateway that ${title} needs no confirmation once it has received the plan`,
    withFleet(async ({ owner, member }) => {
      await owner.putZones([DOOR]);
      await member.has(1);
      member.bus.setOutage('the broker is down');
      await member.restart({ between });
      assert.equal(member.site.sitePlan.current.reviewReason, 'DATA_LOST');
      member.bus.setOutage('');
      await until(() => member.sharing.report?.state === 'CURRENT');
      assert.deepEqual([member.ids, member.site.sitePlan.current.reviewReason], [['door'], null]);
      member.bus.setOutage('the broker is down');
      await member.restart();
      assert.equal(member.site.sitePlan.current.reviewReason, null);
    }),
  );
}

test(
  'a gateway that has lost its database refuses a replayed older plan',
  withFleet(async ({ broker, owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    const old = String(broker.retained.get(TOPIC));
    await owner.putZones([DOOR, SLOW]);
    await member.has(2);
    const later = String(broker.retained.get(TOPIC));
    owner.bus.setOutage('the owner is off');
    broker.retained.clear();
    await member.restart({ between: loseDatabase });
    await broker.client().publish(TOPIC, old, { qos: 1, retain: true });
    await until(() => member.rejected.some((text) => /version 1 of the site plan is not newer/.test(text)));
    assert.deepEqual([member.ids, member.site.sitePlan.current.reviewReason], [[], 'DATA_LOST']);
    await broker.client().publish(TOPIC, later, { qos: 1, retain: true });
    await member.has(2);
    assert.deepEqual([member.ids, member.site.sitePlan.current.reviewReason], [['door', 'slow'], null]);
  }),
);

test(
  'saves a plan later if the database could not be written',
  withFleet(async ({ owner, member }) => {
    const { store } = member.site;
    const write = store.write.bind(store);
    let failures = 0;
    store.write = (() => {
      failures += 1;
      return Promise.reject(new Error('disk full'));
    }) as typeof store.write;
    await owner.putZones([DOOR]);
    await until(() => member.site.log.events().includes('site.apply_failed'));
    assert.ok(failures > 0);
    assert.deepEqual(member.ids, []);
    store.write = write;
    member.clock.advance(5000);
    await member.has(1);
  }),
);

test(
  'a gateway without a site key neither publishes nor applies a plan, and reports a fault',
  withSite((ownerSite) =>
    withSite(async (memberSite) => {
      const broker = new MemoryBroker();
      const keyless = new Gateway(ownerSite, broker.client(), 1, null);
      await keyless.putZones([DOOR]);
      assert.equal(broker.retained.size, 0);
      assert.match(textOf(keyless.sharing.fault), /no site key/);
      const member = new Gateway(memberSite, broker.client(), 2, null);
      assert.equal([...broker.subscriptions].length, 0);
      assert.deepEqual(member.sharing.report, { version: 0, planHash: null, state: 'NONE' });
      await assert.rejects(member.putZones([DOOR]), hasCode('CONFLICT'));
    })(),
  ),
);

test(
  'follows another owner as soon as the setting changes',
  withFleet(async ({ owner, member }) => {
    await owner.putZones([DOOR]);
    await member.has(1);
    owner.setOwner(2);
    member.setOwner(2);
    await member.putZones([SLOW]);
    await owner.has(2);
    assert.deepEqual(owner.ids, ['slow']);
    await assert.rejects(owner.putZones([]), hasCode('CONFLICT'));
  }),
);

test.run();
