/** What the tour of the commissioning says while it does the real thing. */
export const TOUR_TEXTS = {
  driving: 'The wheels turn now',
  done: (distance: string) => `Finished. The controller reports ${distance}.`,
  notDone: (why: string) => `It did not work: ${why}`,
  refused: (why: string) => `Refused, as it must be: ${why}`,
  notRefused: 'It was not refused. Stopped. Look at the limits in the settings before you go on.',
  press: 'Press the button on the cart',
  pressed: 'Seen. Release the button, and reset the stop on the cart or with Reset at the top',
  released: 'Seen: pressed, and released again.',
  pull: 'The wheels turn. Pull the plug of the serial line now',
  pulled: 'Seen: the line is gone. Put the plug back',
  neverPulled: 'The wheels stopped at the end of their way, and the plug was not pulled. Start once more.',
  back: (way: string) => `Seen: the line is back. ${way}`,
  rolled: (mm: number, mostMm: number) =>
    mm <= mostMm
      ? `The wheels went on for ${mm} mm, at most ${mostMm} mm are allowed.`
      : `The wheels went on for ${mm} mm: more than the ${mostMm} mm that are allowed.`,
  notCounted: 'How far the wheels went on is not known: the controller counts anew. Say what you saw.',
  brokerUp: (url: string) => `Connected with ${url}.`,
  brokerDown: (why: string) => `Not connected: ${why}`,
  noAnswer: 'no answer from the gateway',
  noOrder:
    'The units in the settings have no number that is small enough for this. Skip it, or choose others.',
} as const;
