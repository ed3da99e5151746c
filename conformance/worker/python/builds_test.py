"""The build of a library as a text."""

import contextlib
import pathlib
import sys
import tempfile
import types
import unittest
import unittest.mock

import testing  # noqa: F401
from dlspec_worker.channel import loading
from dlspec_worker.subject import builds


def module(**members):
    made = types.ModuleType("double")
    vars(made).update(members)
    return made


@contextlib.contextmanager
def installed(distribution, text):
    """A folder of packages with this distribution, whose file WHEEL has this text; None: it has no such file."""
    with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(sys, "path", [folder + "/none", folder]):
        facts = pathlib.Path(folder, f"{distribution}.dist-info")
        facts.mkdir()
        if text is not None:
            (facts / "WHEEL").write_text(text, encoding="utf-8")
        yield


class Build(unittest.TestCase):
    def test_a_revision_in_one_of_the_usual_places(self):
        self.assertEqual(builds.text(module(__git_version__="1a2b3c4d5e6f7a8b"), ()), "revision 1a2b3c4d5e6f")
        self.assertEqual(builds.text(module(version=module(git_revision="1a2b")), ()), "revision 1a2b")

    def test_nothing_is_made_up(self):
        for made in (None, module(), module(version="1.0"), module(__git_version__=None), module(git_version="")):
            self.assertEqual(builds.text(made, ()), "")
        self.assertEqual(builds.text(None, ["dlspec-no-such-distribution"]), "")

    def test_a_module_is_not_asked_for_what_it_lacks(self):
        def refuse(name):
            raise AssertionError(name)

        self.assertEqual(builds.text(module(__getattr__=refuse), ()), "")

    def test_the_tag_of_the_wheel(self):
        texts = {
            "Wheel-Version: 1.0\nTag: cp311-cp311-linux_x86_64\nTag: py3-none-any\n": "wheel cp311-cp311-linux_x86_64",
            "Build: 2\nTag: py3-none-any\n": "wheel 2-py3-none-any",
            "": "",
            None: "",
        }
        for text, expected in texts.items():
            with installed("double-1.0", text):
                self.assertEqual(builds.text(None, ["double"]), expected)
                both = f"revision 1a2b, {expected}" if expected else "revision 1a2b"
                self.assertEqual(builds.text(module(git_version="1a2b"), ["double"]), both)

    def test_the_wheel_of_the_distribution_that_is_installed(self):
        for folder in ("double_gpu-1.0", "Double.GPU-1.0+cu128"):
            with installed(folder, "Tag: py3-none-any\n"):
                self.assertEqual(builds.text(None, ["double", "double-gpu"]), "wheel py3-none-any")
                self.assertEqual(builds.text(None, ["double"]), "")

    def test_the_distributions_that_an_adapter_names(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter = pathlib.Path(folder, "double.py")
            adapter.with_suffix(".toml").write_text(
                'distribution = "double[cpu]"\nalternatives = ["double-gpu: 700", "double[cuda]"]\n', encoding="utf-8"
            )
            self.assertEqual(loading.distributions(str(adapter)), ["double", "double-gpu", "double"])
            self.assertEqual(loading.distributions(folder + "/none.py"), [])


if __name__ == "__main__":
    unittest.main()
