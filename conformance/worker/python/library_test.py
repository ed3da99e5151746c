"""What a library is called, and where it is said to be loaded from."""

import json
import os
import sys
import tempfile
import types
import unittest
import unittest.mock

import testing  # noqa: F401
from dlspec_worker.channel import loading
from dlspec_worker.subject.library import Library


class Introduction(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "mine.py")
        self.packages = os.path.join(scratch.name, "site-packages")
        self.adapter = types.ModuleType("mine")
        self.adapter.__file__ = self.path

    def package(self, name):
        """A module of a library that is installed, as an adapter would import it."""
        made = types.ModuleType(name)
        made.__file__ = os.path.join(self.packages, name, "__init__.py")
        sys.modules[name] = made
        self.addCleanup(sys.modules.pop, name, None)
        return made

    def library(self):
        return Library(self.adapter, self.path)

    def test_the_adapter_says_what_it_is_called(self):
        self.assertEqual(self.library().name, "mine")
        for file, name in (("torch_adapter.py", "torch"), ("_adapter.py", "_adapter")):
            self.assertEqual(Library(self.adapter, os.path.join(self.packages, file)).name, name)
        self.adapter.name = "My Library"
        self.assertEqual(self.library().name, "My Library")

    def test_a_name_that_is_none_is_the_adapters_fault(self):
        self.adapter.name = 3
        with self.assertRaisesRegex(loading.Failed, "name is 3; it must be a string"):
            self.library()

    def test_it_is_loaded_from_the_one_library_that_the_adapter_imports(self):
        self.adapter.json, self.adapter.sys = json, sys  # Python's own do not count
        self.assertEqual(self.library().loaded_from, self.path)
        self.adapter.lib = self.package("dlspec_test_library")
        library = self.library()
        self.assertEqual(library.loaded_from, self.adapter.lib.__file__)
        self.assertIs(library.module, self.adapter.lib)

    def test_a_module_of_a_package_stands_for_the_package(self):
        whole = self.package("dlspec_test_library")
        self.adapter.part = self.package("dlspec_test_library.part")
        self.assertEqual(self.library().loaded_from, whole.__file__)

    def test_a_package_without_a_file_has_a_folder(self):
        whole, part = self.package("dlspec_test_library"), self.package("dlspec_test_library.part")
        whole.__file__, whole.__path__ = None, [os.path.join(self.packages, "dlspec_test_library")]
        for self.adapter.lib in (whole, part):
            self.assertEqual(self.library().loaded_from, whole.__path__[0])

    def test_numpy_counts_where_there_is_no_other(self):
        with unittest.mock.patch.dict(sys.modules):
            self.adapter.numpy = self.package("numpy")
            self.assertEqual(self.library().loaded_from, self.adapter.numpy.__file__)
            self.adapter.lib = self.package("dlspec_test_library")
            self.assertEqual(self.library().loaded_from, self.adapter.lib.__file__)

    def test_of_two_libraries_none_is_taken(self):
        self.adapter.one, self.adapter.two = self.package("dlspec_test_one"), self.package("dlspec_test_two")
        self.assertEqual(self.library().loaded_from, self.path)


if __name__ == "__main__":
    unittest.main()
