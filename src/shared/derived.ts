/**
 * Returns a function that computes a value from a source, and computes it again only if the source is a different
 * object.
 */
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
