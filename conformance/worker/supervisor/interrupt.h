// The user's wish to stop (Ctrl-C, SIGTERM, a closed terminal), as something that a poll can wait for.
#pragma once

namespace dlspec::conformance {

// Catches SIGINT, SIGTERM and SIGHUP from now on: the first one is remembered here, a second one kills
// the process in the ordinary way. Call it once, before threads are started.
void catch_interrupts();

// The signal that came, or 0.
[[nodiscard]] int interrupt_signal();

// Readable from the moment that a signal came; -1 before catch_interrupts (poll ignores it).
[[nodiscard]] int interrupt_descriptor();

}  // namespace dlspec::conformance
