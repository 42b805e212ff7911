export interface Field<Value> {
  /** Size in bytes; for a list, the size without items. */
  readonly size: number;
  /** Size in bytes of each item of a list; absent for all other fields. */
  readonly itemSize?: number;
  /** Returns undefined for an unknown enum value. */
  read(view: DataView, at: number): Value | undefined;
  /** Throws a RangeError that names the field if `value` does not fit its wire type. */
  write(view: DataView, at: number, value: unknown, name: string): void;
}

type Put = (view: DataView, at: number, value: number) => void;

function integer(
  size: number,
  min: number,
  max: number,
  read: Field<number>['read'],
  put: Put,
): Field<number> {
  return {
    size,
    read,
    write(view, at, value, name) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
        throw new RangeError(`${name} must be an integer from ${min} to ${max}, got ${String(value)}`);
      }
      put(view, at, value);
    },
  };
}

const I32 = 2 ** 31;

export const u8 = integer(
  1,
  0,
  255,
  (v, at) => v.getUint8(at),
  (v, at, n) => v.setUint8(at, n),
);
export const i8 = integer(
  1,
  -128,
  127,
  (v, at) => v.getInt8(at),
  (v, at, n) => v.setInt8(at, n),
);
export const u16 = integer(
  2,
  0,
  65535,
  (v, at) => v.getUint16(at, true),
  (v, at, n) => v.setUint16(at, n, true),
);
export const i16 = integer(
  2,
  -32768,
  32767,
  (v, at) => v.getInt16(at, true),
  (v, at, n) => v.setInt16(at, n, true),
);
export const u32 = integer(
  4,
  0,
  2 * I32 - 1,
  (v, at) => v.getUint32(at, true),
  (v, at, n) => v.setUint32(at, n, true),
);
export const i32 = integer(
  4,
  -I32,
  I32 - 1,
  (v, at) => v.getInt32(at, true),
  (v, at, n) => v.setInt32(at, n, true),
);

/** Returns a numeric field that is null if the wire value is `absent`. */
export function nullable(base: Field<number>, absent: number): Field<number | null> {
  return {
    size: base.size,
    read(view, at) {
      const value = base.read(view, at);
      return value === absent ? null : value;
    },
    write(view, at, value, name) {
      if (value === absent)
        throw new RangeError(`${name} must not be ${absent}, because this value encodes null`);
      base.write(view, at, value === null ? absent : value, name);
    },
  };
}

/** Returns a one-byte field; a byte that is not in `values` is read as undefined. */
export function oneOfField<Value>(values: ReadonlyMap<number, Value>): Field<Value> {
  const bytes = new Map([...values].map(([byte, value]) => [value as unknown, byte]));
  return {
    size: 1,
    read: (view, at) => values.get(view.getUint8(at)),
    write(view, at, value, name) {
      const byte = bytes.get(value);
      if (byte === undefined) {
        throw new RangeError(
          `${name} must be one of ${[...values.values()].join(' ')}, got ${String(value)}`,
        );
      }
      view.setUint8(at, byte);
    },
  };
}

/** Returns a one-byte field that contains `first` plus the index of a value. */
export function numbered<const Value>(first: number, values: readonly Value[]): Field<Value> {
  return oneOfField(new Map(values.map((value, index) => [first + index, value])));
}

interface Version {
  major: number;
  minor: number;
  patch: number;
}

export const version: Field<Version> = {
  size: 3,
  read: (view, at) => ({
    major: view.getUint8(at),
    minor: view.getUint8(at + 1),
    patch: view.getUint8(at + 2),
  }),
  write(view, at, value, name) {
    const parts = (typeof value === 'object' && value !== null ? value : {}) as Partial<Version>;
    u8.write(view, at, parts.major, `${name}.major`);
    u8.write(view, at + 1, parts.minor, `${name}.minor`);
    u8.write(view, at + 2, parts.patch, `${name}.patch`);
  },
};

type ItemOf<Fields> = { -readonly [K in keyof Fields]: Fields[K] extends Field<infer Value> ? Value : never };

/** Returns a field with a one-byte count and at most `max` records; must be the last field of a payload. */
export function listField<const Fields extends Record<string, Field<unknown>>>(
  max: number,
  fields: Fields,
): Field<ItemOf<Fields>[]> & { readonly fields: Fields } {
  const entries = Object.entries(fields);
  const itemSize = entries.reduce((sum, [, field]) => sum + field.size, 0);
  const count = integer(
    1,
    0,
    max,
    (view, at) => view.getUint8(at),
    (view, at, n) => view.setUint8(at, n),
  );
  return {
    size: 1,
    itemSize,
    fields,
    read(view, at) {
      const length = view.getUint8(at);
      if (length > max) return undefined;
      return Array.from({ length }, (_, index) => {
        let next = at + 1 + index * itemSize;
        const item: Record<string, unknown> = {};
        for (const [name, field] of entries) {
          item[name] = field.read(view, next);
          next += field.size;
        }
        return item as ItemOf<Fields>;
      });
    },
    write(view, at, value, name) {
      const items: unknown[] = Array.isArray(value) ? value : [];
      count.write(view, at, Array.isArray(value) ? value.length : value, `${name}.length`);
      for (const [index, item] of items.entries()) {
        const values = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
        let next = at + 1 + index * itemSize;
        for (const [key, field] of entries) {
          field.write(view, next, values[key], `${name}[${index}].${key}`);
          next += field.size;
        }
      }
    },
  };
}
