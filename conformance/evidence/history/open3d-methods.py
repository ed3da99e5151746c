"""Open3D 0.19: tensors have no __dlpack__.

Exit status 1: the fault is there.
"""

import sys

import open3d

tensor = open3d.core.Tensor([1.0, 2.0, 3.0])
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(tensor, name)]
print("missing:", missing)
sys.exit(bool(missing))
