import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { FakeGpiod } from '../../helpers/fake-gpiod.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { until } from '../../helpers/until.js';

const test = suite('a gateway with GPIO pins');

const GPIO = { mode: 'required', readBack: { bcm: 6 }, enable: { mode: 'level' } };

async function start(tools: FakeGpiod): Promise<GatewayProcess> {
  return GatewayProcess.start({ gpio: GPIO }, { PATH: tools.path });
}

/** Last level written to the motor enable pin; LED levels in the output are ignored. */
const enable = ({ out }: FakeGpiod): string | undefined => out.findLast((line) => line.startsWith('27='));

/** True if the motors have been on. A slow machine may have stopped the move in the meantime. */
const wasOn = ({ out }: FakeGpiod): boolean => out.includes('27=1');

// Fault cases 9, 10
test('the E-stop button latches the E-stop and switches the motors off', async () => {
  const tools = new FakeGpiod(2);
  tools.write('levels', '1 1\n');
  const gateway = await start(tools);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove && safety.pins === 'gpiod');
  assert.equal((await gateway.move(1, 3000)).status, 200);
  await until(() => wasOn(tools));
  tools.edge(6, 2);
  tools.edge(17, 2);
  tools.edge(17, 1);
  const { safety } = await gateway.untilCart(1, (cart) => cart.safety.emergencyStop === 'MANUAL');
  assert.match(textOf(safety.stoppedBy ?? ''), /E-stop button on the cart/);
  await until(() => enable(tools) === '27=0');
  assert.equal(await gateway.close(), 0);
  await until(() => tools.running('gpioset').length === 0);
  tools.close();
});

test('killing gpiomon blocks motion', async () => {
  const tools = new FakeGpiod(2);
  tools.write('levels', '1 1\n');
  const gateway = await start(tools);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  process.kill(tools.running('gpiomon')[0] ?? 0, 'SIGKILL');
  const dead = await gateway.untilCart(1, (cart) => cart.safety.input === 'unavailable');
  assert.equal(dead.safety.mayMove, false);
  assert.equal(await gateway.close(), 0);
  await until(() => tools.running('gpioset').length === 0);
  tools.close();
});

// Fault case 41
test('the gateway reports a FATAL fault when the motors still have power after a stop', async () => {
  const tools = new FakeGpiod(2);
  tools.write('levels', '1 0\n');
  const gateway = await start(tools);
  const isFatal = ({ level }: { level?: string }): boolean => level === 'FATAL';
  const { safety, faults } = await gateway.untilCart(1, (cart) => cart.faults.some(isFatal));
  assert.equal(safety.emergencyStop, 'MANUAL');
  assert.match(textOf(faults.find(isFatal)?.message ?? ''), /still have power/);
  assert.equal((await gateway.move(1, 100)).body.code, 'ESTOP_ACTIVE');
  await gateway.close();
  tools.close();
});

// Fault case 14
test('the libgpiod tools exit when the gateway is killed, and the next gateway can use the pins', async () => {
  for (const version of [1, 2] as const) {
    const tools = new FakeGpiod(version);
    tools.write('levels', '1 1\n');
    const gateway = await start(tools);
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    assert.equal(tools.running('gpiomon').length, 1);
    await gateway.kill('SIGKILL');
    await until(() => [...tools.running('gpiomon'), ...tools.running('gpioset')].length === 0);
    await gateway.spawn({ PATH: tools.path });
    await gateway.untilCart(1, ({ safety }) => safety.mayMove && safety.pins === 'gpiod');
    assert.equal(await gateway.close(), 0);
    tools.close();
  }
});

/** Runs `motors-off` as the systemd unit does after the gateway exits. Returns the levels written to the pins. */
function motorsOff(tools: FakeGpiod, data: string, env: NodeJS.ProcessEnv = {}): string[] {
  const before = tools.out.length;
  const program = join(import.meta.dirname, '../../../src/cli/motors-off.js');
  const { status, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { ...process.env, PATH: tools.path, CARTWRIGHT_DATA_DIR: data, ...env },
  });
  assert.deepEqual([status, stderr], [0, '']);
  return tools.out.slice(before);
}

test('`motors-off` uses the pin that the killed gateway recorded, not a pin saved later', async () => {
  for (const [runtime, pin] of [
    ['run', '27=0'],
    // If there is no runtime directory, `motors-off` reads the pin from the settings.
    ['nowhere', '5=0'],
  ] as const) {
    const tools = new FakeGpiod(2);
    tools.write('levels', '1 1\n');
    const gateway = await start(tools);
    mkdirSync(join(gateway.dir, 'run'));
    const env = { PATH: tools.path, RUNTIME_DIRECTORY: join(gateway.dir, runtime) };
    assert.equal(await gateway.kill('SIGTERM'), 0);
    await gateway.spawn(env);
    if (runtime === 'nowhere') await gateway.logged('pins.note_failed');
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    assert.equal((await gateway.call('POST', '/updateJson', { gpio: { enable: { bcm: 5 } } })).status, 200);
    assert.equal((await gateway.move(1, 3000)).status, 200);
    await until(() => wasOn(tools));
    await gateway.kill('SIGKILL');
    assert.deepEqual(motorsOff(tools, join(gateway.dir, 'data'), env), [pin]);
    await gateway.close();
    tools.close();
  }
});

test('`motors-off` uses the saved settings, or the previous version if the saved settings are invalid', () => {
  const data = mkdtempSync(join(tmpdir(), 'motors-off-'));
  const write = (name: string, bcm: number) =>
    writeFileSync(join(data, name), JSON.stringify({ gpio: { ...GPIO, enable: { bcm, mode: 'level' } } }));
  const tools = new FakeGpiod(2);
  write('variables.json', 5);
  write('variables.json.bak', 6);
  assert.deepEqual(motorsOff(tools, data), ['5=0']);
  writeFileSync(join(data, 'variables.json'), '{"gpio": ');
  assert.deepEqual(motorsOff(tools, data), ['6=0']);
  writeFileSync(join(data, 'gpio.json'), '');
  assert.deepEqual(motorsOff(tools, data, { RUNTIME_DIRECTORY: data }), ['6=0'], 'an empty record');
  tools.close();
  rmSync(data, { recursive: true });
});

test('`motors-off` uses the recorded pins when the configuration is invalid', () => {
  const data = mkdtempSync(join(tmpdir(), 'motors-off-'));
  const config = join(data, 'config.json');
  writeFileSync(config, '{"port": ');
  writeFileSync(
    join(data, 'gpio.json'),
    JSON.stringify({ gpio: { ...GPIO, enable: { bcm: 7, mode: 'level' } } }),
  );
  const tools = new FakeGpiod(2);
  const env = { RUNTIME_DIRECTORY: data, CARTWRIGHT_CONFIG: config };
  assert.deepEqual(motorsOff(tools, data, env), ['7=0']);
  tools.close();
  rmSync(data, { recursive: true });
});

// Fault case 39
test('a gateway without a GPIO chip rejects motion and states the cause and a hint', async () => {
  const tools = new FakeGpiod(1, []);
  const gateway = await start(tools);
  await gateway.logged('pins.open_failed');
  await gateway.untilCart(1, ({ link }) => link?.state === 'READY');
  const { status, body } = await gateway.move(1, 100);
  assert.deepEqual([status, body.code], [503, 'SAFETY_UNAVAILABLE']);
  assert.match(JSON.stringify(body), /no GPIO chip .*Set gpio\.chip/);
  assert.equal(await gateway.close(), 0);
  tools.close();
});

if (existsSync('/sys/class/gpio/export'))
  process.stdout.write('SKIPPED: a gateway with pins (this machine has real pins)\n');
else test.run();
