import type { CartMove, CartPosition } from '../../carts/command/model.js';
import type {
  BeatEvent,
  CartEvent,
  CommandEvent,
  LinksEvent,
  MovesEvent,
  PositionEvent,
  SnapshotEvent,
  TrialEvent,
  TrialNote,
  UnitsFingerprintEvent,
} from '../../carts/control/sse-events.js';
import type { DriverView, DriveState } from '../../carts/manual-drive/drive-messages.js';
import { driveMessageSchemas } from '../../carts/manual-drive/schema.js';
import { gatewayMembers } from '../../system/http/openapi.js';
import {
  flag,
  listOf,
  mapOf,
  moment,
  number,
  orNull,
  record,
  ref,
  text,
  uuid,
  whole,
} from '../../web/openapi/schema-helpers.js';
import type { Schema } from '../../web/openapi/types.js';

/** What is said on the two lines that stay open: `/events` and `/drive`. */

const said = {
  seq: { ...whole, description: 'Rises by one' },
  sentMs: { ...whole, unit: 'ms', description: 'When it was sent, by a clock that only ever goes on' },
};
const serverTimeMs = { ...number, unit: 'ms since 1970 UTC' };
const position = record<CartPosition>({ cartID: whole, heardAt: moment, observation: ref('Observation') });
const trial = orNull(
  record<TrialNote>({ id: text, by: text, what: text, leftMs: { ...number, unit: 'ms' } }),
);

const stopToken = {
  ...text,
  description:
    'For the header `X-Stop-Token`: stops carts also after the session has expired, and does nothing else',
};

const moves = listOf(record<CartMove>({ cartID: whole, name: text, by: text }));

const meaning = {
  ...text,
  description: 'Another than before: the numbers of commands mean something else now',
};

/** The events of `GET /events` by name: what `data:` holds. */
export const EVENTS: Readonly<Record<string, { summary: string; payload: Schema }>> = {
  snapshot: {
    summary: 'Everything: the first on every connection, and again for a reader who was too slow.',
    payload: record<SnapshotEvent>({
      ...{ ...said, serverTimeMs, bootId: uuid, gateway: record<SnapshotEvent['gateway']>(gatewayMembers) },
      ...{ links: ref('Links'), carts: listOf(ref('Cart')), commands: listOf(ref('Command')) },
      ...{ positions: listOf(position), trial, moves, meaning, stopToken: orNull(stopToken) },
    }),
  },
  cart: { summary: 'A cart has changed.', payload: record<CartEvent>({ ...said, cart: ref('Cart') }) },
  command: {
    summary: 'A command has gone on.',
    payload: record<CommandEvent>({ ...said, command: ref('Command') }),
  },
  position: {
    summary: 'A cart was located by beacons.',
    payload: record<PositionEvent>({ ...said, position }),
  },
  links: {
    summary: 'A connection has changed.',
    payload: record<LinksEvent>({ ...said, links: ref('Links') }),
  },
  trial: {
    summary: 'A change of the settings is on trial, or no longer.',
    payload: record<TrialEvent>({ ...said, trial }),
  },
  moves: {
    summary: 'Another cart is moved through this gateway, or one no longer is.',
    payload: record<MovesEvent>({ ...said, moves }),
  },
  meaning: {
    summary: 'The settings have changed.',
    payload: record<UnitsFingerprintEvent>({ ...said, meaning }),
  },
  beat: {
    summary: 'Four times a second: the connection lives, and so old is the picture of each cart.',
    payload: record<BeatEvent>({ ...said, serverTimeMs, ages: mapOf(orNull({ ...number, unit: 'ms' })) }),
  },
};

const seen = { name: text, isYou: flag };

/** What the gateway says at the drive socket. */
export const driveState = record<DriveState>(
  {
    ...{ n: whole, lease: whole, mayDrive: flag, seq: whole, heldMs: { ...number, unit: 'ms' } },
    driver: orNull(record<NonNullable<DriveState['driver']>>({ ...seen, isDriving: flag })),
    asking: listOf(record<DriverView>(seen)),
    ended: orNull(record<NonNullable<DriveState['ended']>>({ code: text, text, hint: text })),
    most: record<DriveState['most']>({
      speedMmps: { ...number, unit: 'mm/s' },
      turnDegps: { ...number, unit: 'deg/s' },
    }),
  },
  { stopToken },
);

/** What the page of a driver says there, and what for. */
export const DRIVE_MESSAGES: Readonly<
  Record<keyof typeof driveMessageSchemas, { summary: string; payload: Schema }>
> = {
  take: { summary: 'Asks for the lease.', payload: driveMessageSchemas.take },
  'hand-over': {
    summary: 'Gives the lease to whoever asked first.',
    payload: driveMessageSchemas['hand-over'],
  },
  leave: { summary: 'Gives the lease up, or asks for it no more.', payload: driveMessageSchemas.leave },
  drive: { summary: 'What the controls say now; ten times a second.', payload: driveMessageSchemas.drive },
  'let-go': { summary: 'The controls are not held any more.', payload: driveMessageSchemas['let-go'] },
  stop: { summary: 'Stops one cart or every cart; for everybody.', payload: driveMessageSchemas.stop },
};
