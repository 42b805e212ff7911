import assert from 'node:assert/strict';
import { once } from 'node:events';
import Bonjour from 'bonjour-service';
import type { MdnsOptions } from '../../src/adapters/mdns.js';
import { type Container, INSTALL } from './container.js';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

const PORT = 3000;
/** Time limit for finding the gateway; far longer than the 10 s within which it announces changed addresses. */
const FOUND_MS = 60_000;

const pid = (container: Container): Promise<string> =>
  container.run('systemctl show cartwright --value -p MainPID');

/** Resolves with the gateway addresses announced on the network that `here` belongs to. */
async function discover(here: string): Promise<string[]> {
  // A socket bound to the interface's address would receive no multicast packets.
  const options: MdnsOptions = { interface: here, bind: '0.0.0.0' };
  const seeker = new Bonjour(options);
  try {
    const browser = seeker.find({ type: 'cartwright' });
    const [found] = await once(browser, 'up', { signal: AbortSignal.timeout(FOUND_MS) });
    assert.equal(found.port, PORT);
    return found.addresses;
  } finally {
    seeker.destroy();
  }
}

await deviceSuite('an intermittent network', (test, vms) => {
  test('the gateway starts without a network and can be discovered whenever a network is connected', async () => {
    const container = await vms.container();
    await container.run(INSTALL);
    await container.reboot();
    await poll('it is ready', READY_MS, () => container.run(`curl -fsS http://127.0.0.1:${PORT}/livez`));
    const before = await pid(container);
    for (let time = 0; time < 2; time += 1) {
      const { here, inside } = await container.plug();
      assert.ok((await discover(here)).includes(inside));
      assert.equal((await fetch(`http://${inside}:${PORT}/livez`)).status, 200);
      await container.unplug();
    }
    assert.equal(await pid(container), before);
  });
});
