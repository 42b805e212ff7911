/*
 * Commands, one per line. Only in a script:
 *   wait US            time passes
 *   drain US           time passes until the host's bytes have been transmitted, but at most this long
 *   until LEVEL US     time passes until motor enable has this level, but at most this long
 *   branch ... end     a copy of the whole simulation executes the commands in between, then the original continues
 * In a script and on the standard input:
 *   send HEX           the host transmits bytes after those that are still being transmitted
 *   cut                bytes that the host is still transmitting do not arrive
 *   estop 0|1          1 = pressed            button 0|1     reset button
 *   battery MV         battery voltage        baud N         the host's baud rate
 *   reset CAUSE        external, power-on or brown-out
 *   cart MM_S LAG_MS   motors with this speed at full PWM and this time constant, encoders, sensors and bumpers
 *   lasers             distance sensors on the I2C bus
 *   block 0|1          1 = the wheels are blocked
 *   range N MM         distance that sensor N measures; 65535 = nothing in range, -1 = the sensor does not respond
 *   wall MM            an obstacle this far ahead, which the cart approaches
 *   bumper N 0|1       1 = pressed
 *   hang               the main loop hangs    frames 0|1     1 = frames are printed
 *   report             prints the figures     mark TEXT      prints the event "mark"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static FILE *script;
static char line[1 << 16];
static uint64_t due;
static enum { WAIT, DRAIN, UNTIL } pause_kind;
static int wanted_level;
static bool is_branch;
/* Maximum length of a step while the script waits for the end of the host's transmission. */
enum { STEP = 500 * CYCLES_PER_US };

static void report(void) {
  board_report();
  line_report();
}

static void send_hex(const char *hex) {
  unsigned byte;
  for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) line_push((uint8_t)byte);
}

/* Returns false if the command is unknown. */
bool command_execute(char *command) {
  char *argument = strchr(command, ' ');
  if (argument) *argument++ = 0;
  else argument = command + strlen(command);
  if (!strcmp(command, "send")) send_hex(argument);
  else if (!strcmp(command, "cut")) line_cut();
  else if (!strcmp(command, "estop") || !strcmp(command, "button")) board_press(command, atoi(argument));
  else if (!strcmp(command, "battery")) board_battery(atoi(argument));
  else if (!strcmp(command, "reset")) board_reset(argument);
  else if (!strcmp(command, "cart")) cart_start(atof(argument), atof(strchr(argument, ' ')));
  else if (!strcmp(command, "lasers")) lasers_start();
  else if (!strcmp(command, "block")) cart_block(atoi(argument));
  else if (!strcmp(command, "range")) cart_range(atoi(argument), atoi(strchr(argument, ' ')));
  else if (!strcmp(command, "wall")) cart_wall(atoi(argument));
  else if (!strcmp(command, "bumper")) cart_bump(atoi(argument), atoi(strchr(argument, ' ')));
  else if (!strcmp(command, "baud")) line_baud(atof(argument));
  else if (!strcmp(command, "frames")) line_show_frames(atoi(argument));
  else if (!strcmp(command, "hang")) board_hang();
  else if (!strcmp(command, "report")) report();
  else if (!strcmp(command, "mark")) EVENT("mark", ",\"text\":\"%s\"", argument);
  else return false;
  return true;
}

static bool read_line(void) {
  if (!fgets(line, sizeof line, script)) return false;
  line[strcspn(line, "\n")] = 0;
  return true;
}

/* The copied process continues after `branch`; the original waits for it and continues after `end`. */
static void branch(void) {
  fflush(stdout);
  long at = ftell(script);
  pid_t copy = fork();
  if (copy < 0) exit(4);
  if (copy == 0) {
    /* After a fork, both processes share the position in an open file, so the copy opens the script again. */
    script = fopen(getenv("BENCH_SCRIPT"), "r");
    if (!script || fseek(script, at, SEEK_SET)) _exit(4);
    is_branch = true;
    return;
  }
  int status = 0;
  if (waitpid(copy, &status, 0) < 0 || status != 0) exit(4);
  while (read_line() && strcmp(line, "end")) continue;
}

void script_open(const char *file) {
  setenv("BENCH_SCRIPT", file, 1);
  script = fopen(file, "r");
  if (!script) {
    perror(file);
    exit(2);
  }
}

static bool is_waiting(void) {
  if (avr->cycle >= due) return false;
  if (pause_kind == DRAIN) return !line_idle();
  if (pause_kind == UNTIL) return board_enable() != wanted_level;
  return true;
}

static bool start_pause(void) {
  double us = 0;
  if (sscanf(line, "wait %lf", &us) == 1) pause_kind = WAIT;
  else if (sscanf(line, "drain %lf", &us) == 1) pause_kind = DRAIN;
  else if (sscanf(line, "until %d %lf", &wanted_level, &us) == 2) pause_kind = UNTIL;
  else return false;
  due = avr->cycle + (uint64_t)(us * CYCLES_PER_US);
  return true;
}

bool script_step(void) {
  while (!is_waiting()) {
    if (!read_line()) return false;
    if (!strcmp(line, "branch")) {
      branch();
    } else if (!strcmp(line, "end")) {
      if (!is_branch) continue;
      fflush(stdout);
      _exit(0);
    } else if (!start_pause() && !command_execute(line)) {
      fprintf(stderr, "unknown command: %s\n", line);
      exit(2);
    }
  }
  return true;
}

uint64_t script_next(void) {
  return pause_kind != DRAIN || due - avr->cycle < STEP ? due : avr->cycle + STEP;
}
