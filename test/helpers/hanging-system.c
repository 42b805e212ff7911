/*
 * LD_PRELOAD shim for tests. While the file "fsync" exists in the directory HANG_DIR, fsync and fdatasync do not
 * return. While the file "dns" exists, lookups of names that end with ".hang.test" do not return. Each of these
 * lookups appends its name to the file "lookups"; afterwards, it fails with EAI_AGAIN.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *path(char *buffer, size_t size, const char *name) {
  const char *directory = getenv("HANG_DIR");
  snprintf(buffer, size, "%s/%s", directory ? directory : "/nonexistent", name);
  return buffer;
}

static void hang(const char *name) {
  char file[4096];
  struct timespec pause = {0, 5000000};
  path(file, sizeof file, name);
  while (access(file, F_OK) == 0) nanosleep(&pause, NULL);
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  hang("fsync");
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  hang("fsync");
  return real(fd);
}

static void record(const char *node) {
  char file[4096], line[300];
  int fd = open(path(file, sizeof file, "lookups"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  int length = snprintf(line, sizeof line, "%s\n", node);
  if (fd < 0) return;
  if (write(fd, line, (size_t)length) < 0) perror("lookups");
  close(fd);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  static const char end[] = ".hang.test";
  size_t length = node ? strlen(node) : 0;
  if (!real)
    real = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT,
                                                                                                  "getaddrinfo");
  if (length < sizeof end || strcmp(node + length - (sizeof end - 1), end) != 0)
    return real(node, service, hints, result);
  record(node);
  hang("dns");
  return EAI_AGAIN;
}
