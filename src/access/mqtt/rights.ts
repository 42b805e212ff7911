/** What one client of the broker may do, by the scopes of its key. */
export interface MqttRights {
  /** The carts that it speaks for. */
  carts: ReadonlySet<string>;
  /** May listen to every cart. */
  reads: boolean;
  /** May command every cart, and listen to all. */
  controls: boolean;
}

/** What is said to a cart; every other topic of a cart is what it says itself. */
const TO_CART = new Set(['command', 'heartbeat', 'instantActions', 'position']);
const ALL = '_all';
const CART = /^mqtt:cart:([1-9]\d{0,4})$/;
const LEVEL = /^[A-Za-z0-9_-]+$/;

/** The rights that scopes give; undefined without the scope `mqtt`. */
export function mqttRights(scopes: readonly string[]): MqttRights | undefined {
  if (!scopes.includes('mqtt')) return undefined;
  const carts = new Set(scopes.flatMap((scope) => CART.exec(scope)?.[1] ?? []));
  return { carts, reads: scopes.includes('mqtt:read'), controls: scopes.includes('mqtt:control') };
}

/**
 * Whether a topic may be published to or a filter be subscribed to. Only `<base>/<cart>/<name>` exists; whatever has
 * another shape, `#` included, is refused, so that a filter can never match more than was judged.
 * @param base the levels above the carts, `cart/v1/<fleet>`.
 */
export function mayUse(
  rights: MqttRights,
  action: 'publish' | 'subscribe',
  topic: string,
  base: string,
): boolean {
  if (topic.startsWith('homeassistant/')) return mayAnnounce(rights, action, topic, base);
  if (!topic.startsWith(`${base}/`)) return false;
  const [cart = '', name = '', ...more] = topic.slice(base.length + 1).split('/');
  if (more.length > 0) return false;
  return action === 'publish' ? mayPublish(rights, cart, name) : maySubscribe(rights, cart, name);
}

/** What carts announce to Home Assistant: each for itself, and for everybody who may listen to all of them. */
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
  // Of gateways alone, which speak for a cart and command others.
  if (name === 'heartbeat') return controls && carts.size > 0 && cart !== ALL;
  return TO_CART.has(name) ? controls : carts.has(cart);
}

function maySubscribe({ carts, reads, controls }: MqttRights, cart: string, name: string): boolean {
  const isOwn = carts.has(cart) || (cart === ALL && carts.size > 0);
  if (!(cart === '+' || LEVEL.test(cart)) || !(name === '+' || LEVEL.test(name))) return false;
  if (controls || isOwn) return true;
  return reads && name !== '+' && !TO_CART.has(name);
}
