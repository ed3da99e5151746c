"""A small extension of nanobind, which its scripts build with the compiler `c++`."""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile

EXTENSION = """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
static float values[3] = {0, 1, 2};
template <class... Options>
nb::ndarray<Options..., float> array(size_t extent) {
  return nb::ndarray<Options..., float>(values, 1, &extent, nb::capsule(values, [](void*) noexcept {}));
}
struct Imported {
  nb::ndarray<> array;
};
NB_MODULE(probe, module) {
  nb::class_<Imported>(module, "Imported");
  module.def("take", [](nb::ndarray<> array) { return Imported{array}; });
  module.def("make", [] { return array<FRAMEWORK>(3); });
  module.def("make_empty", [] { return array<FRAMEWORK>(0); });
  module.def("make_read_only", [] { return array<FRAMEWORK COMMA nb::ro>(3); });
  module.def("address", [] { return reinterpret_cast<uintptr_t>(values); });
}
"""


def extension():
    """The module `probe`, with all of nanobind in it."""
    root = pathlib.Path(nanobind.include_dir()).parent
    has_array_api = "array_api" in (root / "include" / "nanobind" / "ndarray.h").read_text()
    framework, comma = ("nb::array_api", ",") if has_array_api else ("", "")  # asks for an object, not a capsule
    parts = sorted(root.glob("src/nb_combined.cpp")) or sorted(root.glob("src/*.cpp"))
    text = "".join(f'#include "{part}"\n' for part in parts)
    text += EXTENSION.replace("FRAMEWORK", framework).replace("COMMA", comma)
    paths = [root / "include", root / "ext" / "robin_map" / "include", sysconfig.get_path("include")]
    command = ["c++", "-std=c++17", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing", "-DNDEBUG"]
    command += [*(f"-I{path}" for path in paths), "-x", "c++", "-"]
    with tempfile.TemporaryDirectory() as folder:
        if subprocess.run([*command, "-o", f"{folder}/probe.so"], input=text, text=True).returncode:
            sys.exit(2)
        sys.path.insert(0, folder)
        import probe
    return probe


probe = extension()
