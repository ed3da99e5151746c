// Pieces of programs: a heading is one line; the lines below it are copied into the program as they are.
// clang-format off
//: part frame
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

//: part plugin uses frame
static const DlspecPlugin* plugin;

// Prints what was observed, and ends the process: 1 the fault is there, 0 it is not there.
static void verdict(int is_there, const char* observed, ...) {
  va_list values;
  va_start(values, observed);
  printf("observed: ");
  vprintf(observed, values);
  printf("\nallowed:  %s\nThe fault is %sthere.\n", ALLOWED, is_there ? "" : "not ");
  va_end(values);
  exit(is_there ? 1 : 0);
}

//: part steps
// The strides of a tensor in elements: row-major where they are NULL.
static void steps_of(const DLTensor* tensor, int64_t* steps) {
  int64_t step = 1;
  for (int32_t axis = tensor->ndim; axis-- > 0; step *= tensor->shape[axis]) steps[axis] = tensor->strides
      ? tensor->strides[axis] : step;
}

//: part walk uses steps
// Copies the elements in C order, bit by bit: out of the tensor's memory, or into it.
static void walk(const DLTensor* tensor, int padded, unsigned char* bytes, size_t byte_count, int into) {
  int64_t steps[64], index[64] = {0};
  const int64_t width = tensor->bits * tensor->lanes, place = padded ? 8 : width;
  unsigned char* const first = (unsigned char*)tensor->data + tensor->byte_offset;
  steps_of(tensor, steps);
  for (int64_t n = 0; (n + 1) * width <= (int64_t)byte_count * 8; ++n) {
    int64_t bit = 0;
    for (int32_t axis = 0; axis < tensor->ndim; ++axis) bit += index[axis] * steps[axis] * place;
    for (int64_t i = 0; i < width; ++i) {
      const int64_t from = into ? n * width + i : bit + i, to = into ? bit + i : n * width + i;
      unsigned char* const target = (into ? first : bytes) + (to - ((to % 8 + 8) % 8)) / 8;
      const unsigned char* const source = (into ? bytes : first) + (from - ((from % 8 + 8) % 8)) / 8;
      const int value = *source >> (from % 8 + 8) % 8 & 1, at = (int)((to % 8 + 8) % 8);
      *target = (unsigned char)((*target & ~(1 << at)) | value << at);
    }
    int32_t axis = tensor->ndim - 1;
    for (; axis >= 0 && ++index[axis] == tensor->shape[axis]; --axis) index[axis] = 0;
    if (axis < 0) break;
  }
}

//: part main
// The fault may end the process: it is tried in a child.
int main(int count, char** arguments) {
  void* const library = dlopen(count > 1 ? arguments[1] : PLUGIN, RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 77;
  }
  const DlspecPlugin* (*table)(void) = NULL;
  *(void**)&table = dlsym(library, "dlspec_plugin");
  plugin = table ? table() : NULL;
  if (plugin == NULL) return 77;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    try_it();
    exit(2);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 2;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  printf("observed: signal %d ended the process\nallowed:  %s\nThe fault is there.\n", WTERMSIG(status), ALLOWED);
  return 1;
}
