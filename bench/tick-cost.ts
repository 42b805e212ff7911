import { execFileSync } from 'node:child_process';
import { packageRoot } from '../src/shared/package-root.js';
import { verdict } from './verdict.js';

/**
 * The cost of `process.nextTick` after garbage collections during which no callback was waiting, in ratio to the
 * cost before them: with and without `keepTickShape`, in a process of its own each.
 */

/** The ratio that an unchanged cost does not exceed. */
const LIMIT = 2;

function ratio(prepare: string): number {
  const code = `
    import { setFlagsFromString } from 'node:v8';
    import { runInNewContext } from 'node:vm';
    import { setImmediate as turn } from 'node:timers/promises';
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const nothing = () => undefined;
    async function cost() {
      let least = Infinity;
      for (let round = 0; round < 20; round += 1) {
        const start = performance.now();
        for (let n = 0; n < 50_000; n += 1) process.nextTick(nothing);
        least = Math.min(least, performance.now() - start);
        await turn();
      }
      return least;
    }
    ${prepare}
    const before = await cost();
    for (let n = 0; n < 8; n += 1) { collect(); await turn(); }
    console.log(await cost() / before);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}

const module = JSON.stringify(`${packageRoot()}/dist/src/app/start/tick-shape.js`);
const without = ratio('');
const kept = ratio(`import { keepTickShape } from ${module}; keepTickShape();`);
const figure = `${kept.toFixed(2)}x; without the kept object ${without.toFixed(2)}x`;
verdict('process.nextTick after idle garbage collections', figure, `${LIMIT}x at most`, kept <= LIMIT);
