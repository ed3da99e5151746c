#include <dlspec/optimized/validate/examine.h>

namespace dlspec::optimized {

void Examination::run() {
  if (!judge_object() || !judge_prefix()) return;
  tensor_ = &exported_.tensor();
  judge_fields();
  judge_shape();
  judge_strides();
  judge_size();
  judge_data();
  if (origin_ != nullptr) judge_truth();
}

bool Examination::judge_object() {
  const auto address = reinterpret_cast<std::uintptr_t>(exported_.object());
  if (address == 0) report(RuleId::abi_sizes_offsets, 0);
  if (address % natural_alignment != 0) {
    report(RuleId::abi_sizes_offsets, 1, static_cast<std::int64_t>(address % natural_alignment));
  }
  return address != 0 && address % natural_alignment == 0;
}

bool Examination::judge_prefix() {
  if (exported_.generation() == Generation::bare) return true;
  if (exported_.generation() == Generation::legacy) {
    if (exported_.legacy().deleter == nullptr) report(RuleId::managed_deleter_null_meaning);
    return true;
  }
  const abi::v1::ManagedTensor& managed = exported_.versioned();
  if (managed.deleter == nullptr) report(RuleId::managed_deleter_null_meaning);
  const auto [major, minor] = managed.version;
  if (major == 0) report(RuleId::version_filled, 0, major, minor);
  if (major > 1) report(RuleId::version_major_published, 0, major, minor);
  if (major != 1) return false;
  versioned_ = true;
  minor_ = minor;
  flags_ = managed.flags;
  return true;
}

}  // namespace dlspec::optimized
