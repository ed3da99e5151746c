/* The callbacks of -fsanitize-coverage for libraries that were compiled with it and loaded into a worker: inline 8-bit
 * counters and guards of clang, the places of gcc's trace-pc. Nothing of it locks: a count that two threads make at
 * once may be lost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"

enum { most_ranges = 1024, most_guards = 1 << 20, most_pcs = 1 << 16 };

typedef struct Range {
  uint8_t* first;
  uint8_t* last;
  uint8_t* seen; /* for each counter a bit for each number of times */
  uint64_t module;
} Range;

static Range ranges[most_ranges];
static size_t range_count;
static uint8_t guard_counts[most_guards];
static uint8_t guard_seen[most_guards];
static uint32_t guard_count; /* guards are numbered from 1 */
static uint8_t pc_counts[most_pcs];
static uint8_t pc_seen[most_pcs];
static uint32_t pc_count;

/* A hash of the file's name, not of its address. */
static uint64_t module_of(const void* place) {
  Dl_info info;
  const char* name = dladdr(place, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "";
  const char* last = strrchr(name, '/');
  uint64_t hash = 0xcbf29ce484222325u;
  for (name = last != NULL ? last + 1 : name; *name != '\0'; ++name) hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
  return hash;
}

static uint8_t times_of(uint8_t count) {
  static const uint8_t limits[] = {2, 3, 4, 8, 16, 32, 128};
  uint8_t bit = 1;
  for (size_t i = 0; i < sizeof limits && count >= limits[i]; ++i) bit = (uint8_t)(bit << 1u);
  return bit;
}

static uint64_t number_of(uint64_t module, size_t place, uint8_t times) {
  uint64_t hash = (module ^ place) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 29u ^ times) * 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 32u;
}

/* Counts become 0, what is new becomes a number. */
static size_t collect(uint8_t* counts, uint8_t* seen, size_t places, uint64_t module, uint64_t* numbers, size_t most) {
  size_t found = 0;
  for (size_t i = 0; i < places; ++i) {
    if (counts[i] == 0) continue;
    const uint8_t times = times_of(counts[i]);
    counts[i] = 0;
    if ((seen[i] & times) != 0 || found == most) continue;
    seen[i] |= times;
    numbers[found++] = number_of(module, i, times);
  }
  return found;
}

size_t dlspec_coverage_new(uint64_t* numbers, size_t most) {
  size_t found = 0;
  for (size_t i = 0; i < range_count; ++i) {
    const Range* range = &ranges[i];
    found += collect(range->first, range->seen, (size_t)(range->last - range->first), range->module, numbers + found,
                     most - found);
  }
  found += collect(guard_counts, guard_seen, guard_count + 1u, 1, numbers + found, most - found);
  return found + collect(pc_counts, pc_seen, most_pcs, 2, numbers + found, most - found);
}

uint64_t dlspec_coverage_places(void) {
  uint64_t places = (uint64_t)guard_count + pc_count;
  for (size_t i = 0; i < range_count; ++i) places += (uint64_t)(ranges[i].last - ranges[i].first);
  return places;
}

void __sanitizer_cov_8bit_counters_init(uint8_t* first, uint8_t* last) {
  for (size_t i = 0; i < range_count; ++i) {
    if (ranges[i].first == first) return;
  }
  if (range_count == most_ranges || first >= last) return;
  uint8_t* const seen = calloc(1, (size_t)(last - first));
  if (seen == NULL) return;
  ranges[range_count++] = (Range){first, last, seen, module_of(first)};
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t* first, uint32_t* last) {
  for (; first < last; ++first) {
    if (*first == 0 && guard_count + 1 < most_guards) *first = ++guard_count;
  }
}

void __sanitizer_cov_trace_pc_guard(const uint32_t* guard) {
  if (*guard < most_guards && guard_counts[*guard] < 255) ++guard_counts[*guard];
}

/* Places that fall into one slot are told apart by nothing: a slot is taken by the distance from the module's start. */
void __sanitizer_cov_trace_pc(void) {
  static __thread uintptr_t page, base; /* of the last call: functions call it many times */
  const uintptr_t place = (uintptr_t)__builtin_return_address(0);
  if (place >> 12u != page) {
    Dl_info info;
    page = place >> 12u;
    base = dladdr((const void*)place, &info) != 0 ? (uintptr_t)info.dli_fbase : 0;
  }
  const size_t slot = (size_t)((place - base) * 0x9e3779b97f4a7c15u >> 48u);
  if (pc_seen[slot] == 0 && pc_counts[slot] == 0) ++pc_count;
  if (pc_counts[slot] < 255) ++pc_counts[slot];
}

/* What else a compiler may ask for. */
void __sanitizer_cov_pcs_init(const uintptr_t* first, const uintptr_t* last) { (void)first, (void)last; }
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) { (void)value, (void)cases; }
void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
#define IGNORED(name, type)                           \
  void __sanitizer_cov_##name(type left, type right); \
  void __sanitizer_cov_##name(type left, type right) { (void)left, (void)right; }
IGNORED(trace_cmp1, uint8_t)
IGNORED(trace_cmp2, uint16_t)
IGNORED(trace_cmp4, uint32_t)
IGNORED(trace_cmp8, uint64_t)
IGNORED(trace_const_cmp1, uint8_t)
IGNORED(trace_const_cmp2, uint16_t)
IGNORED(trace_const_cmp4, uint32_t)
IGNORED(trace_const_cmp8, uint64_t)
IGNORED(trace_cmpf, float)
IGNORED(trace_cmpd, double)
void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
__thread uintptr_t __sancov_lowest_stack;
