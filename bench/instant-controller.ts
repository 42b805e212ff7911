import type { SerialPort } from 'serialport';
import { CAPS, Deframer, encodeFrame, type Frame, type FrameBody } from '../src/carts/serial/codec/codec.js';

export function instantController(port: SerialPort, onFrame: (frame: Frame) => void): void {
  let seq = 0;
  const send = (session: number, body: FrameBody, head: Partial<Frame> = {}): void => {
    const base = { seq: seq++ & 0xff, session, ackReq: false, reply: false, retry: false };
    port.write(encodeFrame({ ...base, ...head, ...body } as Frame));
  };
  let session = 0;
  const status = (): void => {
    const zero = { progressMm: 0, odoLeftMm: 0, odoRightMm: 0, speedMmps: 0, omegaDdegps: 0, batteryCa: 0 };
    const none = { tempBoardC: null, tempM1C: null, tempM2C: null, soc: null };
    const rest = {
      uptimeMs: 1,
      state: 'IDLE',
      faults: 0,
      estopNonce: 1,
      wireId: 0,
      batteryMv: 24_000,
    } as const;
    if (session) send(session, { type: 'STATUS', ...rest, ...zero, ...none });
  };
  setInterval(status, 100).unref();
  const deframer = new Deframer((frame) => {
    onFrame(frame);
    if (frame.type === 'HELLO') {
      session = frame.session;
      const firmware = { major: 1, minor: 0, patch: 0 };
      const hello = {
        proto: 1,
        caps: CAPS.simulated,
        firmware,
        maxFrame: 54,
        maxSpeedMmps: 3000,
        bootCount: 1,
        resetCause: 1,
      };
      send(
        session,
        { type: 'HELLO_R', ...hello, hostNonce: frame.hostNonce },
        { seq: frame.seq, reply: true },
      );
    } else if (frame.ackReq) {
      const wireId = 'wireId' in frame ? frame.wireId : 0;
      send(session, { type: 'ACK', ofType: frame.type, code: 0, wireId }, { seq: frame.seq, reply: true });
      if (frame.type === 'MOVE')
        send(session, { type: 'EVENT', wireId, event: 'finished', code: 0, finalMm: 1, finalDdeg: 0 });
    }
  });
  port.on('data', (bytes: Buffer) => deframer.push(bytes));
}
