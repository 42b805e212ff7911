const PREFIX = 'cartwright.';

/** Returns undefined if this browser has stored no choice or blocks storage. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // If the browser blocks storage, the choice lasts until the page is closed.
  }
}
