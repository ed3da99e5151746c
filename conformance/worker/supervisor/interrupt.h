// Interrupts (Ctrl-C, SIGTERM, a closed terminal) as a descriptor that poll can wait for.
#pragma once

namespace dlspec::conformance {

// Catches SIGINT, SIGTERM and SIGHUP. The first signal is recorded here; a second one kills the process as usual. Call
// it once, before threads start.
void catch_interrupts();

// The signal that was caught, or 0.
[[nodiscard]] int interrupt_signal();

// A descriptor that becomes readable when a signal is caught; -1, which poll ignores, before catch_interrupts.
[[nodiscard]] int interrupt_descriptor();

}  // namespace dlspec::conformance
