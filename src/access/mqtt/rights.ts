export interface MqttRights {
  carts: ReadonlySet<string>;
  /** Permits subscriptions to all carts' topics. */
  reads: boolean;
  /** Permits commands to all carts and subscriptions to their topics. */
  controls: boolean;
}

/** Topics that a cart subscribes to; a cart publishes to all of its other topics. */
const TO_CART = new Set(['command', 'heartbeat', 'instantActions', 'position']);
/** Another gateway's "Test connection" subscribes to a new topic of this form, then publishes to it. */
const CONNECTION_TEST = /^cartwright-test\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ALL = '_all';
/** First level of the fleet's site plan, `site/plan`. */
const SITE = 'site';
const CART = /^mqtt:cart:([1-9]\d{0,4})$/;
const LEVEL = /^[A-Za-z0-9_-]+$/;

export function mqttRights(scopes: readonly string[]): MqttRights | undefined {
  if (!scopes.includes('mqtt')) return undefined;
  const carts = new Set(scopes.flatMap((scope) => CART.exec(scope)?.[1] ?? []));
  return { carts, reads: scopes.includes('mqtt:read'), controls: scopes.includes('mqtt:control') };
}

/**
 * Returns true if the client is allowed to publish to a topic or subscribe to a filter. Except for connection tests
 * and Home Assistant, only the form `<base>/<cart>/<name>` is allowed, so that a wildcard such as `#` cannot match
 * topics that were not checked.
 * @param base topic prefix above the cart level: `cart/v1/<fleet>`.
 */
export function mayUse(
  rights: MqttRights,
  action: 'publish' | 'subscribe',
  topic: string,
  base: string,
): boolean {
  if (CONNECTION_TEST.test(topic)) return true;
  if (topic.startsWith('homeassistant/')) return mayAnnounce(rights, action, topic, base);
  if (!topic.startsWith(`${base}/`)) return false;
  const [cart = '', name = '', ...more] = topic.slice(base.length + 1).split('/');
  if (more.length > 0) return false;
  return action === 'publish' ? mayPublish(rights, cart, name) : maySubscribe(rights, cart, name);
}

/**
 * Returns true if the client is allowed to use a topic of Home Assistant discovery: a cart can publish to its own
 * topic, and clients that can read all carts' topics can subscribe.
 */
function mayAnnounce(
  { carts, reads, controls }: MqttRights,
  action: 'publish' | 'subscribe',
  topic: string,
  base: string,
): boolean {
  if (action === 'subscribe') return reads || controls;
  const [, cart = ''] = /^homeassistant\/device\/cartwright_[A-Za-z0-9_-]+_(\d+)\/config$/.exec(topic) ?? [];
  const fleet = base.slice(base.lastIndexOf('/') + 1);
  return carts.has(cart) && topic === `homeassistant/device/cartwright_${fleet}_${cart}/config`;
}

function mayPublish({ carts, controls }: MqttRights, cart: string, name: string): boolean {
  if (!LEVEL.test(cart) || !LEVEL.test(name)) return false;
  // Only gateways can publish heartbeats and site plans. A gateway's key has the scope of its own cart and the scope `mqtt:control`.
  if (cart === SITE) return controls && carts.size > 0 && name === 'plan';
  if (name === 'heartbeat') return controls && carts.size > 0 && cart !== ALL;
  return TO_CART.has(name) ? controls : carts.has(cart);
}

function maySubscribe({ carts, reads, controls }: MqttRights, cart: string, name: string): boolean {
  const isOwn = carts.has(cart) || ((cart === ALL || cart === SITE) && carts.size > 0);
  if (!(cart === '+' || LEVEL.test(cart)) || !(name === '+' || LEVEL.test(name))) return false;
  if (controls || isOwn) return true;
  return reads && name !== '+' && !TO_CART.has(name);
}
