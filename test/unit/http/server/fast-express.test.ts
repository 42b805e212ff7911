import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import { fastExpress } from '../../../../src/http/server/fast-express.js';

/** Runs `during` and returns the number of requests and responses that got a different prototype. */
async function prototypeChanges(during: () => Promise<void>): Promise<number> {
  const original = Object.setPrototypeOf;
  let changes = 0;
  Object.setPrototypeOf = (target: object, prototype: object | null) => {
    const isMessage = target instanceof IncomingMessage || target instanceof ServerResponse;
    if (isMessage && Object.getPrototypeOf(target) !== prototype) changes += 1;
    return original(target, prototype);
  };
  try {
    await during();
  } finally {
    Object.setPrototypeOf = original;
  }
  return changes;
}

// An update of Express that assigns other prototypes would make reads four times slower without failing any other test.
test('Express handles requests and responses without changing their prototypes', async () => {
  const { app, server } = fastExpress();
  app.get('/row/:id', (req, res) => void res.json({ id: req.params.id, host: req.hostname }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let answer: unknown;
  const changes = await prototypeChanges(async () => {
    answer = await (await fetch(`http://127.0.0.1:${port}/row/7`)).json();
  });
  server.close();
  server.closeAllConnections();
  assert.deepEqual([answer, changes], [{ id: '7', host: '127.0.0.1' }, 0]);
});

test.run();
