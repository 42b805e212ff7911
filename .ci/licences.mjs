// Every package that a user installs must have a licence that permits redistribution.
import { readFileSync } from 'node:fs';

const ALLOWED =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0)( (OR|AND) .*)?\)?$/;
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const bad = Object.entries(packages)
  .filter(
    ([path, entry]) => path !== '' && !entry.dev && !entry.optional && !ALLOWED.test(entry.license ?? ''),
  )
  .map(([path, { license }]) => `${path}: ${license}`);
if (bad.length > 0) {
  process.stderr.write(`Licences that are not on the list:\n${bad.join('\n')}\n`);
  process.exit(1);
}
