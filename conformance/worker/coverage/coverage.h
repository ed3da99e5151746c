/* What a worker of `dlspec fuzz` asks of the library that is loaded before it (counters.c, stack.c), by dlsym. */
#ifndef DLSPEC_COVERAGE_H_
#define DLSPEC_COVERAGE_H_

#include <stddef.h>
#include <stdint.h>

/* Writes numbers of what was covered since the last call and never before in this process, at most `most`; how many.
 * A number stands for a place in the code and how often it was reached (1, 2, 3, 4, 8, 16, 32, 128 times and more). */
size_t dlspec_coverage_new(uint64_t* numbers, size_t most);

/* How many places are known: 0 where nothing was compiled with -fsanitize-coverage. */
uint64_t dlspec_coverage_places(void);

/* When a signal ends the process, the names of the functions that were running are written there, a line each. The
 * memory must stay. */
void dlspec_coverage_stack_to(char* text, size_t size);

#endif
