import { replayAccess } from './access/replay.js';
import { accessWrites } from './access/writes.js';
import { sandboxWrites } from './adapters/sandbox-writes.js';
import { beaconWrites } from './beacons/writes.js';
import { opsWrites } from './ops/writes.js';
import { shopWrites } from './shop/writes.js';
import { runWriter } from './store/run-writer.js';

/** The writer thread's own root: every room whose `writes.ts` may change the database. */
await runWriter([accessWrites, beaconWrites, opsWrites, shopWrites, sandboxWrites], replayAccess);
