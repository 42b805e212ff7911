import { readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Runs `work` and returns the paths for which it called fsync, in this order. */
export async function syncedPaths(work: () => Promise<unknown>): Promise<string[]> {
  const handle = await open('/');
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  const paths: string[] = [];
  prototype.sync = function (this: FileHandle) {
    paths.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  };
  try {
    await work();
  } finally {
    prototype.sync = sync;
  }
  return paths;
}
