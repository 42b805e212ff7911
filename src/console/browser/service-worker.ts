/**
 * Caches only the shell: styles, icons and the offline page. Pages and data always come from the gateway,
 * because an outdated cart state must never look like the current one.
 */

/** Set by the gateway in the first lines of the script. `VERSION` and `SHELL` change with the shell. */
declare const VERSION: string;
/** Paths with content hashes. */
declare const SHELL: readonly string[];

/** Types of the service worker's scope that TypeScript's DOM library does not declare. */
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}

const OFFLINE = '/offline';
const CACHE = `shell ${VERSION} ${SHELL.join(' ')}`;
const scope = self as unknown as Scope;

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET') return;
  const { origin, pathname, search } = new URL(url);
  if (mode === 'navigate') event.respondWith(navigate(event));
  else if (origin === location.origin && SHELL.includes(pathname + search)) event.respondWith(cached(event));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL.map((path) => new Request(path, { cache: 'reload' })));
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // With navigation preload, a page request does not wait until the worker has started.
  await scope.registration.navigationPreload?.enable();
}

/** Returns the page or, if that fails, the offline page with status 503, which marks it as an error. */
async function navigate({ request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await caches.match(OFFLINE);
    if (!page) throw error;
    return new Response(page.body, { status: 503, headers: page.headers });
  }
}

async function cached({ request }: RequestEvent): Promise<Response> {
  return (await caches.match(request)) ?? (await fetch(request));
}

export {};
