/** What only the System page says. */
export const SYSTEM_TEXTS = {
  seen: 'As of now',
  unseen: 'No answer from the gateway: these are old',
  lines: (count: number) => (count === 0 ? 'No line fits' : `${count} ${count === 1 ? 'line' : 'lines'}`),
  copying: 'Copying and reading the copy',
  holdRestore: 'Hold for a second, until the ring is full.',
  confirmRestore: 'Put this backup in the place of the database at the next start?',
} as const;
