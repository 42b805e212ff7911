import type { Text } from '../../shared/messages/message.js';
import { cartFaultMessage } from '../faults/messages.js';
import { countsFor, type TravelDirection } from '../serial/codec/field-rules.js';
import { fieldMessage } from './messages.js';
import type { FieldSensor, FieldView } from './model.js';

type Measured = FieldSensor & { rangeMm: number };

/** Returns the sensor with the shortest valid range, among those that cover `direction` if it is given. */
export function nearestObstacle(
  sensors: readonly FieldSensor[],
  direction?: TravelDirection,
): Measured | undefined {
  return sensors
    .filter((sensor): sensor is Measured => sensor.valid && sensor.rangeMm !== null)
    .filter(({ angleDeg }) => direction === undefined || countsFor(direction, angleDeg))
    .reduce<Measured | undefined>(
      (nearest, sensor) => (nearest && nearest.rangeMm <= sensor.rangeMm ? nearest : sensor),
      undefined,
    );
}

/** Returns a text such as `obstacle 320 mm ahead`. */
export function obstacleText(
  { sensors, bumpers }: Pick<FieldView, 'sensors' | 'bumpers'>,
  direction: TravelDirection | undefined,
): Text {
  const isFront = bumpers.some((name) => name.startsWith('front'));
  const isRear = bumpers.some((name) => name.startsWith('rear'));
  if (isFront && direction !== 'backward') return fieldMessage('front');
  if (isRear && direction !== 'forward') return fieldMessage('rear');
  const nearest = nearestObstacle(sensors, direction);
  return nearest ? distanceText(nearest) : cartFaultMessage('obstacle');
}

function distanceText({ angleDeg, rangeMm }: Measured): Text {
  return fieldMessage(sideOf(angleDeg), { mm: rangeMm });
}

/** Returns the side of the cart that an angle points to. */
export function sideOf(angleDeg: number): 'ahead' | 'behind' | 'left' | 'right' {
  const aside = Math.abs(angleDeg);
  if (aside <= 45) return 'ahead';
  if (aside >= 135) return 'behind';
  return angleDeg > 0 ? 'left' : 'right';
}
