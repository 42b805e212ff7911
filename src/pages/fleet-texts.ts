/** What only the fleet page says. */
export const FLEET_TEXTS = {
  seen: 'As of now',
  unseen: 'No answer from the gateway: these are old',
} as const;
