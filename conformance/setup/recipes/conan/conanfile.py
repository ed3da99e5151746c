"""The libraries and the headers of plug-ins; the command comes by pip: conan create conformance/setup/recipes/conan"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = ("..", "..", "..", "..")


class Dlspec(ConanFile):
    name = "dlspec"
    description = "Validation of DLPack tensors and copies between layouts, and the headers of plug-ins"
    license = "Apache-2.0"
    homepage = "https://github.com/dlspec/dlspec"
    url = "https://github.com/dlspec/dlspec"
    topics = ("dlpack", "tensor", "conformance")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, *ROOT, "CMakeLists.txt"))
        self.version = re.search(r"project\(dlspec VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, *ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "reference/*", "optimized/*"):
            copy(self, pattern, root, self.export_sources_folder)
        for folder in ("plugin", "setup/cmake"):
            copy(self, f"conformance/{folder}/*", root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("CONFORMANCE", "TESTS", "FUZZ", "BENCH"):
            toolchain.cache_variables[f"DLSPEC_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # find_package(dlspec) reads dlspec's own file, which has the targets and dlspec_add_plugin.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "dlspec")]
