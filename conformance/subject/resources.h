// Where dlspec's own files are, relative to the running program: a build tree, an installed tree and a moved one work.
#pragma once

#include <filesystem>

#include <dlspec/conformance/subject/interpreter.h>

namespace dlspec::conformance {

struct Resources {
  std::filesystem::path executable;  // this program
  std::filesystem::path prefix;      // the folder above its own: holds share/dlspec and lib/python

  [[nodiscard]] std::filesystem::path adapters() const { return prefix / "share/dlspec/adapters"; }
  [[nodiscard]] std::filesystem::path baselines() const { return prefix / "share/dlspec/baselines"; }
  // Pieces of the scripts that `--emit-reproducer` writes.
  [[nodiscard]] std::filesystem::path reproducers() const { return prefix / "share/dlspec/reproducers"; }
  [[nodiscard]] std::filesystem::path worker_script() const { return prefix / "share/dlspec/worker/worker.py"; }
  [[nodiscard]] std::filesystem::path exchange_script() const {
    return prefix / "share/dlspec/worker/exchange_worker.py";
  }
  [[nodiscard]] std::filesystem::path inspect_script() const {
    return prefix / "share/dlspec/worker/inspect_worker.py";
  }
  [[nodiscard]] std::filesystem::path init_script() const { return prefix / "share/dlspec/worker/init_worker.py"; }
  // The faulty subjects: an adapter that shows one of them, and a plug-in for faults of structs.
  [[nodiscard]] std::filesystem::path zoo_adapter() const { return prefix / "share/dlspec/zoo/zoo.py"; }
  [[nodiscard]] std::filesystem::path zoo_plugin() const { return prefix / "lib/dlspec/zoo.so"; }
  // What stands in for CUDA's driver where they are on a GPU.
  [[nodiscard]] std::filesystem::path cuda_model() const { return prefix / "lib/dlspec/cuda_model.so"; }
  // What counts the coverage of libraries that are compiled for that; missing where dlspec is built with a sanitizer.
  [[nodiscard]] std::filesystem::path coverage() const { return prefix / "lib/dlspec/coverage.so"; }
  // The one that this interpreter loads. In a wheel the prefix is the Python package itself.
  [[nodiscard]] std::filesystem::path extension(const Interpreter& interpreter) const;
};

[[nodiscard]] Resources find_resources();

}  // namespace dlspec::conformance
