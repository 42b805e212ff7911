import { accessWrites, replayAccess } from '../access/index.js';
import { sandboxWrites } from '../adapters/payments/sandbox-writes.js';
import { alarmWrites } from '../alarms/index.js';
import { beaconWrites } from '../beacons/index.js';
import { markerWrites } from '../navigation/index.js';
import { shopWrites } from '../shop/index.js';
import { runWrites, siteWrites } from '../site/index.js';
import { runWriter } from '../store/writer/writer-loop.js';
import { opsWrites } from '../system/index.js';

/** Composition root of the writer thread, with the write operations of all modules. */
await runWriter(
  [
    accessWrites,
    alarmWrites,
    beaconWrites,
    markerWrites,
    opsWrites,
    shopWrites,
    siteWrites,
    runWrites,
    sandboxWrites,
  ],
  replayAccess,
);
