/**
 * Where systemd lets a service keep files for as long as it runs: in memory, and removed when all programs of the unit have
 * ended. Undefined for a process that systemd has not started, or that has none.
 */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // A unit may have several; the first is the one that all of ours use.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
