import type { Clock } from '../../../shared/ports/clock.js';
import { Signal } from '../../../shared/signal.js';
import {
  BUMPER_NAMES,
  type FieldPort,
  type FieldReport,
  type FieldSensor,
} from '../../protective-field/model.js';
import { BLOCKED, BUMPERS, type FrameOf } from '../codec/codec.js';
import { TRAVEL_DIRECTIONS } from '../codec/field-rules.js';
import type { Requests } from './requests.js';

const FIELD_ON = 1;
const RANGE_VALID = 1;

interface FieldChannelDeps {
  requests: Pick<Requests, 'send'>;
  clock: Clock;
}

/** The frames of the protective field (CGW1 version 1.1). */
export class FieldChannel implements FieldPort {
  latest: FieldReport | undefined;
  readonly #deps: FieldChannelDeps;
  readonly #report = new Signal();
  #sensors: Omit<FieldSensor, 'rangeMm' | 'valid'>[] = [];

  constructor(deps: FieldChannelDeps) {
    this.#deps = deps;
  }

  readonly onReport = this.#report.on.bind(this.#report);

  /** The controller uses at least its own margin and reaction time. */
  async open(marginMm: number, reactionMs: number): Promise<void> {
    const { requests } = this.#deps;
    await requests.send('sensors', { type: 'SENSORS' });
    await requests.send('field', { type: 'FIELD', marginMm, reactionMs, flags: FIELD_ON });
  }

  onSensors({ sensors }: FrameOf<'SENSORS_R'>): void {
    this.#sensors = sensors.map(({ angleDdeg, fieldOfViewDeg, maxRangeCm }) => ({
      angleDeg: angleDdeg / 10,
      fieldOfViewDeg,
      maxRangeMm: maxRangeCm * 10,
    }));
  }

  onRanges({ bumpers, blocked, ranges }: FrameOf<'RANGES'>): void {
    const measured = new Map(ranges.map((range) => [range.sensor, range]));
    this.latest = {
      atMs: this.#deps.clock.now(),
      sensors: this.#sensors.map((sensor, index) => {
        const { rangeMm = null, flags = 0 } = measured.get(index) ?? {};
        return { ...sensor, rangeMm, valid: (flags & RANGE_VALID) !== 0 };
      }),
      bumpers: BUMPER_NAMES.filter((name) => bumpers & BUMPERS[name]),
      blocked: TRAVEL_DIRECTIONS.filter((direction) => blocked & BLOCKED[direction]),
    };
    this.#report.emit();
  }
}
