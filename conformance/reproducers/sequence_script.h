// A stand-alone Python script that carries out a sequence and shows what it breaks.
#pragma once

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/reproducers/script.h>
#include <dlspec/conformance/reproducers/templates.h>

namespace dlspec::conformance {

// `record`: the finding.
[[nodiscard]] Script make_sequence_script(const Templates& templates, const ScriptSubject& subject,
                                          const Sequence& sequence, const Record& record);

}  // namespace dlspec::conformance
