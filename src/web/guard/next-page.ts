const HERE = 'http://here.invalid';

/** Where to go after a login: a path of this gateway, whatever was asked for; `/` when it was anything else. */
export function safeNext(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, HERE)) return '/';
  const url = new URL(value, HERE);
  const path = `${url.pathname}${url.search}`;
  // `/.//elsewhere` is a path of ours until its dot is gone.
  return url.origin === HERE && !path.startsWith('//') ? path : '/';
}
