// The managed struct of an offered tensor, its shape and its strides: in pages of their own, watched for
// writes, and closed after the release where that is wanted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dlspec/conformance/oracle/fence.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// Not thread-safe. Guards stand behind the last extent and behind the last stride, not around the struct:
// who reads a legacy struct as a versioned one finds the ordered surroundings.
class ExportPages {
 public:
  // The two lists have an address even when they are empty. With `prefix_only` the versioned struct ends, for whoever
  // reads it, with the members that keep their place in every major version: its tensor lies in the guard.
  ExportPages(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, std::uint64_t surroundings,
              bool prefix_only = false);

  [[nodiscard]] abi::v1::ManagedTensor& versioned() { return *versioned_; }
  [[nodiscard]] abi::v0::ManagedTensor& legacy() { return structs_->legacy; }
  [[nodiscard]] const void* self(Generation generation) const;
  [[nodiscard]] std::int64_t* shape() const { return shape_.data(); }
  [[nodiscard]] std::int64_t* strides() const { return strides_.data(); }
  // Where the guard begins.
  [[nodiscard]] std::int64_t* end_of_strides() const { return strides_.data() + strides_.size(); }

  // Writes are told by comparison with the moment of the last remember().
  void remember();
  [[nodiscard]] bool intact() const;  // true when closed: nobody can have written

  // A scalar whose extents make loops do nothing, so that a late reader comes upon poisoned data and no
  // fault. The deleter stays: another call is counted.
  void poison();
  // Everything faults from now on, until this goes.
  void close();
  // The size of the two lists, in bytes.
  [[nodiscard]] std::size_t size() const { return shape_.size_bytes() + strides_.size_bytes(); }

 private:
  // A legacy struct says nothing of a version and of flags: who looks for them in its neighbourhood finds
  // what was ordered to stand there.
  struct Structs {
    abi::v1::ManagedTensor versioned{};
    std::array<std::uint64_t, 16> before{};
    abi::v0::ManagedTensor legacy{};
    std::array<std::uint64_t, 16> after{};
  };
  [[nodiscard]] bool structs_intact() const;
  [[nodiscard]] bool prefix_only() const { return versioned_ != &structs_->versioned; }

  std::unique_ptr<Fence> struct_fence_;
  std::unique_ptr<Fence> shape_fence_;
  std::unique_ptr<Fence> strides_fence_;
  Structs* structs_;
  abi::v1::ManagedTensor* versioned_;  // in `structs_`, or where only its prefix can be reached
  std::span<std::int64_t> shape_;
  std::span<std::int64_t> strides_;
  Structs structs_before_;
  std::vector<std::int64_t> shape_before_;
  std::vector<std::int64_t> strides_before_;
};

}  // namespace dlspec::conformance
