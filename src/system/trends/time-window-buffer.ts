export interface Entry<T> {
  readonly atMs: number;
  readonly bytes: number;
  readonly value: T;
}

interface BufferOptions {
  windowMs: number;
  maxBytes: number;
  /**
   * If true and `maxBytes` is exceeded, every second entry of the older half is removed instead of the oldest entries.
   */
  thins?: boolean;
}

/** Removes entries in batches, because each removal moves all other entries. */
const CUT_AT = 16;

export class TimeWindowBuffer<T> {
  readonly #options: BufferOptions;
  #entries: Entry<T>[] = [];
  /** Index of the first entry that has not been removed. */
  #first = 0;
  #bytes = 0;

  constructor(options: BufferOptions) {
    this.#options = options;
  }

  /** Sum of the sizes passed to `add`. */
  get bytes(): number {
    return this.#bytes;
  }

  add(atMs: number, value: T, bytes: number): void {
    this.#entries.push({ atMs, bytes, value });
    this.#bytes += bytes;
    const { windowMs, maxBytes, thins } = this.#options;
    while ((this.#oldest?.atMs ?? atMs) < atMs - windowMs) this.#drop();
    if (thins && this.#bytes > maxBytes) this.#thin();
    while (this.#bytes > maxBytes && this.#oldest) this.#drop();
    if (this.#first >= CUT_AT) this.#cut();
  }

  /** Returns a copy of the entries, oldest first. */
  entries(): readonly Entry<T>[] {
    return this.#entries.slice(this.#first);
  }

  get #oldest(): Entry<T> | undefined {
    return this.#entries[this.#first];
  }

  #drop(): void {
    this.#bytes -= this.#oldest?.bytes ?? 0;
    this.#first += 1;
  }

  #thin(): void {
    this.#cut();
    const half = this.#entries.length / 2;
    this.#entries = this.#entries.filter((_entry, index) => index > half || index % 2 === 0);
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #cut(): void {
    this.#entries.splice(0, this.#first);
    this.#first = 0;
  }
}
