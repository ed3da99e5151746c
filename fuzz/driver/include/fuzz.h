/* A fuzzing binary of a plug-in: each input is a sequence of exports, imports and releases, and after every step
 * everything that is alive is compared with what it must be.
 *
 *     #include <dlspec/fuzz.h>
 *     DLSPEC_FUZZ(dlspec_plugin())
 *
 * beside the plug-in's sources, linked with dlspec::fuzz. The macro defines what libFuzzer, AFL++, Centipede and
 * Honggfuzz call. Plain C99 and C++.
 *
 * In the environment: DLSPEC_FUZZ_PRINT=1 prints each step before it is carried out; with DLSPEC_FUZZ_THREADS=1 some
 * releases happen on another thread.
 */
#ifndef DLSPEC_FUZZ_H_
#define DLSPEC_FUZZ_H_

#include <dlspec/plugin.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define DLSPEC_FUZZ_C extern "C"
#else
#define DLSPEC_FUZZ_C
#endif

/* Carries out the sequence that these bytes mean; every string means one. What breaks a rule is shrunk, printed, and
 * ends the process by abort(). Returns 0. */
DLSPEC_FUZZ_C int dlspec_fuzz_one(const DlspecPlugin* plugin, const uint8_t* data, size_t size);

/* Changes the string step by step; its new size. */
DLSPEC_FUZZ_C size_t dlspec_fuzz_mutate(const DlspecPlugin* plugin, uint8_t* data, size_t size, size_t most,
                                        unsigned seed);

/* Writes a string with steps of both; its size, or 0. */
DLSPEC_FUZZ_C size_t dlspec_fuzz_cross(const DlspecPlugin* plugin, const uint8_t* first, size_t first_size,
                                       const uint8_t* second, size_t second_size, uint8_t* out, size_t most,
                                       unsigned seed);

/* `plugin`: an expression that gives the table, the same at each call. */
#define DLSPEC_FUZZ(plugin)                                                                                      \
  DLSPEC_FUZZ_C int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {                                   \
    return dlspec_fuzz_one(plugin, data, size);                                                                  \
  }                                                                                                              \
  DLSPEC_FUZZ_C size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {         \
    return dlspec_fuzz_mutate(plugin, data, size, most, seed);                                                   \
  }                                                                                                              \
  DLSPEC_FUZZ_C size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size, const uint8_t* second, \
                                                 size_t second_size, uint8_t* out, size_t most, unsigned seed) { \
    return dlspec_fuzz_cross(plugin, first, first_size, second, second_size, out, most, seed);                   \
  }

#endif
