// What bench_rearrange times: a contestant prepares itself for a case and then does it again and again. A
// peer is one more function that appends a contestant.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rearrange_cases.h"

namespace dlspec::bench {

struct Trial {
  const RearrangeCase& item;
  std::byte* to;
  const std::byte* from;
  int threads;
};

struct Contestant {
  std::string name;
  bool is_limit = false;  // moves the same number of bytes, but does not rearrange them
  bool single = false;    // knows one thread only
  std::function<void(int times)> repeat;
  bool is_peer = false;  // another library
};

// memcpy, which all are measured by, comes first; then what else moves as many bytes.
void add_limits(const Trial& trial, std::vector<Contestant>& all);

// Every engine that is asked for, and the one-shot call.
void add_engines(const Trial& trial, const std::vector<std::string>& names, std::vector<Contestant>& all);

// Peers. Each adds itself to the cases that it can do, and always a note: its version, or why it is missing.
void add_python_peers(const Trial& trial, std::vector<Contestant>& all,
                      std::vector<std::string>& notes);  // NumPy, PyTorch
void add_eigen(const Trial& trial, std::vector<Contestant>& all, std::vector<std::string>& notes);
void add_onednn(const Trial& trial, std::vector<Contestant>& all, std::vector<std::string>& notes);

}  // namespace dlspec::bench
