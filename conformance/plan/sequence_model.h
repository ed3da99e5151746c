// The model of a sequence: which arrays and exports are alive after each step, what they share, and what they must show
// in a library that refuses nothing.
#pragma once

#include <cstdint>
#include <map>

#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {

class SequenceModel {
 public:
  struct Array {
    bool own = false;        // dlspec's own array, which a library imports
    bool imported = false;   // shows the elements of another array
    bool divisible = false;  // its first axis has elements to leave out
    bool read_only = false;
    bool alive = true;
    int contents = 0;  // index into contents(): arrays that share memory share it
  };
  // alone: taken, and the used capsule was dropped.
  enum class ExportState : std::uint8_t { capsule, taken, alone, gone };
  struct Export {
    ExportState state = ExportState::capsule;
    int of = 0;  // number of the array
    bool copied = false;
    bool legacy = false;
    bool read_only = false;
    int contents = 0;
    int deleter_calls = 0;
  };

  // Whether the step is possible now.
  [[nodiscard]] bool allows(const Step& step) const;
  // Carries out a step that is possible.
  void apply(const Step& step);

  [[nodiscard]] const std::map<int, Array>& arrays() const { return arrays_; }
  [[nodiscard]] const std::map<int, Export>& exports() const { return exports_; }
  // What stands in the memory of these contents: the step that wrote it, counted from 1.
  [[nodiscard]] int written(int contents) const { return written_[static_cast<std::size_t>(contents)]; }
  // A number for the state of a step's holder and of what shares memory with it, and for the step. Coverage where there
  // is no instrumentation: a sequence that reaches a new one is worth keeping.
  [[nodiscard]] std::uint64_t situation(const Step& step) const;

 private:
  [[nodiscard]] const Array* live_array(const Holder& holder) const;
  [[nodiscard]] const Export* live_export(const Holder& holder) const;
  void make_array(const Step& step);
  void make_export(const Step& step);
  void end_export(const Step& step);
  [[nodiscard]] int new_contents();

  std::map<int, Array> arrays_;
  std::map<int, Export> exports_;
  std::vector<int> written_;
  int steps_ = 0;
};

// The steps that are possible one after the other; those that lack what a removed step made are left out.
[[nodiscard]] Sequence possible_steps(const Sequence& sequence);

// The same steps with arrays and exports numbered from 0 in the order in which they are made.
[[nodiscard]] Sequence renumbered(const Sequence& sequence);

}  // namespace dlspec::conformance
