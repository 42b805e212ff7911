/** Environment variables that child processes inherit; the gateway's own variables are excluded. */
const PASSED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|LD_LIBRARY_PATH|LIBCAMERA_\w+)$/;

/**
 * Returns the environment for a child process, using an allow-list, so that child processes receive no passwords or
 * keys.
 */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))), ...more };
}

/** Returns the systemd unit's runtime directory (in memory), if the unit has one. */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // If the unit has several runtime directories, the gateway uses the first.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
