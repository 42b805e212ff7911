import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { cookieOf, FUZZ_ENVIRONMENT, fuzz, unexplained } from '../../helpers/api-fuzz-run.js';
import { hasFuzzer } from '../../helpers/api-fuzzer.js';
import { GatewayProcess } from '../../helpers/gateway.js';

/** A short version of `npm run fuzz` that validates each response against the OpenAPI document. */
const test = suite('attack: random requests');

const REQUESTS = 3000;

test('three thousand random requests, half of them malformed, receive documented responses', async () => {
  const gateway = await GatewayProcess.start({}, FUZZ_ENVIRONMENT);
  try {
    const report = await fuzz(gateway, REQUESTS, { cookie: await cookieOf(gateway.url), seed: 1000 });
    assert.equal(report.sent >= REQUESTS, true);
    assert.deepEqual(unexplained(report, gateway.log), []);
    assert.deepEqual(
      [...report.failures.keys()].filter((key) => key.startsWith('500')),
      [],
    );
    assert.ok((report.byStatus.get(200) ?? 0) > 300, 'some requests succeed');
    assert.ok((report.byStatus.get(400) ?? 0) > 300, 'some requests are rejected');
    assert.equal((await gateway.call('GET', '/livez')).status, 200);
  } finally {
    assert.equal(await gateway.close(), 0);
  }
});

if (hasFuzzer) test.run();
else process.stdout.write('SKIPPED: random requests (json-schema-faker is not installed)\n');
