/** Search path, locale, time zone and library variables. The gateway's own variables are excluded. */
const PASSED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|LD_LIBRARY_PATH|LIBCAMERA_\w+)$/;

/** Uses an allow-list, so that child processes receive no passwords or keys. */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))), ...more };
}

/** Returns the systemd unit's runtime directory, which is in memory, or undefined if there is none. */
export function runtimeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // A unit can list several directories; the gateway uses the first.
  const [first] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return first || undefined;
}
