// The peers that the build machine does not have: each says how it is had.
#include "implementations.h"

namespace dlspec::bench {

#ifndef DLSPEC_BENCH_PYTHON
void add_python_peers(const Trial&, std::vector<Implementation>&, std::vector<std::string>& notes) {
  notes.emplace_back("NumPy and PyTorch are missing: built without an interpreter to embed (Debian: python3-dev)");
}
#endif

#ifndef DLSPEC_BENCH_EIGEN
void add_eigen(const Trial&, std::vector<Implementation>&, std::vector<std::string>& notes) {
  notes.emplace_back("Eigen is missing (Debian: libeigen3-dev)");
}
#endif

#ifndef DLSPEC_BENCH_ONEDNN
void add_onednn(const Trial&, std::vector<Implementation>&, std::vector<std::string>& notes) {
  notes.emplace_back("oneDNN is missing (Debian: libdnnl-dev)");
}
#endif

}  // namespace dlspec::bench
