import type { Camera } from '../../camera/capture/camera.js';
import type { CameraPhase } from '../../camera/capture/model.js';
import { bit, counter, gauge, type MetricFamily } from '../../shared/metric.js';
import type { Store } from '../../shared/ports/store.js';
import type { ProcessMonitor } from '../../system/health/process-monitor.js';
import type { Carts } from '../composition/carts.js';

const PHASES: readonly CameraPhase[] = [
  'disabled',
  'idle',
  'starting',
  'streaming',
  'stopping',
  'capturing',
  'backoff',
];

/** What the database costs the disk, and what waits for it. */
export function storeFamilies(store: Pick<Store, 'status'>): MetricFamily[] {
  const { healthy, queueOperations, queueBytes, metrics } = store.status();
  return [
    gauge('cartwright_store_up', 'Whether the database saves.', bit(healthy)),
    gauge('cartwright_store_queue_writes', 'Writes that wait for their commit.', queueOperations),
    gauge('cartwright_store_queue_bytes', 'Size of the writes that wait for their commit.', queueBytes),
    counter('cartwright_store_writes_total', 'Writes by outcome; saved ones are acknowledged.', [
      [{ outcome: 'saved' }, metrics.operations],
      [{ outcome: 'failed' }, metrics.failedOperations],
      [{ outcome: 'refused' }, metrics.refusedOperations],
    ]),
    counter(
      'cartwright_store_transactions_total',
      'Transactions; one holds every write that waits.',
      metrics.transactions,
    ),
    counter('cartwright_store_fsyncs_total', 'Calls of fsync.', metrics.fsyncs),
    counter(
      'cartwright_store_written_bytes_total',
      'Bytes written to the log and to the database.',
      metrics.bytesWritten,
    ),
    gauge(
      'cartwright_store_fsyncs_per_write',
      'Calls of fsync for each acknowledged write since the start.',
      metrics.fsyncsPerWrite,
    ),
    gauge(
      'cartwright_store_bytes_per_write',
      'Bytes written for each acknowledged write since the start.',
      metrics.bytesPerWrite,
    ),
    gauge(
      'cartwright_store_last_commit_seconds',
      'What the newest commit took.',
      metrics.lastCommitMs / 1000,
    ),
    gauge('cartwright_store_log_bytes', 'Size of the write-ahead log.', metrics.walBytes),
    gauge(
      'cartwright_disk_free_bytes',
      'Free on the disk of the data directory; -1 = not known.',
      metrics.freeBytes,
    ),
    counter(
      'cartwright_store_writer_restarts_total',
      'Starts of the writer thread after the first.',
      metrics.writerRestarts,
    ),
  ];
}

/** The connection to the broker, and the broker in the gateway while there is one. */
export function mqttFamilies({ bus, broker }: Pick<Carts, 'bus' | 'broker'>): MetricFamily[] {
  const { connects, received, published, failed, waiting } = bus.traffic;
  const { stats } = broker;
  return [
    gauge('cartwright_mqtt_connected', 'Whether the broker is connected.', bit(bus.status().connected)),
    counter(
      'cartwright_mqtt_reconnects_total',
      'Connections to the broker after the first.',
      Math.max(0, connects - 1),
    ),
    counter('cartwright_mqtt_received_messages_total', 'Messages from the broker.', received),
    counter('cartwright_mqtt_published_messages_total', 'Messages by outcome.', [
      [{ outcome: 'taken' }, published],
      [{ outcome: 'failed' }, failed],
    ]),
    gauge('cartwright_mqtt_outbox_messages', 'Messages on their way to the broker.', waiting),
    ...(stats
      ? [
          gauge(
            'cartwright_broker_clients',
            'Connections to the broker in the gateway, over the network.',
            stats.clients,
          ),
          counter('cartwright_broker_messages_total', 'Messages that were published on it.', stats.published),
          counter(
            'cartwright_broker_too_large_total',
            'Clients that it cut off for too large a packet.',
            stats.tooLarge,
          ),
        ]
      : []),
  ];
}

export function cameraFamilies({
  source,
  broadcaster,
}: Pick<Camera, 'source' | 'broadcaster'>): MetricFamily[] {
  const { phase, newest, framerate, fault } = source.view();
  const { sent, dropped } = broadcaster.totals;
  return [
    gauge(
      'cartwright_camera_phase',
      'What the camera does: 1 for that, 0 for the rest.',
      PHASES.map((name) => [{ phase: name }, bit(name === phase)]),
    ),
    gauge('cartwright_camera_fault', 'Whether it has a fault.', bit(fault !== undefined)),
    counter(
      'cartwright_camera_frames_total',
      'Pictures that came from it; its rate is the frame rate.',
      newest,
    ),
    gauge('cartwright_camera_configured_frames_per_second', 'The frame rate that is asked for.', framerate),
    gauge('cartwright_camera_viewers', 'Streams and waiting pages.', broadcaster.viewers),
    counter('cartwright_camera_viewer_frames_total', 'Pictures for streams, by what became of them.', [
      [{ outcome: 'sent' }, sent],
      [{ outcome: 'dropped' }, dropped],
    ]),
  ];
}

const LAG = 'How late the event loop was at most in the last one to two minutes';

/** This process, under the names that every client library uses. */
export function processFamilies(processMonitor: Pick<ProcessMonitor, 'read'>): MetricFamily[] {
  const { lag, memory } = processMonitor.read();
  const { user, system } = process.cpuUsage();
  return [
    gauge('cartwright_event_loop_lag_median_seconds', `${LAG}, half the time`, lag.medianMs / 1000),
    gauge('cartwright_event_loop_lag_p99_seconds', `${LAG}, but 1 time in 100`, lag.p99Ms / 1000),
    gauge('cartwright_event_loop_lag_max_seconds', `${LAG}, ever`, lag.maxMs / 1000),
    counter('process_cpu_seconds_total', 'Processor time of all threads.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory.', memory.residentBytes),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use by the main thread.', memory.heapBytes),
    gauge('process_uptime_seconds', 'Since the start.', process.uptime()),
  ];
}
