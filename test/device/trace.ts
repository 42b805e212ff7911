import { Deframer, type Frame } from '../../src/carts/serial/codec/codec.js';

interface Pull {
  kind: 'hand';
  atMs: number;
  opens: boolean;
}

interface Level {
  kind: 'level';
  atMs: number;
  pin: number;
  high: boolean;
}

interface Wire {
  kind: 'wire';
  atMs: number;
  bytes: number;
  frames: Frame[];
}

/**
 * A stall of a virtual processor, which ended at `atMs`. During a stall, the host does not run the virtual
 * processor.
 */
interface Stall {
  kind: 'stall';
  atMs: number;
  ms: number;
}

/** An event recorded by the guest kernel (see vpi-trace). `atMs` is the kernel's monotonic time. */
export type TraceEvent = Pull | Level | Wire | Stall;

const LINE = /\s(\d+\.\d+): (?:(hand|level|wire): \([^)]*\)|tracing_mark_write: (stall)) (.*)$/;
/** 115200 baud, ten bits per byte. */
const BYTE_MS = 10_000 / 115_200;

export function readTrace(text: string): TraceEvent[] {
  return text.split('\n').flatMap((line): TraceEvent[] => {
    const [, seconds, event, marker, fields = ''] = LINE.exec(line) ?? [];
    if (seconds === undefined) return [];
    const atMs = Number(seconds) * 1000;
    const field = (name: string): number => Number(new RegExp(`\\b${name}=(-?\\d+)`).exec(fields)?.[1]);
    if (marker) return [{ kind: 'stall', atMs, ms: field('us') / 1000 }];
    if (event === 'hand') return [{ kind: event, atMs, opens: String.fromCharCode(field('letter')) === 'd' }];
    if (event === 'level') return [{ kind: event, atMs, pin: field('pin'), high: field('value') !== 0 }];
    return [{ kind: 'wire', atMs, bytes: field('count'), frames: framesIn(fields, field('count')) }];
  });
}

function framesIn(fields: string, count: number): Frame[] {
  const frames: Frame[] = [];
  const deframer = new Deframer((frame) => frames.push(frame));
  const all = (fields.match(/0x[0-9a-f]+/g) ?? []).map(Number);
  deframer.push(Uint8Array.from(all.slice(0, count)));
  return frames;
}

/**
 * One opening of the E-stop circuit, with the delay in ms until each effect (undefined if the effect is
 * absent).
 */
export interface Opening {
  /** Delay until the last byte of the first stop frame leaves the serial port. */
  stopFrameMs: number | undefined;
  /** Delay until the motor enable goes low for the last time; undefined if it was never high. */
  enableOffMs: number | undefined;
  /**
   * The machine's longest stall between the opening of the E-stop circuit and the effects. A stall increases
   * the measured delays.
   */
  stalledMs: number;
}

/**
 * Returns all openings of the E-stop circuit. A stop frame's delay includes its computed transmission time,
 * which QEMU does not simulate.
 */
export function openings(events: readonly TraceEvent[], enablePin: number): Opening[] {
  return events.flatMap((note, at) => {
    if (note.kind !== 'hand' || !note.opens) return [];
    const next = events.findIndex((later, index) => index > at && later.kind === 'hand' && later.opens);
    const after = events.slice(at, next < 0 ? undefined : next);
    const stop = after.filter((later) => later.kind === 'wire').find(isStop);
    const levels = after.filter((later) => later.kind === 'level').filter(({ pin }) => pin === enablePin);
    const off = levels[levels.findLastIndex(({ high }) => high) + 1];
    const untilMs = Math.max(stop?.atMs ?? Number.POSITIVE_INFINITY, off?.atMs ?? 0);
    const stalls = events.filter((other) => other.kind === 'stall');
    const during = stalls.filter(({ atMs, ms }) => atMs > note.atMs && atMs - ms < untilMs);
    return [
      {
        stalledMs: Math.max(0, ...during.map(({ ms }) => ms)),
        stopFrameMs: stop && stop.atMs - note.atMs + stop.bytes * BYTE_MS,
        enableOffMs: off && off.atMs - note.atMs,
      },
    ];
  });
}

const isStop = ({ frames }: Wire): boolean => frames.some(({ type }) => type === 'ESTOP');

/** Returns the nearest-rank percentile; `share` is a proportion from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
