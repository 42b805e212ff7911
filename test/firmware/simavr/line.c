/*
 * The serial line and USART 0. simavr's own USART counts a parity bit that is not sent and never overruns, so
 * this file replaces its register functions. The receiver samples each bit three times, at the AVR's bit
 * rate, on a line that has the host's bit rate.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, UPE = 0x04, U2X = 0x02 };
enum { RXCIE = 0x80, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08 };
enum { QUEUE = 1 << 18, FRAME = 300 };

struct received {
  uint8_t byte;
  bool framing_error;
};

static avr_uart_t *uart;
static double host_bit_cycles;
static struct {
  uint8_t bytes[QUEUE];
  uint32_t first, end;
} queue;
/* The byte on the line: the receiver has sampled its last bit at `sampled_at`, and the line is free at `ends_at`. */
static bool on_line, is_lost;
static double starts_at, ends_at;
static uint64_t sampled_at = NEVER;
static struct received arriving, buffer[2], waiting;
static int buffered;
static bool is_waiting;
static bool is_sending, has_next;
static uint8_t sending, next_byte;
static unsigned long bytes_in, bytes_out, overruns, framing_errors;
static void (*output)(uint8_t);
static bool frames_shown = true;
static struct {
  uint8_t bytes[FRAME];
  int length;
} in_frame, out_frame;

static uint8_t *flags(void) { return &avr->data[uart->r_ucsra]; }
static bool is_on(uint8_t bit) { return avr->data[uart->r_ucsrb] & bit; }

static double bit_cycles(void) {
  int divisor = (avr->data[uart->ubrrl.reg] | (avr->data[uart->ubrrh.reg] & 0x0F) << 8) + 1;
  return divisor * (*flags() & U2X ? 8 : 16);
}

static void show(const char *event, typeof(in_frame) *frame, uint8_t byte) {
  if (frame->length < FRAME) frame->bytes[frame->length++] = byte;
  if (byte != 0) return;
  if (frames_shown && frame->length > 1) {
    char hex[2 * FRAME + 1];
    for (int at = 0; at < frame->length; at++) sprintf(hex + 2 * at, "%02x", frame->bytes[at]);
    EVENT(event, ",\"hex\":\"%s\"", hex);
  }
  frame->length = 0;
}

static void raise_again(avr_int_vector_t *vector, uint8_t enable_bit) {
  if (is_on(enable_bit)) avr_raise_interrupt(avr, vector);
}

static void clear(avr_int_vector_t *vector, uint8_t flag) {
  avr_clear_interrupt(avr, vector);
  *flags() &= (uint8_t)~flag;
}

/* Receiver */

/* Level of the line at `cycle` while `byte` is on it: start bit, eight bits with the lowest first, stop bit. */
static bool level_at(uint8_t byte, double cycle) {
  int bit = (int)floor((cycle - starts_at) / host_bit_cycles);
  if (bit <= 0) return false;
  return bit >= 9 || byte >> (bit - 1) & 1;
}

/* The middle three of the 8 or 16 samples of a bit; the majority decides. */
static bool sample(uint8_t byte, int bit) {
  double step = bit_cycles() / (*flags() & U2X ? 8 : 16);
  double middle = starts_at + step + bit * bit_cycles() + (*flags() & U2X ? 3.5 : 7.5) * step;
  int high = 0;
  for (int at = -1; at <= 1; at++) high += level_at(byte, middle + at * step);
  return high >= 2;
}

static void accept(struct received one) {
  if (buffered == 2) {
    waiting = one;
    is_waiting = true;
    return;
  }
  buffer[buffered++] = one;
  if (buffered == 1 && one.framing_error) *flags() |= FE;
  *flags() |= RXC;
  avr_raise_interrupt(avr, &uart->rxc);
}

static void begin_byte(uint8_t byte) {
  on_line = true;
  ends_at = starts_at + 10 * host_bit_cycles;
  is_lost = is_waiting || !is_on(RXEN);
  if (is_waiting) {
    overruns++;
    *flags() |= DOR;
    EVENT("overrun", ",\"byte\":%u", byte);
  }
  uint8_t value = 0;
  for (int bit = 0; bit < 8; bit++) value |= sample(byte, bit + 1) << bit;
  arriving = (struct received){value, !sample(byte, 9)};
  if (arriving.framing_error || value != byte) framing_errors++;
  /* A receiver that is much slower than the line receives invalid bytes in any case. */
  sampled_at = (uint64_t)(starts_at + fmin(9.625 * bit_cycles(), 10 * host_bit_cycles));
  bytes_in++;
}

uint64_t line_next(void) {
  if (on_line) return sampled_at < ends_at ? sampled_at : (uint64_t)ends_at;
  return queue.first == queue.end ? NEVER : avr->cycle;
}

void line_step(void) {
  if (on_line && avr->cycle >= sampled_at) {
    sampled_at = NEVER;
    if (!is_lost) accept(arriving);
  }
  if (on_line && avr->cycle >= (uint64_t)ends_at && sampled_at == NEVER) {
    on_line = false;
    show("received", &in_frame, queue.bytes[(queue.first - 1) % QUEUE]);
  }
  if (!on_line && queue.first != queue.end) {
    /* If the previous byte has just ended, the next byte follows without a gap. */
    starts_at = avr->cycle - ends_at < 100 ? ends_at : (double)avr->cycle;
    begin_byte(queue.bytes[queue.first++ % QUEUE]);
  }
}

void line_push(uint8_t byte) { queue.bytes[queue.end++ % QUEUE] = byte; }
void line_cut(void) {
  queue.first = queue.end;
  on_line = false;
  in_frame.length = 0;
}
bool line_idle(void) { return !on_line && queue.first == queue.end; }
void line_baud(double baud) { host_bit_cycles = CYCLES_PER_US * 1e6 / baud; }

static uint8_t read_data(avr_t *self, avr_io_addr_t address, void *unused) {
  (void)unused;
  if (buffered == 0) return self->data[address];
  uint8_t byte = buffer[0].byte;
  buffer[0] = buffer[1];
  buffered--;
  clear(&uart->rxc, RXC | FE | DOR);
  if (is_waiting) {
    is_waiting = false;
    buffer[buffered++] = waiting;
  }
  if (buffered > 0) {
    *flags() |= RXC | (buffer[0].framing_error ? FE : 0);
    raise_again(&uart->rxc, RXCIE);
  }
  return byte;
}

/* Transmitter */

static avr_cycle_count_t byte_sent(avr_t *self, avr_cycle_count_t when, void *unused) {
  (void)unused;
  bytes_out++;
  show("sent", &out_frame, sending);
  if (output) output(sending);
  if (!has_next) {
    is_sending = false;
    avr_raise_interrupt(self, &uart->txc);
    return 0;
  }
  has_next = false;
  sending = next_byte;
  *flags() |= UDRE;
  avr_raise_interrupt(self, &uart->udrc);
  return when + (avr_cycle_count_t)(10 * bit_cycles());
}

static void write_data(avr_t *self, avr_io_addr_t address, uint8_t byte, void *unused) {
  (void)address, (void)unused;
  if (!is_on(TXEN)) return;
  if (is_sending) {
    next_byte = byte;
    has_next = true;
    clear(&uart->udrc, UDRE);
    return;
  }
  is_sending = true;
  sending = byte;
  avr_cycle_timer_register(self, (avr_cycle_count_t)(10 * bit_cycles()), byte_sent, NULL);
  raise_again(&uart->udrc, UDRIE);
}

static void write_flags(avr_t *self, avr_io_addr_t address, uint8_t value, void *unused) {
  (void)unused;
  const uint8_t kept = RXC | UDRE | FE | DOR | UPE;
  const uint8_t sent = value & TXC ? 0 : self->data[address] & TXC;
  self->data[address] = (self->data[address] & kept) | sent | (value & ~(kept | TXC));
}

static void write_control(avr_t *self, avr_io_addr_t address, uint8_t value, void *unused) {
  (void)unused;
  self->data[address] = value;
  if (!(value & RXEN)) {
    buffered = 0;
    is_waiting = false;
    clear(&uart->rxc, RXC | FE | DOR);
  }
  if (*flags() & RXC) raise_again(&uart->rxc, RXCIE);
  if (*flags() & UDRE) raise_again(&uart->udrc, UDRIE);
}

void line_reset(void) {
  buffered = 0;
  is_waiting = is_sending = has_next = false;
  out_frame.length = 0;
  /* A byte that is on the line during the reset does not arrive. */
  is_lost = true;
}

void line_start(void) {
  for (avr_io_t *io = avr->io_port; io; io = io->next) {
    if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0') uart = (avr_uart_t *)io;
  }
  avr->io[AVR_DATA_TO_IO(uart->r_udr)].r.c = read_data;
  avr->io[AVR_DATA_TO_IO(uart->r_udr)].w.c = write_data;
  avr->io[AVR_DATA_TO_IO(uart->r_ucsra)].r.c = NULL;
  avr->io[AVR_DATA_TO_IO(uart->r_ucsra)].w.c = write_flags;
  avr->io[AVR_DATA_TO_IO(uart->r_ucsrb)].r.c = NULL;
  avr->io[AVR_DATA_TO_IO(uart->r_ucsrb)].w.c = write_control;
  line_baud(115200);
}

void line_output(void (*receive)(uint8_t byte)) { output = receive; }
void line_show_frames(bool shown) { frames_shown = shown; }

void line_report(void) {
  EVENT("line", ",\"bytesIn\":%lu,\"bytesOut\":%lu,\"overruns\":%lu,\"framingErrors\":%lu,\"byteCycles\":%.0f", bytes_in,
        bytes_out, overruns, framing_errors, 10 * bit_cycles());
}
