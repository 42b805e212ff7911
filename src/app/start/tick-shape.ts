import { createHook } from 'node:async_hooks';

/** Referenced for the lifetime of the process. */
let kept: object | undefined;

/**
 * Keeps one of the objects that Node uses to store the callbacks of `process.nextTick`. Without it, no such object
 * exists while the process is idle, the garbage collector discards their hidden class, and V8 then creates each of
 * them through its slowest path: 0.3 µs instead of 0.04 µs on a PC, about eight times in each HTTP request. Call
 * this first: once a collection has discarded the class, V8 does not create it again. See bench/tick-cost.ts.
 */
export function keepTickShape(): object | undefined {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept = resource;
    },
  }).enable();
  process.nextTick(() => undefined);
  hook.disable();
  return kept;
}
