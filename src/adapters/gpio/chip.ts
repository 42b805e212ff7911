import { noPins } from './options.js';

/** A GPIO chip as the kernel shows it. */
export interface GpioChip {
  /** `gpiochip0`; under sysfs the number is that of its first pin. */
  name: string;
  label: string;
  lines: number;
}

/** The chips that drive the 40 pins of the Raspberry Pi models. RP1 is the Pi 5's, whose processor has pins of its own beside it. */
const HEADER_LABEL = /^pinctrl-(bcm\d+|rp1)$/;
const HEADER_LINES = 28;

/**
 * The chip with the pins of the header, or with the label `wanted` unless that is `auto`. Throws `SAFETY_UNAVAILABLE`
 * when there is none, or more than one: a pin of another chip may switch anything.
 */
export function headerChip<Chip extends GpioChip>(chips: readonly Chip[], wanted: string): Chip {
  const fitting = chips.filter(({ label }) =>
    wanted === 'auto' ? HEADER_LABEL.test(label) : label === wanted,
  );
  const rp1 = fitting.filter(({ label }) => label === 'pinctrl-rp1');
  const [chip, ...others] = rp1.length > 0 ? rp1 : fitting;
  const seen = chips.map(({ name, label }) => `${name} (${label})`).join(', ') || 'none at all';
  if (!chip) {
    const label = wanted === 'auto' ? 'the label of a Raspberry Pi' : `the label ${wanted}`;
    throw noPins(
      `no GPIO chip has ${label}; there are: ${seen}`,
      'Set gpio.chip to the label of the right one.',
    );
  }
  if (others.length > 0)
    throw noPins(
      `several GPIO chips fit: ${seen}`,
      'Set gpio.chip, or gpio.base where the labels are the same.',
    );
  return withHeader(chip);
}

/** The chip itself when it is large enough to have the header's pins. */
export function withHeader<Chip extends GpioChip>(chip: Chip): Chip {
  if (chip.lines >= HEADER_LINES) return chip;
  const { name, label, lines } = chip;
  throw noPins(
    `${name} (${label}) has ${lines} pins, and BCM numbers go to ${HEADER_LINES - 1}`,
    'Set gpio.chip to the label of the right one.',
  );
}
