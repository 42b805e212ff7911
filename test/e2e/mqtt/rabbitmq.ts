import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/shared/package-root.js';
import { within } from '../../unit/carts/mqtt/test-bus.js';
import { freePort, lineWith } from './mosquitto.js';

/**
 * Debian's program directory for RabbitMQ. The wrapper in /usr/sbin switches to a user that cannot read the
 * test directory.
 */
const BIN = '/usr/lib/rabbitmq/bin';

export const hasRabbitmq = existsSync(join(BIN, 'rabbitmq-server'));
const START_MS = 120_000;

interface Node {
  name: string;
  mqttPort: number;
  directory: string;
  child: ChildProcess | undefined;
}

export interface Rabbitmq {
  /** Port of the load balancer, which passes each connection to the next node that accepts it. */
  readonly port: number;
  /** Runs docs/brokers/rabbitmq-rights.sh on the first node. */
  rights(...args: string[]): void;
  kill(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts `count` nodes, the first before the others, so that the others can join its cluster. */
export async function startRabbitmq(
  count: number,
  lines: string[] = ['mqtt.allow_anonymous = true'],
): Promise<Rabbitmq> {
  const directory = await mkdtemp(join(tmpdir(), 'rabbitmq-'));
  const cookie = join(directory, '.erlang.cookie');
  await writeFile(cookie, 'test');
  await chmod(cookie, 0o400);
  await writeFile(join(directory, 'plugins'), '[rabbitmq_mqtt].');
  const epmdPort = await freePort();
  const tag = `t${process.pid}`;
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, at): Promise<Node> => {
      const own = join(directory, String(at));
      await mkdir(own);
      return { name: `${tag}-${at}@localhost`, mqttPort: await freePort(), directory: own, child: undefined };
    }),
  );
  const env = {
    ...process.env,
    HOME: directory,
    ERL_EPMD_PORT: String(epmdPort),
    // Allows the port mapper (epmd) to be stopped while nodes are still registered with it.
    ERL_EPMD_RELAXED_COMMAND_CHECK: 'true',
  };
  const members = nodes.map(({ name }, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${name}`);
  const start = async (node: Node): Promise<void> => {
    const config = [
      'listeners.tcp = none',
      `mqtt.listeners.tcp.1 = 127.0.0.1:${node.mqttPort}`,
      'cluster_formation.peer_discovery_backend = classic_config',
      ...members,
      'cluster_formation.randomized_startup_delay_range.min = 0',
      'cluster_formation.randomized_startup_delay_range.max = 1',
      'log.console = true',
      'log.file = false',
      ...lines,
    ];
    await writeFile(join(node.directory, 'rabbitmq.conf'), `${config.join('\n')}\n`);
    node.child = spawn(join(BIN, 'rabbitmq-server'), [], {
      env: {
        ...env,
        RABBITMQ_NODENAME: node.name,
        RABBITMQ_DIST_PORT: String(await freePort()),
        RABBITMQ_CONFIG_FILE: join(node.directory, 'rabbitmq.conf'),
        RABBITMQ_MNESIA_BASE: node.directory,
        RABBITMQ_LOG_BASE: node.directory,
        RABBITMQ_PID_FILE: join(node.directory, 'pid'),
        RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'plugins'),
        // Uses one scheduler per node, because three nodes share a small machine.
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await within(lineWith(node.child.stdout, 'Server startup complete'), `${node.name} runs`, START_MS);
  };
  const kill = async ({ child, directory: own }: Node): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    // The child process is a script that waits for the Erlang VM. The file `pid` contains the VM's process
    // ID.
    const pid = Number(await readFile(join(own, 'pid'), 'utf8').catch(() => ''));
    if (pid > 0) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    await exit;
  };
  const balancer = await balance(nodes.map(({ mqttPort }) => mqttPort));
  const close = async (): Promise<void> => {
    await balancer.close();
    await Promise.all(nodes.map(kill));
    spawnSync('epmd', ['-port', String(epmdPort), '-kill'], { env });
    // After the kill, the Erlang VM may still be writing files, because it is not a child of this process.
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  };
  try {
    const [first, ...others] = nodes;
    if (first) await start(first);
    await Promise.all(others.map(start));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: balancer.port,
    rights(...args) {
      const script = join(packageRoot(), 'docs/brokers/rabbitmq-rights.sh');
      const own = { ...env, RABBITMQ_NODENAME: nodes[0]?.name, RABBITMQCTL: join(BIN, 'rabbitmqctl') };
      const { status, stderr } = spawnSync(script, args, { env: own, encoding: 'utf8' });
      if (status !== 0) throw new Error(`rabbitmq-rights.sh ${args.join(' ')}: ${stderr}`);
    },
    async kill(index) {
      const node = nodes[index];
      if (node) await kill(node);
    },
    close,
  };
}

/**
 * Starts a TCP load balancer. Each connection is forwarded to the next server or, if that server refuses
 * the connection, to the one after it.
 */
async function balance(ports: readonly number[]): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const pass = (near: Socket, far: Socket): void => {
    near.setNoDelay(true).pipe(far);
    near.on('close', () => {
      sockets.delete(near);
      far.destroy();
    });
  };
  const serve = (near: Socket, tries: number): void => {
    turn += 1;
    const far = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    far.once('connect', () => {
      sockets.add(far);
      pass(near, far);
      pass(far, near);
    });
    far.on('error', () => {
      // If the connection was established, a `close` event follows the error.
      if (sockets.has(far)) return;
      if (tries > 1) serve(near, tries - 1);
      else near.destroy();
    });
  };
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    serve(near, ports.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
