import {
  type BeatEvent,
  type CartEvent,
  type CartMove,
  type CartPosition,
  type CommandEvent,
  type DriverView,
  type DriveState,
  driveMessageSchemas,
  type FirmwareEvent,
  type FirmwareProgress,
  type HolderView,
  type LinksEvent,
  type MovesEvent,
  PHASES,
  type PositionEvent,
  type SitePlanEvent,
  type SitePlanState,
  type SnapshotEvent,
  type TrialEndNote,
  type TrialEvent,
  type TrialNote,
  type UnitsFingerprintEvent,
  type ZoneOverride,
  type ZoneOverrideEvent,
} from '../../carts/index.js';
import { zoneDetails } from '../../http/openapi/failures.js';
import {
  between,
  flag,
  listOf,
  mapOf,
  moment,
  number,
  oneOf,
  orNull,
  record,
  ref,
  text,
  uuid,
  whole,
} from '../../http/openapi/schema-helpers.js';
import type { Schema } from '../../http/openapi/types.js';
import { gatewayMembers } from '../../system/index.js';

const eventHead = {
  seq: { ...whole, description: 'Increases by one with each event' },
  sentMs: { ...whole, unit: 'ms', description: 'Send time, from a monotonic clock' },
};
const serverTimeMs = { ...number, unit: 'Unix time in ms' };
const position = record<CartPosition>({ cartID: whole, heardAt: moment, observation: ref('Observation') });
const trial = orNull(
  record<TrialNote>({ id: text, by: text, what: text, leftMs: { ...number, unit: 'ms' } }),
);

const trialEnded = {
  ...orNull(
    record<TrialEndNote>({
      id: text,
      what: text,
      outcome: oneOf(['confirmed', 'rolledBack', 'expired']),
      by: text,
    }),
  ),
  description: 'Outcome of the latest trial; null if no trial has ended since the gateway started',
};

const stopToken = {
  ...text,
  description: 'Value for the `X-Stop-Token` header; permits only stops, even after the session has expired',
};

const moves = listOf(record<CartMove>({ cartID: whole, name: text, by: text }));

const firmware = record<FirmwareProgress>({ phase: oneOf(PHASES), percent: between(0, 100) });

const zoneOverride = {
  ...orNull(record<ZoneOverride>({ by: text, reason: text, leftMs: { ...whole, unit: 'ms' } })),
  description: 'The operator who drives by hand through zones; null if no operator does',
};

const meaning = {
  ...text,
  description: 'Changes when the command units or presets change',
};

/** Events of `GET /events`, by name. `payload` is the content of `data:`. */
export const EVENTS: Readonly<Record<string, { summary: string; payload: Schema }>> = {
  snapshot: {
    summary:
      'The complete state. The snapshot is the first event on every connection and is sent again to clients that fell behind.',
    payload: record<SnapshotEvent>({
      ...eventHead,
      serverTimeMs,
      bootId: uuid,
      gateway: record<SnapshotEvent['gateway']>(gatewayMembers),
      links: ref('Links'),
      carts: listOf(ref('Cart')),
      commands: listOf(ref('Command')),
      positions: listOf(position),
      trial,
      trialEnded,
      moves,
      firmware,
      zoneOverride,
      meaning,
      stopToken: orNull(stopToken),
    }),
  },
  cart: {
    summary: "A cart's state has changed.",
    payload: record<CartEvent>({ ...eventHead, cart: ref('Cart') }),
  },
  command: {
    summary: "A command's state has changed.",
    payload: record<CommandEvent>({ ...eventHead, command: ref('Command') }),
  },
  position: {
    summary: "A cart's position was computed from beacons.",
    payload: record<PositionEvent>({ ...eventHead, position }),
  },
  links: {
    summary: 'The state of the broker connection or the camera has changed.',
    payload: record<LinksEvent>({ ...eventHead, links: ref('Links') }),
  },
  trial: {
    summary: 'A settings trial has started or ended. Sent only to clients that may read the settings.',
    payload: record<TrialEvent>({ ...eventHead, trial, trialEnded }),
  },
  firmware: {
    summary: "The motor controller's firmware update has progressed.",
    payload: record<FirmwareEvent>({ ...eventHead, firmware }),
  },
  sitePlan: {
    summary:
      'The zones, the places or the floor plan have changed. The snapshot does not contain them: request `/zones` and `/places` after each snapshot.',
    payload: record<SitePlanEvent>({
      ...eventHead,
      sitePlan: record<SitePlanState>({ version: whole, planHash: orNull(text), needsReview: flag }),
    }),
  },
  zoneOverride: {
    summary: 'An operator has switched the zones off or on, or a latching stop has switched them on.',
    payload: record<ZoneOverrideEvent>({ ...eventHead, zoneOverride }),
  },
  moves: {
    summary: 'The list of carts being moved through this gateway has changed.',
    payload: record<MovesEvent>({ ...eventHead, moves }),
  },
  meaning: {
    summary: 'The command units or presets have changed.',
    payload: record<UnitsFingerprintEvent>({ ...eventHead, meaning }),
  },
  beat: {
    summary:
      "Sent four times per second. Keeps the connection alive and reports the age of each cart's data.",
    payload: record<BeatEvent>({
      ...eventHead,
      serverTimeMs,
      ages: mapOf(orNull({ ...number, unit: 'ms' })),
    }),
  },
};

const driverView = { name: text, isYou: flag };

export const driveState = record<DriveState>(
  {
    n: whole,
    lease: whole,
    mayDrive: flag,
    seq: whole,
    heldMs: { ...number, unit: 'ms' },
    driver: orNull(record<HolderView>({ ...driverView, isDriving: flag, isIdle: flag })),
    asking: listOf(record<DriverView>(driverView)),
    ended: orNull(
      record<NonNullable<DriveState['ended']>>({ code: text, text, hint: text, stopped: flag }, zoneDetails),
    ),
    most: record<DriveState['most']>({
      speedMmps: { ...number, unit: 'mm/s' },
      turnDegps: { ...number, unit: 'deg/s' },
      decelMmps2: { ...number, unit: 'mm/s²' },
    }),
  },
  { stopToken },
);

export const DRIVE_MESSAGES: Readonly<
  Record<keyof typeof driveMessageSchemas, { summary: string; payload: Schema }>
> = {
  take: { summary: 'Takes or requests control.', payload: driveMessageSchemas.take },
  'hand-over': {
    summary: 'Hands over control to the user who requested it first.',
    payload: driveMessageSchemas['hand-over'],
  },
  leave: {
    summary: 'Releases control, or cancels a request for control.',
    payload: driveMessageSchemas.leave,
  },
  drive: {
    summary: "Position of the driver's controls, sent ten times per second.",
    payload: driveMessageSchemas.drive,
  },
  hold: {
    summary: 'The control of a run is held; sent ten times per second.',
    payload: driveMessageSchemas.hold,
  },
  'let-go': { summary: 'The controls were released.', payload: driveMessageSchemas['let-go'] },
  stop: {
    summary: 'Stops one cart or all carts; permitted for every user.',
    payload: driveMessageSchemas.stop,
  },
};
