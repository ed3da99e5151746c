// Runs a fuzz target on stored inputs without libFuzzer: files and folders of files, given as arguments. A failing
// input ends the process (abort or sanitizer), and its path is the last that is printed. A folder without inputs is an
// error: a lost corpus must not pass.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Stands for libFuzzer's function, which custom mutators call: a replay mutates nothing.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
  return size;
}

namespace {

namespace fs = std::filesystem;

// The files below a folder in a fixed order, without hidden ones.
std::vector<fs::path> inputs_in(const fs::path& folder) {
  std::vector<fs::path> inputs;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

bool replay(const fs::path& path, bool verbose) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (verbose) std::fprintf(stderr, "%s\n", path.c_str());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return true;
}

// Number of inputs replayed, or -1.
long replay_all(const fs::path& argument) {
  if (!fs::is_directory(argument)) return replay(argument, true) ? 1 : -1;
  const std::vector<fs::path> inputs = inputs_in(argument);
  for (const fs::path& input : inputs) {
    if (!replay(input, false)) return -1;
  }
  if (inputs.empty()) std::fprintf(stderr, "%s holds no inputs\n", argument.c_str());
  return inputs.empty() ? -1 : static_cast<long>(inputs.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  long replayed = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code ignored;
    if (!fs::exists(argv[i], ignored)) {
      std::fprintf(stderr, "there is no %s\n", argv[i]);
      return 1;
    }
    const long count = replay_all(argv[i]);
    if (count < 0) return 1;
    replayed += count;
  }
  std::printf("%ld inputs replayed\n", replayed);
  return 0;
}
