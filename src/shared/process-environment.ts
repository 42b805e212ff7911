/** Search path, locale, time zone and libraries; no variable of the gateway. */
const PASSED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|LD_LIBRARY_PATH|LIBCAMERA_\w+)$/;

/** The environment for a child process: an allow-list, so that no password or key is passed on. */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))), ...more };
}

/**
 * The runtime directory that systemd gives a service: in memory, and removed when all programs of the unit have ended.
 * Undefined outside systemd and for a unit without one.
 */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // A unit may list several; our units use the first.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
