import type { Camera, CameraPhase } from '../../camera/index.js';
import { bit, counter, gauge, type MetricFamily } from '../../shared/metric.js';
import type { Store } from '../../shared/ports/store.js';
import type { ProcessMonitor } from '../../system/index.js';
import type { Mqtt } from '../composition/broker.js';

const PHASES: readonly CameraPhase[] = [
  'disabled',
  'idle',
  'starting',
  'streaming',
  'stopping',
  'capturing',
  'backoff',
];

export function storeFamilies(store: Pick<Store, 'status'>): MetricFamily[] {
  const { healthy, lostWrites, queueOperations, queueBytes, metrics } = store.status();
  return [
    gauge('cartwright_store_up', '1 if the database accepts writes.', bit(healthy)),
    gauge(
      'cartwright_store_lost_writes',
      'Acknowledged writes that were missing at startup, until the loss is acknowledged; -1 if unknown.',
      lostWrites ? lostWrites.count || -1 : 0,
    ),
    gauge('cartwright_store_queue_writes', 'Queued writes.', queueOperations),
    gauge('cartwright_store_queue_bytes', 'Size of the queued writes.', queueBytes),
    counter('cartwright_store_writes_total', 'Writes, by outcome.', [
      [{ outcome: 'saved' }, metrics.operations],
      [{ outcome: 'failed' }, metrics.failedOperations],
      [{ outcome: 'refused' }, metrics.refusedOperations],
    ]),
    counter(
      'cartwright_store_transactions_total',
      'Committed transactions. Each transaction contains all writes that were queued when it started.',
      metrics.transactions,
    ),
    counter('cartwright_store_fsyncs_total', 'Calls to fsync.', metrics.fsyncs),
    counter(
      'cartwright_store_written_bytes_total',
      'Bytes written to the write-ahead log and the database.',
      metrics.bytesWritten,
    ),
    gauge(
      'cartwright_store_fsyncs_per_write',
      'Average number of fsync calls per acknowledged write since startup.',
      metrics.fsyncsPerWrite,
    ),
    gauge(
      'cartwright_store_bytes_per_write',
      'Average number of bytes written per acknowledged write since startup.',
      metrics.bytesPerWrite,
    ),
    gauge(
      'cartwright_store_last_commit_seconds',
      'Duration of the last commit.',
      metrics.lastCommitMs / 1000,
    ),
    gauge('cartwright_store_log_bytes', 'Size of the write-ahead log.', metrics.walBytes),
    gauge(
      'cartwright_disk_free_bytes',
      'Free disk space for the data directory; -1 if unknown.',
      metrics.freeBytes,
    ),
    counter('cartwright_store_writer_restarts_total', 'Writer thread restarts.', metrics.writerRestarts),
  ];
}

export function mqttFamilies({ bus, broker }: Pick<Mqtt, 'bus' | 'broker'>): MetricFamily[] {
  const { connects, received, published, failed, waiting } = bus.traffic;
  const { stats } = broker;
  return [
    gauge(
      'cartwright_mqtt_connected',
      '1 if the gateway is connected to the broker.',
      bit(bus.status().connected),
    ),
    counter('cartwright_mqtt_reconnects_total', 'Reconnections to the broker.', Math.max(0, connects - 1)),
    counter('cartwright_mqtt_received_messages_total', 'Messages received from the broker.', received),
    counter('cartwright_mqtt_published_messages_total', 'Messages published to the broker, by outcome.', [
      [{ outcome: 'taken' }, published],
      [{ outcome: 'failed' }, failed],
    ]),
    gauge(
      'cartwright_mqtt_outbox_messages',
      'Messages waiting for an acknowledgement from the broker.',
      waiting,
    ),
    ...(stats
      ? [
          gauge('cartwright_broker_clients', 'Network connections to the embedded broker.', stats.clients),
          counter(
            'cartwright_broker_messages_total',
            'Messages published to the embedded broker.',
            stats.published,
          ),
          counter(
            'cartwright_broker_too_large_total',
            'Clients disconnected because they sent an oversized packet.',
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
  const { repeated, faults } = source.counts();
  return [
    gauge(
      'cartwright_camera_phase',
      'Camera phase: 1 for the current phase, 0 for the others.',
      PHASES.map((name) => [{ phase: name }, bit(name === phase)]),
    ),
    gauge('cartwright_camera_fault', '1 if the camera has a fault.', bit(fault !== undefined)),
    counter(
      'cartwright_camera_frames_total',
      'Images received from the camera, excluding repeated and unusable images.',
      newest,
    ),
    counter(
      'cartwright_camera_repeated_frames_total',
      'Images from the camera that are the same as an earlier one.',
      repeated,
    ),
    counter(
      'cartwright_camera_image_faults_total',
      'Number of times that the images became unusable, by reason.',
      faults,
    ),
    gauge('cartwright_camera_configured_frames_per_second', 'Configured frame rate.', framerate),
    gauge(
      'cartwright_camera_viewers',
      'Open camera streams, and pages that are waiting for an image.',
      broadcaster.viewers,
    ),
    counter('cartwright_camera_viewer_frames_total', 'Images for viewers, by outcome.', [
      [{ outcome: 'sent' }, sent],
      [{ outcome: 'dropped' }, dropped],
    ]),
  ];
}

const LAG = 'Event-loop lag over the last one to two minutes';

/** Process metrics, with the standard names of Prometheus client libraries where such names exist. */
export function processFamilies(processMonitor: Pick<ProcessMonitor, 'read'>): MetricFamily[] {
  const { lag, memory } = processMonitor.read();
  const { user, system } = process.cpuUsage();
  return [
    gauge('cartwright_event_loop_lag_median_seconds', `${LAG}, median.`, lag.medianMs / 1000),
    gauge('cartwright_event_loop_lag_p99_seconds', `${LAG}, 99th percentile.`, lag.p99Ms / 1000),
    gauge('cartwright_event_loop_lag_max_seconds', `${LAG}, maximum.`, lag.maxMs / 1000),
    counter('process_cpu_seconds_total', 'CPU time of all threads.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory.', memory.residentBytes),
    gauge('nodejs_heap_size_used_bytes', 'Heap used by the main thread.', memory.heapBytes),
    gauge('process_uptime_seconds', 'Process uptime.', process.uptime()),
  ];
}
