/**
 * Variables for the search path, locale, time zone and libraries. None of the gateway's variables are
 * included.
 */
const PASSED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|LD_LIBRARY_PATH|LIBCAMERA_\w+)$/;

/**
 * Returns the environment for a child process. Uses an allow-list, so that passwords and keys are not passed
 * on.
 */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))), ...more };
}

/**
 * Returns the systemd unit's runtime directory, which is in memory and is removed when all of the unit's
 * processes have ended. Returns undefined outside systemd and for units that have no runtime directory.
 */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // A unit may list several directories. The gateway's units use the first.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
