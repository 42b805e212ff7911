import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { AppContext } from '../../../src/app/context.js';
import { ModuleList } from '../../../src/app/module-list.js';
import { ShutdownStack } from '../../../src/app/shutdown-stack.js';

const test = suite('module list');
const CONTEXT = { config: { port: 80 } } as AppContext;

function listed() {
  const calls: string[] = [];
  const note = (text: string) => () => void calls.push(text);
  const modules = new ModuleList()
    .add('line', ({ config }) => `line ${config.port}`, note('close line'))
    .add('cart', async (_context, { line }) => `cart on ${line}`, note('close cart'))
    .add('label', (_context, { cart }) => calls.push(cart));
  return { modules, calls };
}

test('passes each module the modules that are already open, and closes the modules in reverse order', async () => {
  const { modules, calls } = listed();
  const closers = new ShutdownStack();
  assert.deepEqual(await modules.open(CONTEXT, closers), {
    line: 'line 80',
    cart: 'cart on line 80',
    label: 1,
  });
  await closers.closeAll(() => assert.fail());
  assert.deepEqual(calls, ['cart on line 80', 'close cart', 'close line']);
});

test('a module that uses a later module does not compile', () => {
  const open = (_context: AppContext, { cart }: { cart: string }) => cart;
  // @ts-expect-error `cart` is not opened yet
  const modules = new ModuleList().add('line', open).add('cart', () => 'cart');
  assert.ok(modules);
});

test('closes the earlier modules when a module fails to open', async () => {
  const { modules, calls } = listed();
  const closers = new ShutdownStack();
  const failing = modules.add('camera', () => Promise.reject(new Error('no camera')));
  await assert.rejects(failing.open(CONTEXT, closers), /no camera/);
  await closers.closeAll(() => assert.fail());
  assert.deepEqual(calls.slice(1), ['close cart', 'close line']);
});

test.run();
