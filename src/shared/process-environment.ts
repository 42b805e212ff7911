/** Search path, locale, time zone and libraries, but no variable of the gateway. */
const PASSED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|LD_LIBRARY_PATH|LIBCAMERA_\w+)$/;

/** The environment for a child process. An allow-list, so that passwords and keys are not passed on. */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))), ...more };
}

/**
 * The runtime directory of the systemd unit: in memory, and removed when all processes of the unit have ended. Undefined
 * outside systemd and for a unit without one.
 */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // A unit may list several; the gateway's units use the first.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
