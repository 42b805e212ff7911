import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type CartSitePlan,
  type CartView,
  Headers,
  type MqttAgent,
  type Refusal,
  type TopicIdentity,
  Topics,
} from '../../carts/index.js';
import { gatewayActor } from '../../shared/actor.js';
import { cancelAll } from '../../shared/cancel-all.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus } from '../../shared/ports/mqtt.js';
import { siteMessage } from '../messages.js';
import type { PlanOwnership, SharedPlan, SitePlan } from '../plan-data/site-plan.js';
import type { SiteSettings } from '../settings-schema.js';
import { MAX_PLAN_BYTES, readPlan, type SitePlanMessage, signPlan } from './plan-message.js';

/** Time until a plan that could not be saved is saved again. */
const RETRY_MS = 5000;
/** Interval at which the plan is published again for carts that have not received it, for example from another node. */
const REPEAT_MS = 30_000;
/** A version that is higher than the owner's by more than this is ignored in another cart's state. */
const MAX_GAP = 1_000_000;

interface PlanSharingDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  /** Without a key, nothing is published or applied. */
  siteKey: KeyObject | undefined;
  settings: () => Pick<SiteSettings, 'planOwner'>;
  clock: Clock;
  log: Log;
}

interface PlanSharingSource {
  sitePlan: Pick<SitePlan, 'current' | 'shared' | 'isShared' | 'applyShared' | 'onChange' | 'refresh'>;
  /** Calls the listener after each change of the settings. */
  onSettings: (listener: () => void) => Cancel;
  /** The address of this gateway's pages for other machines. */
  url: () => string;
  /** The carts of other gateways. */
  carts: () => readonly Pick<CartView, 'online' | 'sitePlan'>[];
  reject: MqttAgent['reject'];
}

/**
 * Publishes the site plan if this gateway owns it, and otherwise applies the plan that the owner publishes. The
 * version only increases, across restarts and restores, so that a replayed message never replaces a later plan.
 */
export class PlanSharing implements PlanOwnership {
  readonly #deps: PlanSharingDeps;
  readonly #topic: string;
  readonly #headers: Headers;
  #source: PlanSharingSource | undefined;
  #owner: Pick<SitePlanMessage, 'cartID' | 'gatewayId' | 'name' | 'url'> | undefined;
  #publishedVersion = 0;
  /** The version that the owner has published and this gateway has refused, because its own is later. */
  #refusedVersion: number | undefined;
  #isTooLarge = false;
  #report: CartSitePlan | undefined;
  #wasConnected = false;
  #cancelRetry: Cancel = () => {};

  constructor(deps: PlanSharingDeps) {
    this.#deps = deps;
    this.#topic = new Topics(deps.identity).sitePlan;
    this.#headers = new Headers(deps.identity);
  }

  /** Until then, nothing is published or applied. */
  start(source: PlanSharingSource): Cancel {
    const { bus, clock } = this.#deps;
    this.#source = source;
    let unsubscribe: Cancel | undefined;
    // Without a site key, an existing broker's access rules may forbid the subscription.
    const follow = (): void => {
      const isWanted = this.#deps.settings().planOwner > 0 && this.#deps.siteKey !== undefined;
      if (isWanted) unsubscribe ??= bus.subscribe(this.#topic, (message) => this.#take(message));
      else {
        unsubscribe?.();
        unsubscribe = undefined;
      }
    };
    const changed = (): void => {
      this.#update();
      this.#publish();
    };
    follow();
    const cancels = [
      source.sitePlan.onChange(changed),
      source.onSettings(() => {
        this.#refusedVersion = undefined;
        follow();
        source.sitePlan.refresh();
      }),
      bus.onStatus(({ connected }) => this.#onBus(connected)),
      clock.every(REPEAT_MS, () => this.#repeat()),
      () => unsubscribe?.(),
      () => this.#cancelRetry(),
    ];
    this.#update();
    this.#onBus(bus.status().connected);
    return cancelAll(cancels);
  }

  /** The site plan that this gateway's cart uses; undefined if the site plan is not shared. */
  get report(): CartSitePlan | undefined {
    return this.#report;
  }

  get publishedVersion(): number {
    if (this.#role !== 'owner') return 0;
    const own = this.#report?.version ?? 0;
    // Another cart's state is not signed, so it must not use up the version numbers.
    const refusing = (this.#source?.carts() ?? []).flatMap(({ online, sitePlan }) =>
      online && sitePlan?.state === 'REFUSED' ? [Math.min(sitePlan.version, own + MAX_GAP)] : [],
    );
    return Math.max(this.#publishedVersion, ...refusing);
  }

  /** Why this gateway rejects changes of the site plan; undefined if it accepts them. */
  get editRefusal(): (Refusal & { hint: Text }) | undefined {
    if (this.#role !== 'member') return undefined;
    const { planOwner } = this.#deps.settings();
    const { cartID, gatewayId = '', name = '', url = '' } = this.#owner ?? {};
    return {
      code: 'CONFLICT',
      text: siteMessage('other-owner', { cartID: planOwner }),
      hint:
        cartID === planOwner
          ? siteMessage('other-owner-hint', { name, gatewayId, url })
          : siteMessage('unknown-owner-hint', { cartID: planOwner }),
    };
  }

  get isMember(): boolean {
    return this.#role === 'member';
  }

  requireOwner(): void {
    const { editRefusal } = this;
    if (editRefusal) throw new GatewayError('CONFLICT', editRefusal.text, { hint: editRefusal.hint });
  }

  /** Why the plan is not shared as the settings require; empty if it is. */
  get fault(): Text {
    if (this.#role === 'none') return '';
    if (!this.#deps.siteKey) return siteMessage('no-site-key');
    if (this.#role === 'member') return '';
    if (this.#isTooLarge) return siteMessage('too-large', { limit: MAX_PLAN_BYTES / 1024 });
    const { publishedVersion: published } = this;
    const version = this.#report?.version ?? 0;
    return this.#isBehind(published) ? siteMessage('behind', { version, published }) : '';
  }

  /** True if other gateways have a later plan than this gateway, which owns the plan. */
  #isBehind(published: number): boolean {
    const version = this.#report?.version ?? 0;
    return version < published || (version > 0 && version === published);
  }

  get #role(): 'none' | 'owner' | 'member' {
    const { planOwner } = this.#deps.settings();
    if (planOwner === 0) return 'none';
    return planOwner === this.#deps.identity.cartId ? 'owner' : 'member';
  }

  #onBus(connected: boolean): void {
    const isNew = connected && !this.#wasConnected;
    this.#wasConnected = connected;
    if (isNew) this.#publish();
  }

  /** Computed in advance, because the control loop reads it and must not read the database. */
  #update(): void {
    try {
      this.#report = this.#source && this.#reportOf(this.#source.sitePlan);
    } catch {
      // The zone gate logs that the plan cannot be read, and refuses to move the cart.
      this.#report = undefined;
    }
  }

  #reportOf(sitePlan: PlanSharingSource['sitePlan']): CartSitePlan | undefined {
    const role = this.#role;
    if (role === 'none') return undefined;
    const { version, planHash, reviewReason } = sitePlan.current;
    if (version === 0 || (role === 'member' && !sitePlan.isShared))
      return { version: 0, planHash: null, state: 'NONE' };
    const review = reviewReason === 'OTHER_FLOOR_PLAN' ? 'OTHER_FLOOR_PLAN' : 'NEEDS_REVIEW';
    const state = reviewReason === null ? 'CURRENT' : review;
    return { version, planHash, state: this.#refusedVersion === undefined ? state : 'REFUSED' };
  }

  #repeat(): void {
    const { version: own = 0 } = this.#report ?? {};
    const isOutdated = ({ online, sitePlan }: Pick<CartView, 'online' | 'sitePlan'>): boolean =>
      online && sitePlan !== undefined && sitePlan.version < own;
    if (this.#source?.carts().some(isOutdated)) this.#publish();
  }

  #publish(): void {
    const { bus, identity, siteKey, clock, log } = this.#deps;
    if (!this.#source || !siteKey || this.#role !== 'owner' || !bus.status().connected) return;
    // The other gateways would refuse the plan.
    if (this.#isBehind(this.#publishedVersion)) return;
    let plan: SharedPlan | undefined;
    try {
      // Zones may be missing, so the other gateways keep theirs until a person has confirmed the plan.
      if (this.#source.sitePlan.current.reviewReason === 'DATA_LOST') return;
      plan = this.#source.sitePlan.shared;
    } catch {
      return;
    }
    if (!plan) return;
    const header = this.#headers.next(this.#topic, clock.wallTime());
    const { cartID, gatewayId } = header;
    const publisher = { cartID, gatewayId, name: identity.name, url: this.#source.url() };
    // Signed as a receiver parses it.
    const content = JSON.parse(JSON.stringify(plan)) as SitePlanMessage['plan'];
    const signature = signPlan(siteKey, this.#topic, { ...publisher, plan: content });
    const payload = JSON.stringify({ ...header, ...publisher, plan: content, signature });
    const wasTooLarge = this.#isTooLarge;
    this.#isTooLarge = Buffer.byteLength(payload) > MAX_PLAN_BYTES;
    if (this.#isTooLarge) {
      if (!wasTooLarge) log.error('site.publish_failed', { reason: this.fault });
      return;
    }
    this.#send(payload);
  }

  #send(payload: string): void {
    const { bus, log } = this.#deps;
    bus.publish(this.#topic, payload, { qos: 1, retain: true }).catch((error: unknown) => {
      log.warn('site.publish_failed', { reason: messageOf(error) });
    });
  }

  #take(message: BusMessage): void {
    const { siteKey, identity, settings } = this.#deps;
    if (!this.#source || !siteKey || message.payload.length === 0) return;
    const read = readPlan(message, siteKey);
    if ('refusal' in read) return this.#reject(read.refusal);
    const { value } = read;
    if (value.sessionId === identity.sessionId) return;
    if (this.#role === 'owner') this.#learn(value, message.payload);
    const { planOwner } = settings();
    if (value.cartID !== planOwner) {
      return this.#reject(`cart ${value.cartID} has published a site plan, but cart ${planOwner} owns it`);
    }
    if (this.#role === 'member') {
      this.#owner = value;
      this.#apply(value);
    }
  }

  /** Remembers the version of a message of an earlier owner, or of this gateway before its data were restored. */
  #learn({ cartID, plan }: SitePlanMessage, payload: Buffer): void {
    const { needsReview: _needsReview, ...published } = plan;
    const { needsReview: _ownReview, ...own } = this.#source?.sitePlan.shared ?? { needsReview: false };
    if (isDeepStrictEqual(published, own)) return;
    if (plan.version <= this.#publishedVersion) return;
    this.#publishedVersion = plan.version;
    if (!this.#isBehind(plan.version)) return;
    const { identity, log } = this.#deps;
    log.warn('site.plan_behind', { reason: this.fault });
    // The earlier plan may already have replaced this one on the broker.
    if (cartID === identity.cartId) this.#send(payload.toString('utf8'));
  }

  #apply(message: SitePlanMessage): void {
    const { clock, log } = this.#deps;
    this.#cancelRetry();
    const plan = planOf(message);
    this.#source?.sitePlan
      .applyShared(plan, gatewayActor(message.gatewayId))
      .then((outcome) => {
        if (this.#owner !== message) return;
        this.#refusedVersion = outcome === 'older' ? plan.version : undefined;
        if (outcome === 'older')
          this.#reject(`version ${plan.version} of the site plan is not newer than the cart's version`);
        if (outcome === 'unreviewed')
          this.#reject(`version ${plan.version} of the site plan has not been confirmed on its gateway`);
        this.#update();
      })
      .catch((error: unknown) => {
        if (error instanceof GatewayError && error.code === 'INVALID_INPUT')
          return this.#reject(messageOf(error));
        log.error('site.apply_failed', { version: plan.version, reason: messageOf(error) });
        if (this.#owner === message) this.#cancelRetry = clock.after(RETRY_MS, () => this.#apply(message));
      });
  }

  #reject(text: string): void {
    this.#source?.reject({ code: 'SITE_PLAN_REFUSED', text }, { topic: this.#topic });
  }
}

/** The schema requires two coordinates for each corner. */
function planOf({ plan }: SitePlanMessage): SharedPlan {
  return {
    ...plan,
    zones: plan.zones as unknown as SharedPlan['zones'],
    routes: plan.routes as SharedPlan['routes'],
  };
}
