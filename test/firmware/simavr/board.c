/* The microcontroller, wired as described in docs/hardware.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_watchdog.h>

#include "bench.h"

/* A motor: its direction pin, and its PWM pin with the compare register and the bit that connects the two. */
struct motor {
  const char *name;
  struct pin dir, pwm;
  uint16_t compare, control;
  uint8_t connected;
};

struct wiring {
  const char *name, *mcu;
  struct pin enable, estop, button;
  struct motor motors[2];
};

/* Arduino pins: enable 8, E-stop 2, reset button 3, left motor 4 and 5, right motor 7 and 6. */
static const struct wiring WIRINGS[] = {
    {"uno", "atmega328p", {'B', 0}, {'D', 2}, {'D', 3},
     {{"left", {'D', 4}, {'D', 5}, 0x48, 0x44, 0x20}, {"right", {'D', 7}, {'D', 6}, 0x47, 0x44, 0x80}}},
    {"mega", "atmega2560", {'H', 5}, {'E', 4}, {'E', 5},
     {{"left", {'G', 5}, {'E', 3}, 0x98, 0x90, 0x80}, {"right", {'H', 4}, {'H', 3}, 0xA8, 0xA0, 0x80}}},
};

enum { MCUSR = 0x54, PORF = 1, EXTRF = 2, BORF = 4 };
/* `rjmp .`, an endless loop. */
static const uint8_t STUCK[2] = {0xFF, 0xCF};

avr_t *avr;
static const struct wiring *wiring;
static avr_ioport_t *ports['Z'];
static avr_ioport_external_t outside['Z'];
static uint8_t fill[0x2400];
static int enable_level, duty[2];
static bool was_reset;
static const char *reset_cause;
static unsigned resets;
/* Cycle of the last `wdr`, which the sketch executes once in each iteration of its loop. */
static uint64_t fed_at, longest_loop, loops;
static avr_flashaddr_t feed_pc;
static bool hung;
static uint8_t fed_code[2];
/* Cycle of the last read of the E-stop input's port, and the longest time between two reads. */
static uint64_t looked_at, longest_unwatched;
static avr_io_read_t read_port;

static uint8_t *reg(uint16_t address) { return &avr->data[address]; }
avr_irq_t *irq_of(struct pin pin) { return ports[(uint8_t)pin.port]->io.irq + pin.bit; }

bool board_is_low(struct pin pin) {
  const avr_ioport_t *port = ports[(uint8_t)pin.port];
  return *reg(port->r_ddr) & ~*reg(port->r_port) & (1 << pin.bit);
}

static int output_level(struct pin pin) {
  const avr_ioport_t *port = ports[(uint8_t)pin.port];
  return *reg(port->r_ddr) & *reg(port->r_port) & (1 << pin.bit) ? 1 : 0;
}

static void on_enable(avr_irq_t *irq, uint32_t level, void *unused) {
  (void)irq, (void)unused;
  if ((int)level == enable_level) return;
  enable_level = (int)level;
  EVENT("enable", ",\"level\":%d,\"sinceFedUs\":%.1f", enable_level, (double)(avr->cycle - fed_at) / CYCLES_PER_US);
}

/* Duty of -255 to 255; the direction pin is high for forward. */
static int duty_of(const struct motor *motor) {
  int size = *reg(motor->control) & motor->connected ? *reg(motor->compare) : output_level(motor->pwm) * 255;
  return output_level(motor->dir) ? size : -size;
}

static void watch_motors(void) {
  for (int at = 0; at < 2; at++) {
    int now = duty_of(&wiring->motors[at]);
    if (now == duty[at]) continue;
    duty[at] = now;
    EVENT("motor", ",\"side\":\"%s\",\"duty\":%d", wiring->motors[at].name, now);
  }
}

static int on_ioctl(avr_io_t *io, uint32_t request, void *unused) {
  (void)io, (void)unused;
  if (request != AVR_IOCTL_WATCHDOG_RESET) return -1;
  if (fed_at && avr->cycle - fed_at > longest_loop) longest_loop = avr->cycle - fed_at;
  fed_at = avr->cycle;
  feed_pc = avr->pc;
  loops++;
  watch_motors();
  return -1;
}

static uint8_t on_look(avr_t *self, avr_io_addr_t address, void *port) {
  if (looked_at && self->cycle - looked_at > longest_unwatched) longest_unwatched = self->cycle - looked_at;
  looked_at = self->cycle;
  return read_port(self, address, port);
}

void drive(struct pin pin, bool level) {
  avr_ioport_external_t *side = &outside[(uint8_t)pin.port];
  side->name = pin.port;
  side->mask |= 1 << pin.bit;
  side->value = (side->value & ~(1 << pin.bit)) | (level << pin.bit);
  avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(pin.port), side);
  avr_raise_irq(irq_of(pin), level);
}

static void on_reset(avr_t *self) {
  (void)self;
  was_reset = true;
}

void board_settle(void) {
  if (!was_reset) return;
  was_reset = false;
  line_reset();
  if (hung) memcpy(&avr->flash[feed_pc], fed_code, sizeof fed_code);
  hung = false;
  resets++;
  EVENT("reset", ",\"cause\":\"%s\"", reset_cause ? reset_cause : "watchdog");
  reset_cause = NULL;
  /* The reset makes every pin an input. simavr clears the registers, including the levels of the inputs, but
     does not change the level of motor enable. */
  avr_raise_irq(irq_of(wiring->enable), 0);
  on_enable(NULL, 0, NULL);
  for (int name = 'A'; name < 'Z'; name++) {
    if (!ports[name]) continue;
    uint16_t address = ports[name]->r_pin;
    *reg(address) = (*reg(address) & ~outside[name].mask) | (outside[name].value & outside[name].mask);
  }
  watch_motors();
  fed_at = looked_at = 0;
  /* The sketch uses no external interrupts, and simavr's poll for them would take most of the time. */
  for (int at = 0; at < 8; at++) avr_extint_set_strict_lvl_trig(avr, at, 0);
}

/* Memory contains arbitrary values after power-on. */
static void power_up(void) {
  uint32_t random = 12345;
  for (int at = 0x100; at <= avr->ramend; at++) {
    random = random * 1664525 + 1013904223;
    avr->data[at] = fill[at] = (uint8_t)(random >> 24);
  }
}

void board_reset(const char *cause) {
  bool power = !strcmp(cause, "power-on");
  reset_cause = cause;
  if (power) power_up();
  avr_reset(avr);
  *reg(MCUSR) = power ? PORF : !strcmp(cause, "brown-out") ? BORF : EXTRF;
  board_settle();
}

static void find_ports(void) {
  for (avr_io_t *io = avr->io_port; io; io = io->next) {
    avr_ioport_t *port = (avr_ioport_t *)io;
    if (!strcmp(io->kind, "port")) ports[(uint8_t)port->name] = port;
  }
}

void board_start(const char *name) {
  static avr_io_t watcher = {.kind = "bench", .ioctl = on_ioctl};
  for (size_t at = 0; at < sizeof WIRINGS / sizeof *WIRINGS; at++) {
    if (!strcmp(WIRINGS[at].name, name)) wiring = &WIRINGS[at];
  }
  avr = wiring ? avr_make_mcu_by_name(wiring->mcu) : NULL;
  if (!avr || avr_init(avr)) {
    fprintf(stderr, "unknown board %s\n", name);
    exit(2);
  }
  avr->frequency = CYCLES_PER_US * 1000000;
  avr->vcc = avr->avcc = avr->aref = 5000;
  avr->log = LOG_ERROR;
  avr->reset = on_reset;
  find_ports();
  avr_register_io(avr, &watcher);
  struct avr_ioport_t *port = ports[(uint8_t)wiring->estop.port];
  read_port = avr->io[AVR_DATA_TO_IO(port->r_pin)].r.c;
  avr->io[AVR_DATA_TO_IO(port->r_pin)].r.c = on_look;
  drive(wiring->enable, false);
  drive(wiring->estop, false);
  drive(wiring->button, true);
  avr_irq_register_notify(irq_of(wiring->enable), on_enable, NULL);
  board_battery(12000);
}

/* Loads an Intel HEX file. simavr's own reader combines records that are not adjacent. */
void board_load(const char *hex_file) {
  enum { DATA = 0, SEGMENT = 2, LINEAR = 4 };
  FILE *file = fopen(hex_file, "r");
  char line[128];
  uint32_t base = 0, first = UINT32_MAX;
  while (file && fgets(line, sizeof line, file)) {
    unsigned count, address, type, value;
    if (sscanf(line, ":%2x%4x%2x%4x", &count, &address, &type, &value) < 3) continue;
    if (type == SEGMENT) base = value << 4;
    if (type == LINEAR) base = value << 16;
    if (type != DATA) continue;
    if (base + address < first) first = base + address;
    for (unsigned at = 0; at < count && base + address + at <= avr->flashend; at++) {
      unsigned byte;
      if (sscanf(line + 9 + 2 * at, "%2x", &byte) == 1) avr->flash[base + address + at] = (uint8_t)byte;
    }
  }
  if (first == UINT32_MAX) {
    fprintf(stderr, "no program in %s\n", hex_file);
    exit(2);
  }
  fclose(file);
  /* A program that does not begin at address 0 is the boot loader, which requires the fuse BOOTRST. */
  if (first != 0) avr->reset_pc = first;
}

void board_press(const char *input, bool pressed) {
  /* Pressing the E-stop opens its contact, and the pull-up makes the input high. */
  if (!strcmp(input, "estop")) drive(wiring->estop, pressed);
  else drive(wiring->button, !pressed);
  EVENT(input, ",\"pressed\":%d", pressed);
}

/* The divider maps 25 V to 5 V. */
void board_battery(uint32_t millivolts) {
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), millivolts / 5);
}

void board_hang(void) {
  memcpy(fed_code, &avr->flash[feed_pc], sizeof fed_code);
  memcpy(&avr->flash[feed_pc], STUCK, sizeof STUCK);
  hung = true;
}

int board_enable(void) { return enable_level; }

int board_duty(int motor) { return duty_of(&wiring->motors[motor]); }

/* The stack extends down to the longest run of bytes that have not changed since power-on. */
static unsigned stack_bytes(void) {
  int run = 0, longest = 0, end = 0x100;
  for (int at = 0x100; at <= avr->ramend; at++) {
    run = avr->data[at] == fill[at] ? run + 1 : 0;
    if (run <= longest) continue;
    longest = run;
    end = at + 1;
  }
  return avr->ramend + 1 - end;
}

void board_report(void) {
  EVENT("board", ",\"resets\":%u,\"loops\":%llu,\"longestLoopUs\":%.1f,\"longestUnwatchedUs\":%.1f,\"stackBytes\":%u",
        resets, (unsigned long long)loops, (double)longest_loop / CYCLES_PER_US,
        (double)longest_unwatched / CYCLES_PER_US, stack_bytes());
  longest_loop = longest_unwatched = loops = 0;
}
