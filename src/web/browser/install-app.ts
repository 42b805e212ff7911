/** Registers the service worker, over HTTPS only. */
export function registerServiceWorker(): void {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator)) return;
  // The page also works without the service worker, for example in a private window.
  navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}
