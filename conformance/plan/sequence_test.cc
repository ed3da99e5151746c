// The engine of sequences: text form, model, generator and shrinker. A tiny library in this file is carried out beside
// the model; faults that depend on the order of steps are seeded in it, found and shrunk.
#include <dlspec/conformance/plan/sequence.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/plan/sequence_shrinker.h>

namespace dlspec::conformance {
namespace {

SequenceProfile everything() { return sequence_profile(Role::exchange, SubjectKind::python); }

Sequence generated(std::uint64_t seed, std::size_t length = 40) {
  SequenceRandom random(seed);
  return generate_sequence(everything(), random, length);
}

// --- a tiny library: an array is a number in shared memory, an export a struct that points to it

enum class Fault : std::uint8_t {
  none,
  releases_newest,   // a deleter releases the newest export in place of its own
  copies_follow,     // a copy shares the memory of its source
  shared_metadata,   // an export overwrites the description of the one before
  freezes,           // an array that was exported twice is not written any more
  releases_on_drop,  // the destructor of a used capsule releases
};

class TinyLibrary {
 public:
  explicit TinyLibrary(Fault fault) : fault_(fault) {}

  void apply(const Step& step, int number) {
    switch (step.kind) {
      case StepKind::make: arrays_[step.made.number] = {std::make_shared<int>(number), 0}; break;
      case StepKind::view: arrays_[step.made.number] = {arrays_.at(step.on.number).memory, 0}; break;
      case StepKind::import_:
        arrays_[step.made.number] = {shared_or_copied(arrays_.at(step.on.number), step.option(0) == "copy"), 0};
        break;
      case StepKind::export_: add_export(step); break;
      case StepKind::write: write(step, number); break;
      case StepKind::release:
      case StepKind::raise: release(step.on.number); break;
      case StepKind::take: exports_.at(step.on.number).taken = true; break;
      case StepKind::drop: drop(step.on); break;
      default: break;
    }
  }

  struct Array {
    std::shared_ptr<int> memory;
    int exports = 0;
  };
  struct Export {
    std::shared_ptr<int> memory;
    int described = 0;  // the number of the array, as its description says
    int calls = 0;
    bool taken = false;
  };
  std::map<int, Array> arrays_;
  std::map<int, Export> exports_;

 private:
  static std::shared_ptr<int> shared_or_copied(const Array& array, bool copied) {
    return copied ? std::make_shared<int>(*array.memory) : array.memory;
  }

  void add_export(const Step& step) {
    Array& array = arrays_.at(step.on.number);
    ++array.exports;
    if (fault_ == Fault::shared_metadata && !exports_.empty()) exports_.rbegin()->second.described = step.on.number;
    const bool copied = step.option(0) == "copy" && fault_ != Fault::copies_follow;
    exports_[step.made.number] = {shared_or_copied(array, copied), step.on.number};
  }

  void write(const Step& step, int number) {
    if (step.on.kind == HolderKind::array) {
      Array& array = arrays_.at(step.on.number);
      if (fault_ != Fault::freezes || array.exports < 2) *array.memory = number;
    } else {
      *exports_.at(step.on.number).memory = number;
    }
  }

  void release(int number) {
    int released = number;
    if (fault_ == Fault::releases_newest) {
      for (const auto& [other, exported] : exports_) {
        if (exported.calls == 0) released = other;
      }
    }
    ++exports_.at(released).calls;
  }

  void drop(const Holder& holder) {
    if (holder.kind == HolderKind::array) {
      arrays_.erase(holder.number);
    } else if (!exports_.at(holder.number).taken || fault_ == Fault::releases_on_drop) {
      release(holder.number);
    }
  }

  Fault fault_;
};

// What the library shows otherwise than the model after some step; "" when it conforms.
std::string deviation(const Sequence& sequence, Fault fault) {
  TinyLibrary library(fault);
  SequenceModel model;
  int number = 0;
  for (const Step& step : sequence) {
    if (!model.allows(step)) return "impossible";
    ++number;
    model.apply(step);
    library.apply(step, number);
    for (const auto& [name, array] : model.arrays()) {
      if (!array.alive) continue;
      if (*library.arrays_.at(name).memory != model.written(array.contents)) return "array";
    }
    for (const auto& [name, exported] : model.exports()) {
      const TinyLibrary::Export& shown = library.exports_.at(name);
      if (shown.calls != exported.deleter_calls) return "calls";
      if (exported.deleter_calls > 0) continue;
      if (*shown.memory != model.written(exported.contents)) return "elements";
      if (shown.described != exported.of) return "description";
    }
  }
  return "";
}

// --- text

RC_GTEST_PROP(SequenceText, IsReadBack, (std::uint64_t seed)) {
  const Sequence sequence = generated(seed);
  const auto read = parse_sequence(sequence_text(sequence));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == sequence);
}

TEST(SequenceText, SaysWhatAPersonWouldWrite) {
  const auto read = parse_sequence("make a0 c float32 library; export e0 a0 copy; take e0; release e0 thread");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 4U);
  EXPECT_EQ((*read)[1].option(0), "copy");
  EXPECT_EQ((*read)[3].option(0), "thread");
}

TEST(SequenceText, RubbishIsNoSequence) {
  for (const char* text : {"jump a0", "make a0", "make a0 c float32 library extra", "export e0 e1 copy", "drop x0",
                           "drop a", "drop a99999999", "release e0 sideways", "take a0", "collect a0"}) {
    EXPECT_EQ(parse_sequence(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_sequence("")->size(), 0U);
}

TEST(SequenceText, EveryLayoutOfItIsALayoutOfThePlan) {
  for (const char* layout : row_of(StepKind::make).options[0]) {
    ASSERT_NE(find_layout(layout), nullptr) << layout;
    for (const char* dtype : row_of(StepKind::make).options[1]) {
      EXPECT_FALSE(sequence_order(layout, dtype).bytes.empty()) << layout << ' ' << dtype;
    }
  }
}

// --- generator

RC_GTEST_PROP(SequenceGenerator, EveryStepIsPossible, (std::uint64_t seed)) {
  const Sequence sequence = generated(seed);
  RC_ASSERT(sequence.size() == 40U);
  RC_ASSERT(possible_steps(sequence) == sequence);
  RC_ASSERT(sequence == generated(seed));
}

RC_GTEST_PROP(SequenceGenerator, VariationsArePossible, (std::uint64_t seed)) {
  SequenceRandom random(seed);
  const Sequence varied = vary_sequence(generated(seed), everything(), random);
  RC_ASSERT(!varied.empty());
  RC_ASSERT(possible_steps(varied) == varied);
}

TEST(SequenceGenerator, UsesEveryStepAndOption) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Step& step : generated(seed)) {
      for (std::size_t slot = 0; slot < most_options; ++slot) {
        seen.insert(std::string(row_of(step.kind).word) + ' ' + std::string(step.option(slot)));
      }
    }
  }
  for (const StepRow& row : step_rows()) {
    for (const auto& words : row.options) {
      for (const char* word : words) EXPECT_TRUE(seen.contains(std::string(row.word) + ' ' + word)) << word;
    }
  }
}

TEST(SequenceGenerator, KeepsToItsProfile) {
  for (const Role role : {Role::producer, Role::consumer}) {
    for (const SubjectKind kind : {SubjectKind::python, SubjectKind::plugin}) {
      SequenceRandom random(7);
      const Sequence sequence = generate_sequence(sequence_profile(role, kind), random, 300);
      EXPECT_GT(sequence.size(), 200U);
      for (const Step& step : sequence) {
        EXPECT_TRUE(step.kind != StepKind::import_ || role == Role::consumer);
        EXPECT_TRUE(step.kind != StepKind::make || (step.option(2) == "own") == (role == Role::consumer));
        EXPECT_TRUE(step.kind != StepKind::view || !is_native(kind));
      }
    }
  }
}

// --- engine

RC_GTEST_PROP(SequenceEngine, AConformingLibraryIsAsTheModelSays, (std::uint64_t seed)) {
  RC_ASSERT(deviation(generated(seed, 120), Fault::none).empty());
}

class SeededFaults : public testing::TestWithParam<Fault> {};

TEST_P(SeededFaults, AreFoundAndShrunk) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Sequence sequence = generated(seed);
    const std::string found = deviation(sequence, GetParam());
    if (found.empty()) continue;
    std::size_t attempts = 0;
    const Sequence shrunk = shrink_sequence(sequence, [&](const Sequence& candidate) {
      ++attempts;
      return deviation(candidate, GetParam()) == found;
    });
    EXPECT_EQ(deviation(shrunk, GetParam()), found);
    EXPECT_LE(shrunk.size(), 6U) << sequence_text(shrunk);
    EXPECT_LT(attempts, 300U);
    EXPECT_EQ(renumbered(shrunk), shrunk);
    return;
  }
  FAIL() << "no sequence shows the fault";
}
INSTANTIATE_TEST_SUITE_P(SequenceEngine, SeededFaults,
                         testing::Values(Fault::releases_newest, Fault::copies_follow, Fault::shared_metadata,
                                         Fault::freezes, Fault::releases_on_drop));

// --- shrinker

TEST(SequenceShrinker, OptionsBecomeTheSimplest) {
  const auto failing = parse_sequence(
      "make a0 strided int64 library; make a1 negative uint8 own; view a2 a0 tail; export e0 a2 legacy; take e0; "
      "collect; release e0 thread");
  const Sequence shrunk = shrink_sequence(*failing, [](const Sequence& candidate) {
    return !candidate.empty() && candidate.back().kind == StepKind::release;
  });
  EXPECT_EQ(sequence_text(shrunk), "make a0 c float32 library; export e0 a0 versioned; take e0; release e0 here");
}

TEST(SequenceShrinker, StopsAfterItsAttempts) {
  std::size_t attempts = 0;
  const auto fails = [&](const Sequence&) {
    ++attempts;
    return false;
  };
  EXPECT_EQ(shrink_sequence(generated(3), fails, 10), generated(3));
  EXPECT_EQ(attempts, 10U);
}

TEST(SequenceModel, ANewSituationIsAnotherNumber) {
  SequenceModel model;
  std::set<std::uint64_t> seen;
  std::size_t steps = 0;
  const auto sequence = parse_sequence(
      "make a0 c float32 library; export e0 a0 versioned; export e1 a0 versioned; take e0; release e0 here; write a0 "
      "1");
  for (const Step& step : *sequence) {
    seen.insert(model.situation(step));
    model.apply(step);
    ++steps;
  }
  EXPECT_EQ(seen.size(), steps);
}

}  // namespace
}  // namespace dlspec::conformance
