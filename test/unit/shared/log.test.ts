import assert from 'node:assert/strict';
import { test } from 'uvu';
import { createLog, createTerminalLog, type LogLevel, LogThreshold } from '../../../src/shared/log.js';

function logTo(level: LogLevel): { log: ReturnType<typeof createTerminalLog>; lines: string[] } {
  const lines: string[] = [];
  return { log: createTerminalLog(new LogThreshold(level), (line) => lines.push(line)), lines };
}

test('the terminal log shows each warning and error on one line, without secrets', () => {
  const { log, lines } = logTo('info');
  log.info('broker.connected', { url: 'mqtt://host' });
  log.warn('broker.open_failed', { reason: 'port 1883 is in use', password: 'hunter2', note: '' });
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^\d\d:\d\d:\d\d WARN {2}broker\.open_failed {2}reason port 1883 is in use, password \*{3}\n$/,
  );
});

test("the terminal log removes control characters and adds an error's source line", () => {
  const { log, lines } = logTo('info');
  log.error('gateway.crashed', { error: new Error('a\u001b[2Jb\nc\u009b1m') });
  assert.match(
    lines[0] ?? '',
    /^\S+ ERROR gateway\.crashed {2}error a \[2Jb c 1m, place at .*log\.test.*:\d+:\d+\)?\n$/,
  );
});

test('the terminal log shows all levels at the debug threshold, and only errors at the error threshold', () => {
  const [all, few] = [logTo('debug'), logTo('error')];
  for (const { log } of [all, few]) {
    log.debug('a.done');
    log.warn('b.done');
    log.error('c.done');
  }
  assert.deepEqual([all.lines.length, few.lines.length], [3, 1]);
});

test('the terminal log suppresses warnings during shutdown', () => {
  const { log, lines } = logTo('info');
  log.info('gateway.stopping', { why: 'SIGINT' });
  log.warn('link.changed', { state: 'DOWN' });
  log.info('gateway.stopped');
  assert.deepEqual(lines, ['Stopping the carts and shutting down ...\n', 'Stopped.\n']);
});

test('the log applies a changed threshold', () => {
  const threshold = new LogThreshold('info');
  const lines: string[] = [];
  const log = createLog(threshold, (line) => lines.push(line));
  log.debug('cart.polled');
  threshold.level = 'debug';
  log.debug('cart.stopped', { cart: 1 });
  threshold.level = 'error';
  log.warn('broker.disconnected');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['cart.stopped'],
  );
});

test.run();
