import { type CartView, nearestObstacle, obstacleText, sideOf } from '../../carts/pure.js';
import { metres } from '../../i18n/format.js';
import { t } from '../../i18n/shared-text.js';
import type { Text } from '../../shared/messages/message.js';

/** Returns a text such as `0.32 m in front`; a dash if the nearest obstacle is unknown. */
export function obstacleLabel({ field }: Pick<CartView, 'field'>): string {
  if (!field || field.ageS > 0 || field.sensors.length === 0) return '–';
  const nearest = nearestObstacle(field.sensors);
  if (!nearest) return field.sensors.every(({ valid }) => valid) ? t('none in range') : '–';
  const distance = metres(nearest.rangeMm);
  switch (sideOf(nearest.angleDeg)) {
    case 'ahead':
      return t('{0} in front', distance);
    case 'behind':
      return t('{0} at the rear', distance);
    case 'left':
      return t('{0} on the left', distance);
    default:
      return t('{0} on the right', distance);
  }
}

/** Replaces the controller's fault `obstacle` with the obstacle that blocks the cart, if it is known. */
export function namedFaults({
  field,
  telemetry,
  faults,
}: Pick<CartView, 'field' | 'telemetry' | 'faults'>): Text[] {
  const all: Text[] = [...(telemetry?.faults ?? []), ...faults.map(({ message }) => message)];
  if (!field || field.ageS > 0 || field.blocked.length === 0) return all;
  const direction = field.blocked.find((blocked) => blocked !== 'turning');
  return all.map((fault) => (fault === 'obstacle' ? obstacleText(field, direction) : fault));
}
