// Validates random conforming tensors with both validators: every finding is a false positive. Prints how many tensors
// were validated, and fails on a false positive or when a corner was never reached.
//
//   clean_tensors [--count N] [--first I] [--seed S] [--threads T] [--fast-only]
//
// Tensor I of a seed is always the same, whatever the other options are.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/testing/clean_tensor.h>
#include <dlspec/reference/validate/validate.h>

namespace {

using dlspec::Findings;
using dlspec::testing::Census;
using dlspec::testing::CleanTensor;

struct Options {
  std::uint64_t count = 1'000'000;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool fast_only = false;
};

constexpr std::uint64_t block = 4096;
// Smaller runs may miss a corner.
constexpr std::uint64_t enough_for_every_corner = 1'000'000;
constexpr int most_reported = 3;

std::optional<std::uint64_t> number(const char* text) {
  const std::string_view digits = text == nullptr ? "" : text;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Options> parse(char** arguments) {
  Options options;
  while (const char* const argument = *arguments) {
    ++arguments;
    const std::string_view name = argument;
    if (name == "--fast-only") {
      options.fast_only = true;
      continue;
    }
    const auto value = number(*arguments);
    if (!value) return std::nullopt;
    ++arguments;
    if (name == "--count")
      options.count = *value;
    else if (name == "--first")
      options.first = *value;
    else if (name == "--seed")
      options.seed = *value;
    else if (name == "--threads" && *value > 0)
      options.threads = static_cast<unsigned>(*value);
    else
      return std::nullopt;
  }
  return options;
}

class Trial {
 public:
  explicit Trial(const Options& options) : options_(options) {}

  // 0 when there was no false positive and every corner was reached.
  int run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options_.threads; ++i) threads.emplace_back([this] { judge_blocks(); });
    for (std::thread& thread : threads) thread.join();
    return report();
  }

 private:
  void judge_blocks() {
    const auto census = std::make_unique<Census>();
    CleanTensor tensor;
    for (std::uint64_t begin; (begin = next_.fetch_add(block)) < options_.count;) {
      for (std::uint64_t i = begin; i < std::min(begin + block, options_.count); ++i) {
        tensor.make(options_.seed, options_.first + i);
        census->add(tensor);
        judge(tensor, options_.first + i);
      }
    }
    const std::lock_guard lock(mutex_);
    census_->add(*census);
  }

  void judge(const CleanTensor& tensor, std::uint64_t index) {
    const Findings fast = dlspec::optimized::validate(tensor.exported(), tensor.origin());
    if (!tensor.is_noted_only(fast)) complain("optimized", tensor, index, fast);
    if (options_.fast_only) return;
    const Findings slow = dlspec::reference::validate(tensor.exported(), tensor.origin());
    if (!tensor.is_noted_only(slow)) complain("reference", tensor, index, slow);
  }

  void complain(const char* who, const CleanTensor& tensor, std::uint64_t index, const Findings& findings) {
    const std::lock_guard lock(mutex_);
    if (++alarms_ > most_reported) return;
    using dlspec::optimized::testing::describe;
    std::printf("false alarm of %s\n%s%s  expected notes:", who, describe(tensor.exported(), tensor.origin()).c_str(),
                describe(findings).c_str());
    for (const dlspec::RuleId rule : tensor.notes()) std::printf(" %s", dlspec::rule(rule).id);
    std::printf("\n  repeat    clean_tensors --seed %llu --first %llu --count 1\n",
                static_cast<unsigned long long>(options_.seed), static_cast<unsigned long long>(index));
  }

  int report() const {
    for (const std::string& line : census_->lines()) std::printf("  %s\n", line.c_str());
    std::vector<std::string> missing = census_->missing();
    if (options_.count < enough_for_every_corner) missing.clear();
    for (const std::string& line : missing) std::printf("never reached: %s\n", line.c_str());
    std::printf("%llu conforming tensors from %llu on, seed %llu, judged by %s: %llu false alarms\n",
                static_cast<unsigned long long>(census_->tensors()), static_cast<unsigned long long>(options_.first),
                static_cast<unsigned long long>(options_.seed),
                options_.fast_only ? "optimized" : "reference and optimized", static_cast<unsigned long long>(alarms_));
    return alarms_ == 0 && missing.empty() && census_->tensors() == options_.count ? 0 : 1;
  }

  const Options options_;
  std::atomic<std::uint64_t> next_ = 0;
  std::mutex mutex_;
  std::unique_ptr<Census> census_ = std::make_unique<Census>();
  std::uint64_t alarms_ = 0;
};

}  // namespace

int main(int, char** argv) {
  const std::optional<Options> options = parse(argv + 1);
  if (!options) {
    std::fprintf(stderr, "usage: %s [--count N] [--first I] [--seed S] [--threads T] [--fast-only]\n", argv[0]);
    return 2;
  }
  return Trial(*options).run();
}
