"""dlspec: a conformance suite for DLPack, and a small tensor that implements it.

dlspec.inspect(x)       what x exports, judged rule by rule
dlspec.from_dlpack(x)   a Tensor over the memory of any object that implements DLPack
dlspec.tensor(...)      a Tensor with memory of its own, in any layout
dlspec.read_result(p)   the document that `dlspec run --json` wrote, every record whole
dlspec.get_include()    the folder for -I, to compile a plug-in with <dlspec/plugin.h>
dlspec.get_cmake_dir()  the folder for -Ddlspec_DIR, for find_package(dlspec)
"""

from dlspec._exchange import from_dlpack
from dlspec._files import get_cmake_dir, get_include
from dlspec._inspection import Finding, Inspection, inspect
from dlspec._native import Tensor, tensor
from dlspec._native import version as __version__
from dlspec.result import read_result

__all__ = [
    "Finding",
    "Inspection",
    "Tensor",
    "__version__",
    "from_dlpack",
    "get_cmake_dir",
    "get_include",
    "inspect",
    "read_result",
    "tensor",
]
