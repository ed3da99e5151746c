/* A plug-in that refuses every array, and its fuzzing binary without an engine: one input, two steps long. */
#include <dlspec/fuzz.h>
#include <stdio.h>

static int calls;

static int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  (void)spec, (void)generation, (void)exported;
  *reason = "nothing can be made";
  ++calls;
  return DLSPEC_UNSUPPORTED;
}

static const DlspecPlugin plugin = {
    DLSPEC_PLUGIN_VERSION, sizeof plugin, "refusing", "1.0", make, NULL, NULL, NULL, NULL, NULL};
DLSPEC_FUZZ(&plugin)

int main(void) {
  const uint8_t input[] = {0, 0, 0, 0, 1, 0, 0}; /* make, and export what was made */
  uint8_t changed[64] = {0};
  const size_t size = LLVMFuzzerCustomMutator(changed, 0, sizeof changed, 1);
  const int result = LLVMFuzzerTestOneInput(input, sizeof input);
  printf("%d calls of make, %zu bytes of a new input\n", calls, size);
  return result == 0 && calls == 1 && size > 1 ? 0 : 1;
}
