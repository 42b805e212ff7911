/* The cart around the board: two motors with quadrature encoders, two HC-SR04 sensors and two bumpers. */
#include <math.h>
#include <stdio.h>

#include "bench.h"

enum { STEP_CYCLES = 100 * CYCLES_PER_US, STEPS_PER_EVENT = 100, SENSORS = 2, BUMPERS = 2 };
enum { NOTHING = 65535, NO_ECHO_US = 38000, SOUND_STARTS_US = 460, TRIGGER_US = 10 };

/* Pins of test/firmware/cart/config.h on an Uno: encoders 10 to 13, sensors A1 to A4, bumpers A5 and 9. */
static const struct pin ENCODERS[2][2] = {{{'B', 2}, {'B', 3}}, {{'B', 4}, {'B', 5}}};
static const struct pin TRIGGERS[SENSORS] = {{'C', 1}, {'C', 3}};
static const struct pin ECHOES[SENSORS] = {{'C', 2}, {'C', 4}};
static const struct pin CONTACTS[BUMPERS] = {{'C', 5}, {'B', 1}};
static const double UM_PER_COUNT = 300;
static const double US_PER_MM = 2 / 0.343;

static struct {
  double mmps, mm;
  long count;
} wheels[2];
static double full_mmps, lag_us, wall_mm;
static bool blocked, has_wall;
static unsigned steps;
static struct {
  int range;
  uint64_t triggered;
  bool echoes;
} sensors[SENSORS];

static double driven_mm(void) { return (wheels[0].mm + wheels[1].mm) / 2; }

/* Channel A leads when the wheel turns forward. */
static void encode(int wheel, long count) {
  int phase = (int)(count & 3);
  drive(ENCODERS[wheel][0], phase == 1 || phase == 2);
  drive(ENCODERS[wheel][1], phase == 2 || phase == 3);
}

static avr_cycle_count_t step(avr_t *self, avr_cycle_count_t when, void *unused) {
  (void)self, (void)unused;
  for (int at = 0; at < 2; at++) {
    double aim = board_enable() ? board_duty(at) * full_mmps / 255 : 0;
    wheels[at].mmps = blocked ? 0 : wheels[at].mmps + (aim - wheels[at].mmps) * 100 / lag_us;
    wheels[at].mm += wheels[at].mmps / 10000;
    long count = (long)floor(wheels[at].mm * 1000 / UM_PER_COUNT);
    if (count != wheels[at].count) encode(at, count);
    wheels[at].count = count;
  }
  if (++steps % STEPS_PER_EVENT == 0) {
    EVENT("wheels", ",\"mmps\":[%.1f,%.1f],\"mm\":[%.1f,%.1f],\"wallMm\":%.1f", wheels[0].mmps, wheels[1].mmps,
          wheels[0].mm, wheels[1].mm, has_wall ? wall_mm - driven_mm() : 0);
  }
  return when + STEP_CYCLES;
}

static avr_cycle_count_t end_echo(avr_t *self, avr_cycle_count_t when, void *sensor) {
  (void)self, (void)when;
  long at = (long)(intptr_t)sensor;
  drive(ECHOES[at], false);
  sensors[at].echoes = false;
  return 0;
}

static avr_cycle_count_t start_echo(avr_t *self, avr_cycle_count_t when, void *sensor) {
  (void)when;
  long at = (long)(intptr_t)sensor;
  double mm = at == 0 && has_wall ? wall_mm - driven_mm() : sensors[at].range;
  double us = mm >= NOTHING || mm * US_PER_MM > NO_ECHO_US ? NO_ECHO_US : fmax(mm, 20) * US_PER_MM;
  drive(ECHOES[at], true);
  avr_cycle_timer_register(self, (avr_cycle_count_t)(us * CYCLES_PER_US), end_echo, sensor);
  return 0;
}

static void on_trigger(avr_irq_t *irq, uint32_t level, void *sensor) {
  (void)irq;
  long at = (long)(intptr_t)sensor;
  if (level) {
    sensors[at].triggered = avr->cycle;
    return;
  }
  bool long_enough = avr->cycle - sensors[at].triggered >= TRIGGER_US * CYCLES_PER_US;
  if (!long_enough || sensors[at].echoes || sensors[at].range < 0) return;
  sensors[at].echoes = true;
  avr_cycle_timer_register(avr, SOUND_STARTS_US * CYCLES_PER_US, start_echo, sensor);
}

void cart_start(double full, double lag_ms) {
  full_mmps = full;
  lag_us = lag_ms * 1000;
  for (int at = 0; at < 2; at++) encode(at, 0);
  for (int at = 0; at < SENSORS; at++) {
    sensors[at].range = NOTHING;
    drive(ECHOES[at], false);
    avr_irq_register_notify(irq_of(TRIGGERS[at]), on_trigger, (void *)(intptr_t)at);
  }
  for (int at = 0; at < BUMPERS; at++) drive(CONTACTS[at], false);
  avr_cycle_timer_register(avr, STEP_CYCLES, step, NULL);
}

void cart_block(bool is_blocked) {
  blocked = is_blocked;
  EVENT("block", ",\"on\":%d", blocked);
}

void cart_range(int sensor, int mm) {
  sensors[sensor].range = mm;
  EVENT("range", ",\"sensor\":%d,\"mm\":%d", sensor, mm);
}

int cart_range_of(int sensor) {
  return sensor == 0 && has_wall ? (int)(wall_mm - driven_mm()) : sensors[sensor].range;
}

void cart_wall(int mm) {
  has_wall = true;
  wall_mm = driven_mm() + mm;
}

void cart_bump(int bumper, bool pressed) {
  /* Pressing a bumper opens its contact, and the pull-up makes the input high. */
  drive(CONTACTS[bumper], pressed);
  EVENT("bumper", ",\"bumper\":%d,\"pressed\":%d", bumper, pressed);
}
