#include <dlspec/vocabulary/status.h>

namespace dlspec {

const char* describe(Status status) {
  switch (status) {
    case Status::ok: return "no error";
    case Status::null_pointer: return "a required pointer is NULL";
    case Status::bad_rank: return "the rank is negative or too large";
    case Status::bad_extent: return "an extent is negative";
    case Status::size_overflow: return "the size does not fit in 64 bits";
    case Status::bad_dtype: return "the dtype has no defined storage";
    case Status::unsupported_dtype: return "the dtype is not supported here";
    case Status::dtype_mismatch: return "the dtypes differ";
    case Status::shape_mismatch: return "the shapes differ";
    case Status::destination_overlap: return "elements of the destination overlap";
    case Status::operands_overlap: return "source and destination overlap";
    case Status::read_only_destination: return "the destination is read-only";
    case Status::size_limit: return "the size exceeds the limit";
  }
  return "unknown status";
}

}  // namespace dlspec
