/** One thing that happened: `atMs` on the monotonic clock. */
export interface Entry<T> {
  readonly atMs: number;
  readonly bytes: number;
  readonly value: T;
}

interface TrackOptions {
  /** What is older goes. */
  windowMs: number;
  /** What does not fit goes: the oldest, or with `thins` every second one of the older half. */
  maxBytes: number;
  /** For what may be sparser the older it is. */
  thins?: boolean;
}

/** Entries that are gone are still held until there are so many of them: cutting off each by itself would move all others. */
const CUT_AT = 16;

/** The last minutes of one kind of thing, in bounded memory. */
export class TimeWindowBuffer<T> {
  readonly #options: TrackOptions;
  #entries: Entry<T>[] = [];
  /** Entries before this one are gone. */
  #first = 0;
  #bytes = 0;

  constructor(options: TrackOptions) {
    this.#options = options;
  }

  /** Bytes that are held, as they were told. */
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

  /** What is there, oldest first: a list of its own. */
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
