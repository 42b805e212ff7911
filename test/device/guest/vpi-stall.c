/*
 * vpi-stall CPU: records this virtual processor's stalls in the kernel's trace. A real-time thread wakes
 * every 2 ms. The thread wakes late only if the host gave the machine no processor time, because nothing in
 * the machine preempts it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 2000000L
#define MIN_STALL_NS 1000000L

static long long ns(struct timespec t) { return t.tv_sec * 1000000000LL + t.tv_nsec; }

int main(int argc, char **argv) {
  struct sched_param priority = {.sched_priority = 90};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(argc > 1 ? atoi(argv[1]) : 0, &one);
  int trace = open("/sys/kernel/tracing/trace_marker", O_WRONLY);
  if (trace < 0 || mlockall(MCL_CURRENT | MCL_FUTURE) || sched_setaffinity(0, sizeof one, &one) ||
      sched_setscheduler(0, SCHED_FIFO, &priority)) {
    perror("vpi-stall");
    return 1;
  }
  for (;;) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long due = ns(now) + PERIOD_NS;
    struct timespec until = {due / 1000000000LL, due % 1000000000LL};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (ns(now) - due >= MIN_STALL_NS) dprintf(trace, "stall us=%lld", (ns(now) - due) / 1000);
  }
}
