/** Returns a function that computes a value from its source, and again only when the source is a different object. */
export function derived<Source, Value>(
  source: () => Source,
  compute: (source: Source) => Value,
): () => Value {
  let latest = source();
  let value = compute(latest);
  return () => {
    const current = source();
    if (current !== latest) {
      latest = current;
      value = compute(current);
    }
    return value;
  };
}
