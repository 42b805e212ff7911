/*
 * build.sh includes this file in every source file. In WebAssembly, a write to address 0 succeeds, so a failed
 * allocation terminates the detector; otherwise, it would corrupt the memory.
 */
#pragma once

#include <stdlib.h>

static inline void *checked(void *memory) {
  if (!memory) __builtin_trap();
  return memory;
}

static inline void *checked_malloc(size_t size) { return checked(malloc(size ? size : 1)); }
static inline void *checked_calloc(size_t count, size_t size) { return checked(calloc(count ? count : 1, size ? size : 1)); }
static inline void *checked_realloc(void *memory, size_t size) { return checked(realloc(memory, size ? size : 1)); }

#define malloc checked_malloc
#define calloc checked_calloc
#define realloc checked_realloc
