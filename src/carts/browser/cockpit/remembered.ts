const PREFIX = 'cartwright.';

/** Returns a choice that this browser stored; undefined if there is none or storage is blocked. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a choice in this browser. Does nothing if storage is blocked. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // If storage is blocked, the choice lasts until the page is closed.
  }
}
