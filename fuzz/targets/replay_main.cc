// Runs a fuzz target on stored inputs without libFuzzer: files and folders of files, given as arguments. A failing
// input ends the process (abort or sanitizer), and its path is the last that is printed. A folder without inputs is an
// error: a lost corpus must not pass. A target's own mutator and crossover run on every input as well, and the target
// on what they make, unless `--plain` stands first: fuzz/covered counts what the inputs themselves reach. `--rounds N`
// runs all of them N times more, from memory and without mutants: fuzz/rates measures that.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Stands for libFuzzer's function, which custom mutators call: a replay mutates nothing.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
  return size;
}

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                                     std::size_t most, unsigned seed);
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first,
                                                                       std::size_t first_size,
                                                                       const std::uint8_t* second,
                                                                       std::size_t second_size, std::uint8_t* out,
                                                                       std::size_t most, unsigned seed);

namespace {

namespace fs = std::filesystem;

constexpr int mutants_per_input = 4;

// The files below a folder in a fixed order, without hidden ones.
std::vector<fs::path> inputs_in(const fs::path& folder) {
  std::vector<fs::path> inputs;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

void run(const std::vector<std::uint8_t>& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

// Strings made of the input and of the one before.
void run_mutants(const std::vector<std::uint8_t>& input) {
  static std::vector<std::uint8_t> before;
  static unsigned seed = 0;
  if (LLVMFuzzerCustomMutator == nullptr || LLVMFuzzerCustomCrossOver == nullptr) return;
  const std::size_t most = input.size() + before.size() + 64;
  for (int i = 0; i < mutants_per_input; ++i) {
    std::vector<std::uint8_t> mutant = input;
    mutant.resize(most);
    mutant.resize(LLVMFuzzerCustomMutator(mutant.data(), input.size(), most, ++seed));
    run(mutant);
    mutant.assign(most, 0);
    mutant.resize(
        LLVMFuzzerCustomCrossOver(input.data(), input.size(), before.data(), before.size(), mutant.data(), most, seed));
    run(mutant);
  }
  before = input;
}

using Inputs = std::vector<std::vector<std::uint8_t>>;

// What the arguments ask for.
struct Replay {
  bool mutants = true;
  long rounds = 0;
  Inputs inputs;
};

bool replay(const fs::path& path, bool verbose, Replay& asked) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  const auto& input = asked.inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (verbose) std::fprintf(stderr, "%s\n", path.c_str());
  run(input);
  if (asked.mutants) run_mutants(input);
  return true;
}

bool replay_all(const fs::path& argument, Replay& asked) {
  std::error_code ignored;
  if (!fs::exists(argument, ignored)) {
    std::fprintf(stderr, "there is no %s\n", argument.c_str());
    return false;
  }
  if (!fs::is_directory(argument)) return replay(argument, true, asked);
  const std::vector<fs::path> files = inputs_in(argument);
  if (files.empty()) std::fprintf(stderr, "%s holds no inputs\n", argument.c_str());
  return !files.empty() && std::ranges::all_of(files, [&](const fs::path& file) { return replay(file, false, asked); });
}

// The arguments behind the options, which stand first; false for another number of rounds than at least 1.
bool take_options(std::vector<std::string>& arguments, Replay& asked) {
  if (arguments.empty()) return false;
  if (arguments[0] == "--plain") {
    asked.mutants = false;
    arguments.erase(arguments.begin());
  } else if (arguments[0] == "--rounds") {
    asked.rounds = arguments.size() > 1 ? std::strtol(arguments[1].c_str(), nullptr, 10) : 0;
    arguments.erase(arguments.begin(), arguments.begin() + std::min<std::ptrdiff_t>(2, std::ssize(arguments)));
    if (asked.rounds <= 0) return false;
  }
  return !arguments.empty();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  Replay asked;
  if (!take_options(arguments, asked)) {
    std::fprintf(stderr, "usage: %s [--plain | --rounds N] FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  for (const std::string& argument : arguments) {
    if (!replay_all(argument, asked)) return 1;
  }
  for (long round = 0; round < asked.rounds; ++round) std::ranges::for_each(asked.inputs, run);
  std::printf("%zu inputs replayed\n", asked.inputs.size());
  return 0;
}
