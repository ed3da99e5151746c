// What bench_rearrange times: a contestant prepares itself for a case and then does it again and again. A
// peer is one more function that appends a contestant.
#pragma once

#include <functional>
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
  bool is_limit = false;                  // moves the same number of bytes, but does not rearrange them
  bool single = false;                    // knows one thread only
  std::function<void(int times)> repeat;  // empty: cannot do this case
};

// memcpy, which all are measured by, comes first; then what else moves as many bytes.
void add_limits(const Trial& trial, std::vector<Contestant>& all);

// Every engine that is asked for, and the one-shot call.
void add_engines(const Trial& trial, const std::vector<std::string>& names, std::vector<Contestant>& all);

// NumPy in an embedded interpreter. Nothing is added where it is missing; `note` then says so.
void add_numpy(const Trial& trial, std::vector<Contestant>& all, std::string& note);

}  // namespace dlspec::bench
