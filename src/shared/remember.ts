/** Longer keys, such as a 16 kB `Host` header, are not remembered. */
const MAX_KEY_LENGTH = 255;
const MAX_KEYS = 1000;

/** Remembers the results of a pure function. Its memory is bounded, because clients choose the keys. */
export function remember<Result>(compute: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    if (known.has(key)) return known.get(key) as Result;
    const result = compute(key);
    if (key.length > MAX_KEY_LENGTH) return result;
    if (known.size >= MAX_KEYS) known.clear();
    known.set(key, result);
    return result;
  };
}
