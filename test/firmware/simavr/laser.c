/* Two VL53L1X on the I2C bus of an Uno, with XSHUT at A1 and A2. Only the registers that the sketch uses exist. */
#include <stddef.h>

#include <simavr/avr_twi.h>

#include "bench.h"

enum { LASERS = 2, POWER_ON_ADDRESS = 0x29, PERIOD_CYCLES = 40000 * CYCLES_PER_US };
enum { ADDRESS = 0x0001, READY = 0x0031, CLEAR = 0x0086, STATUS = 0x0089, RANGE = 0x0096 };
enum { MEASURED = 9, NO_SIGNAL = 4, NOTHING = 65535 };

static const struct pin SHUTDOWN[LASERS] = {{'C', 1}, {'C', 2}};
static struct {
  uint8_t address;
  bool ready;
} lasers[LASERS];
static avr_irq_t *bus;
static int selected = -1, at;
static uint16_t reg;

static int find(uint8_t address) {
  for (int one = 0; one < LASERS; one++) {
    if (board_is_low(SHUTDOWN[one])) lasers[one].address = POWER_ON_ADDRESS;
    else if (lasers[one].address == address && cart_range_of(one) >= 0) return one;
  }
  return -1;
}

static uint8_t read_register(uint16_t address) {
  int mm = cart_range_of(selected);
  switch (address) {
    case READY: return lasers[selected].ready;
    case STATUS: return mm == NOTHING ? NO_SIGNAL : MEASURED;
    case RANGE: return (uint8_t)(mm >> 8);
    case RANGE + 1: return (uint8_t)mm;
    default: return 0;
  }
}

static void write_register(uint16_t address, uint8_t value) {
  if (address == ADDRESS) lasers[selected].address = value;
  if (address == CLEAR) lasers[selected].ready = false;
}

static void on_master(avr_irq_t *irq, uint32_t value, void *unused) {
  (void)irq, (void)unused;
  avr_twi_msg_irq_t message = {.u.v = value};
  uint8_t kind = message.u.twi.msg, data = message.u.twi.data;
  if (kind & TWI_COND_STOP) selected = -1;
  if (kind & TWI_COND_START) {
    selected = find(message.u.twi.addr >> 1);
    if (selected >= 0) avr_raise_irq(bus + TWI_IRQ_INPUT, avr_twi_irq_msg(TWI_COND_ACK, message.u.twi.addr, 1));
    if (!(message.u.twi.addr & 1)) at = 0;
  }
  if (selected < 0) return;
  if (kind & TWI_COND_WRITE) {
    avr_raise_irq(bus + TWI_IRQ_INPUT, avr_twi_irq_msg(TWI_COND_ACK, message.u.twi.addr, 1));
    if (at < 2) reg = (uint16_t)(reg << 8 | data);
    else write_register(reg++, data);
    at++;
  }
  if (kind & TWI_COND_READ) {
    avr_raise_irq(bus + TWI_IRQ_INPUT, avr_twi_irq_msg(TWI_COND_READ, message.u.twi.addr, read_register(reg++)));
  }
}

static avr_cycle_count_t measure(avr_t *self, avr_cycle_count_t when, void *unused) {
  (void)self, (void)unused;
  for (int one = 0; one < LASERS; one++) lasers[one].ready = true;
  return when + PERIOD_CYCLES;
}

void lasers_start(void) {
  for (int one = 0; one < LASERS; one++) lasers[one].address = POWER_ON_ADDRESS;
  bus = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), on_master, NULL);
  avr_cycle_timer_register(avr, PERIOD_CYCLES, measure, NULL);
}
