import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'uvu';
import { startBroker } from '../../../../src/adapters/broker/broker.js';
import { LogThreshold } from '../../../../src/shared/log.js';
import { LogRepeats } from '../../../../src/system/health/log-repeats.js';
import { LogRing } from '../../../../src/system/health/log-ring.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

function open() {
  const [clock, output] = [new FakeClock(), new RecordingLog()];
  const repeats = new LogRepeats({ log: output, clock });
  return { clock, output, repeats, log: repeats.log };
}

test('logs the first warning from a source and summarises repetitions once a minute', () => {
  const { clock, output, repeats, log } = open();
  for (let more = 0; more < 1100; more += 1) log.warn('x.failed', { from: '10.0.0.1', more });
  log.warn('x.failed', { from: '10.0.0.2' });
  log.warn('y.failed', { address: '10.0.0.1' });
  assert.equal(output.lines.length, 3);
  clock.advance(60_000);
  assert.deepEqual(output.lines.slice(3), [
    {
      level: 'warn',
      event: 'x.failed',
      fields: { from: '10.0.0.1', more: 1099, repeated: 1099, withinS: 60 },
    },
  ]);
  clock.advance(60_000);
  log.warn('x.failed', { from: '10.0.0.1' });
  assert.equal(output.lines.length, 5, 'logged again after a minute without repetitions');
  log.warn('x.failed', { from: '10.0.0.1' });
  repeats.close();
  assert.equal(output.lines.length, 6);
  assert.equal(clock.timers, 0);
});

test('counts an IPv6 /64 network as one source, and combines all sources beyond the source limit', () => {
  const { clock, output, repeats, log } = open();
  for (let n = 0; n < 1000; n += 1) log.warn('x.failed', { ip: `10.0.${n >> 8}.${n & 255}` });
  assert.equal(output.lines.length, 21);
  clock.advance(60_000);
  assert.equal(output.lines.length, 22);
  repeats.close();
  const other = open();
  for (let n = 0; n < 100; n += 1) other.log.warn('x.failed', { from: `2001:db8:1:2::${n}` });
  assert.equal(other.output.lines.length, 1);
  other.repeats.close();
});

test('does not suppress lines that have no source or are not warnings', () => {
  const { output, log } = open();
  for (let more = 0; more < 3; more += 1) {
    log.warn('estop.latched', { by: 'anna' });
    log.info('access.logged_in', { ip: '10.0.0.1' });
    log.error('x.failed', { from: '10.0.0.1' });
    log.debug('x.failed', { from: '10.0.0.1' });
  }
  assert.equal(output.lines.length, 12);
});

test('1,100 rejected broker connections do not displace earlier log lines', async () => {
  const clock = new FakeClock();
  const ring = new LogRing({ clock, threshold: new LogThreshold('info') });
  const repeats = new LogRepeats({ log: ring.wrap(new RecordingLog()), clock });
  repeats.log.info('cart.stopped', { by: 'anna' });
  const broker = await startBroker({ host: '127.0.0.1', port: 0, log: repeats.log });
  for (let more = 0; more < 1100; more += 1) {
    const socket = connect(broker.port, '127.0.0.1').on('error', () => undefined);
    const end = once(socket, 'close');
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0x7f]));
    await end;
  }
  assert.equal(broker.stats().tooLarge, 1100);
  await broker.close();
  repeats.close();
  assert.deepEqual(
    ring.lines().map(({ event }) => event),
    ['cart.stopped', 'broker.packet_rejected', 'broker.packet_rejected'],
  );
  assert.match(ring.lines().at(-1)?.text ?? '', /repeated 1099/);
});

test.run();
