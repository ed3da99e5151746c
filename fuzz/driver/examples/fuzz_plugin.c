/* The fuzzing binary of a plug-in: this file, compiled and linked with the plug-in's own sources.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address -I PREFIX/include fuzz_plugin.c mine.c \
 *       PREFIX/lib/libdlspec_fuzz.a -lfmt -lstdc++ -lm -ldl -pthread -o fuzz_mine
 *     ./fuzz_mine corpus/
 */
#include <dlspec/fuzz.h>

DLSPEC_FUZZ(dlspec_plugin())
