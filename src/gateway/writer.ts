import { replayAccess } from '../access/revocations/replay.js';
import { accessWrites } from '../access/writes.js';
import { sandboxWrites } from '../adapters/payments/sandbox-writes.js';
import { beaconWrites } from '../beacons/registry/writes.js';
import { shopWrites } from '../shop/writes.js';
import { runWriter } from '../store/writer/writer-loop.js';
import { opsWrites } from '../system/history/writes.js';

/** The writer thread's own root: every room whose `writes.ts` may change the database. */
await runWriter([accessWrites, beaconWrites, opsWrites, shopWrites, sandboxWrites], replayAccess);
