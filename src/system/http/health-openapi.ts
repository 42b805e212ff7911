import type { LinksView } from '../../carts/control/sse-events.js';
import type { Fault } from '../../shared/errors.js';
import type { StoreMetrics, StoreStatus } from '../../shared/ports/ports.js';
import type { FrameData } from '../../web/layout/context.js';
import {
  flag,
  json,
  listOf,
  mapOf,
  number,
  oneOf,
  orNull,
  record,
  ref,
  since1970,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api, Schema } from '../../web/openapi/types.js';

const said = { tone: oneOf(['quiet', 'live', 'warn', 'stop']), text };

/** What the gateway says of itself. */
export const gatewayMembers = { name: text, cartID: whole, fleet: text, simulated: flag, version: text };

const linksSchema = record<LinksView>({
  broker: record<LinksView['broker']>({ connected: flag, reason: text, url: text, embedded: flag }),
  camera: record<LinksView['camera']>({ ...said, reason: text, simulated: flag }),
});

const bytes = { ...whole, unit: 'bytes' };
const metrics = record<StoreMetrics>({
  ...{ transactions: whole, operations: whole, failedOperations: whole, refusedOperations: whole },
  ...{
    fsyncs: whole,
    bytesWritten: bytes,
    fsyncsPerWrite: number,
    bytesPerWrite: number,
    writerRestarts: whole,
  },
  ...{ lastCommitMs: { ...number, unit: 'ms' }, freeBytes: bytes, walBytes: bytes },
});
const store = record<StoreStatus>(
  {
    ...{ healthy: flag, readOnly: flag, reason: text, notices: listOf(text), schemaVersion: whole },
    ...{ queueOperations: whole, queueBytes: bytes, metrics, writerSilentMs: { ...number, unit: 'ms' } },
  },
  {
    restoredFrom: text,
    lastBackup: record<NonNullable<StoreStatus['lastBackup']>>({ path: text, bytes, at: since1970 }),
  },
);

/** Everything of `FrameData.gateway`, and how each part is. */
interface HealthAnswer extends Readonly<FrameData['gateway']> {
  auth: string;
  mode: string;
  status: string;
  faults: string[];
  links: LinksView;
  safety: object;
  clockSynced: boolean | null;
  settingsFaults: Fault[];
  store: StoreStatus;
  uptimeS: number;
}

const health = record<HealthAnswer>({
  ...gatewayMembers,
  ...{ auth: oneOf(['trusted-lan', 'required']), mode: oneOf(['full', 'stop-only']) },
  ...{ status: oneOf(['ok', 'degraded']), faults: listOf(text) },
  ...{ links: ref('Links'), safety: mapOf(ref('Safety')), clockSynced: orNull(flag) },
  ...{ settingsFaults: listOf(ref('Fault')), store, uptimeS: { ...number, unit: 's' } },
});

const reasons = listOf(record<{ code: string; text: string }>({ code: text, text }));

const ready = (isReady: boolean): Schema =>
  record<{ ready: boolean; simulated: boolean; version: string; notice?: string; reasons?: unknown[] }>(
    { ready: { const: isReady }, simulated: flag, version: text },
    { notice: { const: 'SIMULATED' }, reasons },
  );

const safe = (mayMove: boolean): Schema =>
  record<Record<'cartID' | 'mayMove' | 'reasons' | 'emergencyStop' | 'moving' | 'simulated', unknown>>({
    ...{ cartID: whole, mayMove: { const: mayMove }, reasons, moving: flag, simulated: flag },
    emergencyStop: oneOf(['NONE', 'MANUAL', 'REMOTE']),
  });

export const healthApi: Api = {
  tag: { name: 'Health', description: 'Whether all is well, for people and for monitors.' },
  schemas: { Links: linksSchema, Health: health },
  routes: {
    'GET /livez': {
      summary: 'The process answers',
      answers: { 200: json('It does', record<{ alive: true }>({ alive: { const: true } }), { alive: true }) },
    },
    'GET /readyz': {
      summary: 'It serves, and what it acknowledges is kept',
      answers: { 200: json('It is', ready(true)), 503: json('It is not, and why', ready(false)) },
    },
    'GET /safez': {
      summary: 'The cart of this gateway may move',
      answers: { 200: json('It may', safe(true)), 503: json('It may not, and why', safe(false)) },
    },
    'GET /health': {
      summary: 'Every part, in words',
      description:
        'Operators, keys and a trusted network get sentences, names, addresses and paths. For everybody else they are empty, and `faults` names parts.',
      answers: { 200: json('The parts', ref('Health')) },
    },
    'GET /metrics': {
      summary: 'For Prometheus, in its text format',
      answers: { 200: { description: 'The metrics', content: { 'text/plain': { schema: text } } } },
    },
  },
};
