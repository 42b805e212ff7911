import { randomFrom, rounds, testSeed } from './random.js';

/** Number of random stops in each test. */
export const ROUNDS = rounds(300, 10_000);

const TEXTS = [
  '',
  ' ',
  'x',
  '💥',
  '\ud83d',
  'e\u0301',
  '\u0000',
  '\u202e',
  '0',
  'null',
  '__proto__',
  '../..',
];

/** Generates values of every type, length and kind of character, for the optional fields of stops. */
export class StopFuzzer {
  readonly random = randomFrom(testSeed());

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined && values.length === 0) throw new Error('no values');
    return value as T;
  }

  text(): string {
    const length = this.pick([0, 1, 2, 63, 64, 65, 127, 255, 300, 511, 513, 1000]);
    return this.pick(TEXTS)
      .repeat(length)
      .slice(0, 2 * length);
  }

  value(depth = 0): unknown {
    const kind = this.below(depth > 6 ? 6 : 9);
    if (kind < 2) return this.text();
    if (kind === 2) return this.pick([0, -1, 1.5, 1e21, -0, 65_536, 2 ** 53]);
    if (kind === 3) return this.random() < 0.5;
    if (kind < 6) return null;
    if (kind === 6) return Array.from({ length: this.below(4) }, () => this.value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: this.below(3) }, () => [
        this.pick(['a', 'key', 'value', 'constructor']),
        this.value(depth + 1),
      ]),
    );
  }

  /**
   * Replaces or removes each field at random, except those in `kept`, and sometimes adds unknown fields. Half
   * of the fields stay valid, so that each fault also occurs alone.
   */
  changed(message: Readonly<Record<string, unknown>>, kept: readonly string[] = []): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(message)) {
      const dice = kept.includes(name) ? 0 : this.random();
      if (dice < 0.5) out[name] = value;
      else if (dice < 0.9) out[name] = this.value();
    }
    if (this.random() < 0.3) out[this.pick(['more', 'constructor', 'x'.repeat(100), '💥'])] = this.value();
    return out;
  }
}
