/*
 * bench --board uno|mega --hex FILE... [--fast SCRIPT | --link PATH [--reset-on-open]]
 *
 * Loads one or two programs (the sketch, a boot loader). With --fast, the script runs in simulated time. With
 * --link, the serial line is a pseudo-terminal in real time, and commands are read from the standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static avr_cycle_count_t wake(avr_t *self, avr_cycle_count_t when, void *unused) {
  (void)self, (void)when, (void)unused;
  return 0;
}

static uint64_t earlier(uint64_t one, uint64_t other) { return one < other ? one : other; }

/*
 * Simulates up to `cycle`, or up to a change of motor enable. Pauses within one instruction of every change
 * on the serial line.
 */
void run_until(uint64_t cycle) {
  int enable = board_enable();
  while (avr->cycle < cycle && board_enable() == enable) {
    uint64_t stop = earlier(cycle, line_next());
    while (avr->cycle < stop && board_enable() == enable) {
      /* A timer limits the instructions that the simulator executes per call. A reset removes the timer. */
      if (!avr_cycle_timer_status(avr, wake, NULL)) avr_cycle_timer_register(avr, stop - avr->cycle, wake, NULL);
      avr->run_cycle_limit = 16000;
      int state = avr_run(avr);
      board_settle();
      if (state == cpu_Done || state == cpu_Crashed) {
        EVENT("crashed", ",\"pc\":%u", (unsigned)avr->pc);
        fflush(stdout);
        exit(3);
      }
    }
    avr_cycle_timer_cancel(avr, wake, NULL);
    line_step();
  }
}

static void usage(void) {
  fputs("usage: bench --board uno|mega --hex FILE... [--fast SCRIPT | --link PATH [--reset-on-open]]\n", stderr);
  exit(2);
}

int main(int count, char **words) {
  const char *board = NULL, *script = NULL, *link = NULL, *hex[2];
  int programs = 0;
  bool reset_on_open = false;
  for (int at = 1; at < count; at++) {
    bool has_value = at + 1 < count;
    if (!strcmp(words[at], "--reset-on-open")) reset_on_open = true;
    else if (!has_value) usage();
    else if (!strcmp(words[at], "--board")) board = words[++at];
    else if (!strcmp(words[at], "--hex") && programs < 2) hex[programs++] = words[++at];
    else if (!strcmp(words[at], "--fast")) script = words[++at];
    else if (!strcmp(words[at], "--link")) link = words[++at];
    else usage();
  }
  if (!board || programs == 0 || !script == !link) usage();
  setvbuf(stdout, NULL, script ? _IOFBF : _IOLBF, 1 << 16);
  board_start(board);
  for (int at = 0; at < programs; at++) board_load(hex[at]);
  line_start();
  board_reset("power-on");
  if (link) {
    live_run(link, reset_on_open);
  } else {
    script_open(script);
    while (script_step()) run_until(script_next());
  }
  fflush(stdout);
  return 0;
}
