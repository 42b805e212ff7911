import { logIn } from './log-in.js';

/**
 * Sends rounds of concurrent logins and prints the number of responses per status. Arguments: url, user,
 * password, logins per round, rounds.
 */
const [url = '', username = '', password = '', people, rounds] = process.argv.slice(2);
const statuses: Record<number, number> = {};
for (let round = 0; round < Number(rounds); round += 1) {
  const logins = Array.from({ length: Number(people) }, (_, nth) =>
    logIn(url, username, password, `127.0.${round + 2}.${nth + 1}`),
  );
  for (const { status } of await Promise.all(logins)) statuses[status] = (statuses[status] ?? 0) + 1;
}
process.stdout.write(JSON.stringify(statuses));
