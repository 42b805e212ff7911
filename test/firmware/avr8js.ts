import { readFileSync } from 'node:fs';
import {
  AVRADC,
  AVRClock,
  AVREEPROM,
  AVRIOPort,
  AVRTimer,
  AVRUSART,
  AVRWatchdog,
  adcConfig,
  avrInstruction,
  CPU,
  EEPROMMemoryBackend,
  PinState,
  portBConfig,
  portCConfig,
  portDConfig,
  timer0Config,
  timer1Config,
  timer2Config,
  usart0Config,
  watchdogConfig,
} from 'avr8js';

const HZ = 16_000_000;
const BYTE_CYCLES = (HZ / 115_200) * 10;
const BACK_TO_BACK_CYCLES = 16;
const [UCSRA, UCSRB] = [0xc0, 0xc1];
const [RXC, UDRE, RXEN] = [0x80, 0x20, 0x10];

/**
 * An Uno in avr8js, an independent simulator, to cross-check the bench. The sketch must not be reset, because
 * avr8js does not reset the ports.
 */
export class SecondUno {
  readonly #cpu: CPU;
  readonly #usart: AVRUSART;
  readonly #portD: AVRIOPort;
  /** Level changes of the motor-enable pin, each with the CPU cycle at which it occurred. */
  readonly enables: { cycle: number; level: 0 | 1 }[] = [];
  #queue: number[] = [];
  #nextByteAt = 0;

  constructor(hexFile: string) {
    const flash = new Uint16Array(0x4000).fill(0xffff);
    const bytes = new Uint8Array(flash.buffer);
    for (const line of readFileSync(hexFile, 'latin1').split('\n')) {
      if (line.slice(7, 9) !== '00') continue;
      const count = Number.parseInt(line.slice(1, 3), 16);
      bytes.set(Buffer.from(line.slice(9, 9 + 2 * count), 'hex'), Number.parseInt(line.slice(3, 7), 16));
    }
    const cpu = new CPU(flash, 2048);
    const portB = new AVRIOPort(cpu, portBConfig);
    new AVRIOPort(cpu, portCConfig);
    this.#portD = new AVRIOPort(cpu, portDConfig);
    for (const config of [timer0Config, timer1Config, timer2Config]) new AVRTimer(cpu, config);
    this.#usart = new AVRUSART(cpu, usart0Config, HZ);
    new AVRWatchdog(cpu, watchdogConfig, new AVRClock(cpu, HZ));
    const adc = new AVRADC(cpu, adcConfig);
    adc.channelValues[0] = 2.4;
    new AVREEPROM(cpu, new EEPROMMemoryBackend(1024));
    this.#cpu = cpu;
    keepReceivedByte(cpu, this.#usart);
    portB.addListener(() => {
      const level = portB.pinState(0) === PinState.High ? 1 : 0;
      if (level !== (this.enables.at(-1)?.level ?? 0)) this.enables.push({ cycle: cpu.cycles, level });
    });
    this.#portD.setPin(2, false);
    this.#portD.setPin(3, true);
  }

  get cycle(): number {
    return this.#cpu.cycles;
  }

  send(bytes: Uint8Array): void {
    this.#queue.push(...bytes);
  }

  pressEstop(): void {
    this.#portD.setPin(2, true);
  }

  run(ms: number): void {
    const end = this.#cpu.cycles + (ms * HZ) / 1000;
    while (this.#cpu.cycles < end) {
      avrInstruction(this.#cpu);
      this.#cpu.tick();
      if (this.#queue.length > 0 && this.#cpu.cycles >= this.#nextByteAt) this.#feed();
    }
  }

  #feed(): void {
    // If the previous byte has just ended, the next byte follows without a gap.
    const isIdle = this.#cpu.cycles - this.#nextByteAt > BACK_TO_BACK_CYCLES;
    this.#nextByteAt = (isIdle ? this.#cpu.cycles : this.#nextByteAt) + BYTE_CYCLES;
    this.#usart.writeByte(this.#queue.shift() ?? 0);
  }
}

/** avr8js discards a received byte when the sketch writes UCSRA or UCSRB; the processor does not. */
function keepReceivedByte(cpu: CPU, usart: AVRUSART): void {
  const writeA = cpu.writeHooks[UCSRA];
  cpu.writeHooks[UCSRA] = (value, old, address, mask) => {
    const kept = (cpu.data[UCSRA] ?? 0) & (RXC | UDRE);
    writeA?.(value, old, address, mask);
    cpu.data[UCSRA] = (cpu.data[UCSRA] ?? 0) | kept;
    return true;
  };
  const writeB = cpu.writeHooks[UCSRB];
  cpu.writeHooks[UCSRB] = (value, old, address, mask) => {
    const waits = ((cpu.data[UCSRA] ?? 0) & RXC) !== 0;
    writeB?.(value, old, address, mask);
    // avr8js declares `RXC` as private.
    const { RXC: interrupt } = usart as unknown as { RXC: Parameters<CPU['setInterruptFlag']>[0] };
    if (waits && value & RXEN) cpu.setInterruptFlag(interrupt);
    return true;
  };
}
