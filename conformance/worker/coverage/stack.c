/* The functions that were running when a signal ended the process, by name, so that findings can be told apart. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>

#include "coverage.h"

enum { most_frames = 32, most_lines = 8 };

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
static char* place;
static size_t room;

static size_t add(size_t at, const char* text) {
  while (*text != '\0' && at + 1 < room) place[at++] = *text++;
  place[at] = '\0';
  return at;
}

static size_t add_hexadecimal(size_t at, uintptr_t number) {
  char text[2 * sizeof number + 1];
  size_t first = sizeof text - 1;
  text[first] = '\0';
  do {
    text[--first] = "0123456789abcdef"[number % 16];
    number /= 16;
  } while (number != 0);
  return add(at, text + first);
}

static const char* base_name(const char* path) {
  const char* const last = strrchr(path, '/');
  return last != NULL ? last + 1 : path;
}

static const char* file_of(const void* frame) {
  Dl_info info;
  return dladdr(frame, &info) != 0 && info.dli_fname != NULL ? base_name(info.dli_fname) : "";
}

/* dlspec's own: what called the library, and the handler. */
static int is_own(const char* file) {
  return strcmp(file, "dlspec") == 0 || strncmp(file, "_native.", 8) == 0 || strcmp(file, "coverage.so") == 0;
}

/* "release (libmine.so)", or by its distance from the start of the file where the function has no name. */
static size_t add_frame(size_t at, const void* frame) {
  Dl_info info;
  if (dladdr(frame, &info) == 0 || info.dli_fname == NULL) return at;
  if (info.dli_sname != NULL) {
    at = add(at, info.dli_sname);
  } else {
    at = add_hexadecimal(add(at, "+0x"), (uintptr_t)frame - (uintptr_t)info.dli_fbase);
  }
  return add(add(add(at, " ("), base_name(info.dli_fname)), ")\n");
}

/* What ran between the signal and dlspec's own code. Where a handler returns to stands between it and what it
 * interrupted. */
static void write_stack(void) {
  void* frames[most_frames];
  const int count = backtrace(frames, most_frames);
  size_t at = 0;
  int first = 0;
  while (first < count && is_own(file_of(frames[first]))) ++first;
  for (int i = first + 1; i < count && i <= first + most_lines && !is_own(file_of(frames[i])); ++i)
    at = add_frame(at, (const char*)frames[i] - (i > first + 1 ? 1 : 0)); /* a call that is the last of its function */
}

static void on_deadly_signal(int number) {
  signal(number, SIG_DFL);
  if (place != NULL && place[0] == '\0') write_stack();
  raise(number);
}

void dlspec_coverage_stack_to(char* text, size_t size) {
  room = size;
  place = text;
  place[0] = '\0';
}

/* Before anything else of the process, so that a library's own handlers stand before these. The first call of backtrace
 * loads a library, which a handler must not. */
__attribute__((constructor)) static void watch_signals(void) {
  void* frame[1];
  (void)!backtrace(frame, 1);
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_handler = on_deadly_signal;
  ours.sa_flags = (int)(SA_ONSTACK | SA_NODEFER);
  for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) sigaction(deadly[i], &ours, NULL);
}
