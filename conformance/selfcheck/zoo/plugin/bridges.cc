#include <initializer_list>

#include "bridges.h"
#include "subjects.h"

namespace dlspec::zoo {

const DlspecBridge* find_bridge(std::string_view name) {
  static DlspecBridge bridge;
  bridge = own_bridge();
  if (name == "clean") return &bridge;
  for (const std::span<const BridgeRow> rows : {tensor_faults(), copy_faults()}) {
    for (const BridgeRow& row : rows) {
      if (name != row.name) continue;
      row.change(bridge);
      return &bridge;
    }
  }
  return nullptr;
}

}  // namespace dlspec::zoo
