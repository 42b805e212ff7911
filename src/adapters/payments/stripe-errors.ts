import { GatewayError } from '../../shared/errors.js';

/** Whatever the SDK threw, as an error of the provider port. A sentence of Stripe's own is never handed on: it may hold part of the key. */
export function stripeError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const { type, code, statusCode } = partsOf(thrown);
  const text = `${code || type || 'no readable answer'}${statusCode ? ` (HTTP ${statusCode})` : ''}`;
  const make = (kind: string, sentence: string): GatewayError =>
    new GatewayError(kind, sentence, { cause: thrown });
  if (code === 'amount_too_small' || code === 'amount_too_large') {
    return make('PROVIDER_AMOUNT', `Stripe does not take this amount: ${code.replaceAll('_', ' ')}`);
  }
  switch (type) {
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return make('PROVIDER_REFUSED', 'Stripe does not accept the API key');
    case 'StripeInvalidRequestError':
      if (statusCode === 404) return make('PROVIDER_UNKNOWN', `Stripe does not know it: ${text}`);
      return make('PROVIDER_REFUSED', `Stripe refused: ${text}`);
    case 'StripeCardError':
      return make('PROVIDER_REFUSED', `Stripe refused: ${text}`);
    case 'StripeAPIError':
      // It keeps this answer with the key, and repeats it.
      if (statusCode >= 500) return make('PROVIDER_FAILED', `Stripe failed: ${text}`);
      return make('PROVIDER_UNCLEAR', `Stripe's answer cannot be read: ${text}`);
    case 'StripeConnectionError':
      return make('PROVIDER_UNCLEAR', 'Stripe cannot be reached');
    default:
      // Rate limits, idempotency conflicts, and whatever is new: ask again later, with the same key.
      return make('PROVIDER_UNCLEAR', `Stripe did not do it: ${text}`);
  }
}

/** By the names, not the classes: those are loaded only when Stripe is used. */
function partsOf(thrown: unknown): { type: string; code: string; statusCode: number } {
  const of = (key: string): unknown =>
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined;
  const [type, code, statusCode] = [of('type'), of('code'), of('statusCode')];
  return {
    type: typeof type === 'string' && type.startsWith('Stripe') ? type : '',
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : 0,
  };
}
