// The implementations that bench_rearrange times: each prepares a case once, then repeats it. To add a peer (another
// library), write one more function that appends an implementation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rearrange_cases.h"

namespace dlspec::bench {

struct Trial {
  const RearrangeCase& bench_case;
  std::byte* to;
  const std::byte* from;
  int threads;
};

struct Implementation {
  std::string name;
  bool is_limit = false;            // moves as many bytes without rearranging them
  bool is_single_threaded = false;  // supports one thread only
  std::function<void(int times)> repeat;
  bool is_peer = false;  // another library
};

// memcpy, the baseline, comes first; then, if they are wanted, other ways to move as many bytes.
void add_limits(const Trial& trial, std::vector<Implementation>& all, bool others);

// The named engines, and the one-shot call.
void add_engines(const Trial& trial, const std::vector<std::string>& names, std::vector<Implementation>& all);

// The peers. Each appends itself if it supports the case, and always appends a note: its version, or why it is missing.
void add_python_peers(const Trial& trial, std::vector<Implementation>& all,
                      std::vector<std::string>& notes);  // NumPy, PyTorch
void add_eigen(const Trial& trial, std::vector<Implementation>& all, std::vector<std::string>& notes);
void add_onednn(const Trial& trial, std::vector<Implementation>& all, std::vector<std::string>& notes);

}  // namespace dlspec::bench
