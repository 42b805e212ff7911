/*
 * LD_PRELOAD shim for tests. The file named by DISK_FAULT_FILE selects the operation that fails and its error
 * number: "write <errno>" for every positioned write, "database <errno>" for every positioned write to a *.db
 * file, "fsync <errno>" for every fsync, and "lock <errno>" for every lock of a file. SQLite writes with pwrite64,
 * syncs with fsync and locks with fcntl64. "write EROFS" also makes mkdir fail although nothing is mounted read-only, as newer kernels do with an ext4 file system
 * after an error.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int fault(const char *call) {
  const char *path = getenv("DISK_FAULT_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  char name[16] = "";
  int number = 0;
  if (!file) return 0;
  if (fscanf(file, "%15s %d", name, &number) != 2 || strcmp(name, call) != 0) number = 0;
  fclose(file);
  return number;
}

static int is_database(int fd) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 3 && memcmp(path + length - 3, ".db", 3) == 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  int number = fault("write");
  if (!number && is_database(fd)) number = fault("database");
  if (number) return errno = number, -1;
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  return real(fd, bytes, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  static ssize_t (*real)(int, const struct iovec *, int, off64_t);
  int number = fault("write");
  if (number) return errno = number, -1;
  if (!real) real = (ssize_t(*)(int, const struct iovec *, int, off64_t))dlsym(RTLD_NEXT, "pwritev64");
  return real(fd, parts, count, offset);
}

char *mkdtemp(char *path) {
  static char *(*real)(char *);
  if (fault("write") == EROFS) return errno = EROFS, NULL;
  if (!real) real = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp");
  return real(path);
}

int fsync(int fd) {
  static int (*real)(int);
  int number = fault("fsync");
  if (number) return errno = number, -1;
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return real(fd);
}

int fcntl64(int fd, int command, ...) {
  static int (*real)(int, int, ...);
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  int number = command == F_SETLK ? fault("lock") : 0;
  if (number) return errno = number, -1;
  if (!real) real = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl64");
  return real(fd, command, argument);
}
