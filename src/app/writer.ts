import { replayAccess } from '../access/revocations/replay.js';
import { accessWrites } from '../access/writes.js';
import { sandboxWrites } from '../adapters/payments/sandbox-writes.js';
import { alarmWrites } from '../alarms/writes.js';
import { beaconWrites } from '../beacons/registry/writes.js';
import { markerWrites } from '../navigation/markers/writes.js';
import { shopWrites } from '../shop/writes.js';
import { runWriter } from '../store/writer/writer-loop.js';
import { opsWrites } from '../system/history/writes.js';

/** Composition root of the writer thread, with the write operations of all modules. */
await runWriter(
  [accessWrites, alarmWrites, beaconWrites, markerWrites, opsWrites, shopWrites, sandboxWrites],
  replayAccess,
);
