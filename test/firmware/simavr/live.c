/* The serial line as a pseudo-terminal, in real time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

/* SLICE_US is the interval at which the clock and the terminal are checked. */
enum { SLICE_US = 250, LAG_MS = 20 };

static int master, opens;
static bool is_open;

static uint64_t now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void to_host(uint8_t byte) {
  /* Bytes that the host does not read are lost, as on a real line. */
  if (is_open && write(master, &byte, 1) != 1) EVENT("host-overrun", ",\"byte\":%u", byte);
}

static void open_terminal(const char *link) {
  int slave;
  char name[64];
  if (openpty(&master, &slave, name, NULL, NULL)) {
    perror("openpty");
    exit(2);
  }
  fcntl(master, F_SETFL, O_NONBLOCK);
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  unlink(link);
  if (symlink(name, link)) perror(link);
  /* From now on, the terminal reports whether a program has it open. */
  close(slave);
  opens = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(opens, name, IN_OPEN);
  EVENT("ready", ",\"path\":\"%s\"", name);
}

/* The terminal counts as open after its user has disabled line mode, in which the terminal would echo. */
static bool opened(void) {
  struct pollfd state = {.fd = master};
  struct termios mode;
  return poll(&state, 1, 0) >= 0 && !(state.revents & POLLHUP) && !tcgetattr(master, &mode) && !(mode.c_lflag & ICANON);
}

/* True if a program has opened the terminal since the last call. */
static bool opened_anew(void) {
  char events[4096];
  return read(opens, events, sizeof events) > 0;
}

/* The speeds of the boot loaders and the sketch. */
static double host_baud(void) {
  struct termios mode;
  return !tcgetattr(master, &mode) && cfgetospeed(&mode) == B57600 ? 57600 : 115200;
}

static void watch_terminal(bool reset_on_open) {
  bool was_open = is_open, was_reopened = opened_anew();
  is_open = opened();
  /* On a busy machine, the terminal may be closed and opened between two checks. */
  if (is_open == was_open && !(is_open && was_reopened)) return;
  EVENT("port", ",\"open\":%d", is_open);
  if (is_open) line_baud(host_baud());
  /* The capacitor on the DTR line pulls the reset pin low. */
  if (is_open && reset_on_open) board_reset("external");
}

static void from_host(void) {
  uint8_t bytes[1024];
  ssize_t count = read(master, bytes, sizeof bytes);
  for (ssize_t at = 0; at < count; at++) line_push(bytes[at]);
}

/* Returns false at the end of the input. */
static bool commands(void) {
  static char text[8192];
  static size_t length;
  ssize_t count = read(STDIN_FILENO, text + length, sizeof text - length - 1);
  if (count == 0) return false;
  if (count < 0) return true;
  text[length += (size_t)count] = 0;
  char *start = text, *end;
  for (; (end = strchr(start, '\n')); start = end + 1) {
    *end = 0;
    if (!command_execute(start)) EVENT("unknown", ",\"command\":\"%s\"", start);
  }
  length = strlen(start);
  memmove(text, start, length + 1);
  return true;
}

void live_run(const char *link, bool reset_on_open) {
  open_terminal(link);
  line_output(to_host);
  uint64_t start_us = now_us(), start_cycle = avr->cycle;
  for (uint64_t slice = 1; commands(); slice++) {
    watch_terminal(reset_on_open);
    from_host();
    uint64_t end = start_cycle + slice * SLICE_US * CYCLES_PER_US;
    while (avr->cycle < end) run_until(end);
    uint64_t due_us = start_us + slice * SLICE_US, at_us = now_us();
    if (at_us < due_us) usleep((useconds_t)(due_us - at_us));
    else if (at_us - due_us > LAG_MS * 1000) {
      /* The machine is too slow, so the simulated time falls behind and timing figures are invalid. */
      EVENT("lag", ",\"ms\":%llu", (unsigned long long)((at_us - due_us) / 1000));
      start_us += at_us - due_us;
    }
  }
  unlink(link);
}
