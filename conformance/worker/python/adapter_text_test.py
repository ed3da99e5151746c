"""What `dlspec init` writes of what it found."""

import sys
import types
import unittest
from unittest import mock

import init_worker
from dlspec_worker.facts import idioms
from dlspec_worker.subject import adapter_text


def findings(**changes):
    """What the probe could have found, of a library with little."""
    names = {"maker": "fakelib.array(values)", "dtypes": ["float32"], "claims": True, "layouts": [], "narrowed": []}
    names |= {"empty": True, "scalar": True, "rank": idioms.MOST_AXES}
    others = dict.fromkeys(("strider", "reader", "importer", "exporter", "lock", "writer", "switch"))
    return types.SimpleNamespace(**{**others, **names, **changes})


class AdapterText(unittest.TestCase):
    def test_shapes_that_do_not_fit_are_made_without_strides(self):
        for changes, condition in (
            ({}, "spec.strides is not None"),
            ({"empty": False}, "spec.strides is not None and values.size"),
            ({"scalar": False}, "spec.strides"),
            ({"scalar": False, "empty": False}, "spec.strides and values.size"),
        ):
            found = findings(strider="fakelib.view()", layouts=list(idioms.LAYOUTS), **changes)
            text = adapter_text.text_of(found, "fakelib", '"1"')
            self.assertIn(f" strided(spec, values) if {condition} else fakelib.array(values)", text)
            compile(text, "adapter", "exec")

    def test_the_version_is_asked_for_when_the_adapter_runs(self):
        whole, part = types.ModuleType("fakelib"), types.ModuleType("fakelib.part")
        with mock.patch.dict(sys.modules, {"fakelib": whole, "fakelib.part": part}):
            self.assertEqual(init_worker.version_of("fakelib.part"), '"unknown"  # init: which version is it?')
            with mock.patch.object(init_worker.importlib.metadata, "version", lambda _: "1.2"):
                line = init_worker.version_of("fakelib.part")
            self.assertEqual(line, 'importlib.metadata.version("fakelib")')
            self.assertIn(
                "\nimport fakelib.part\nimport importlib.metadata\n",
                adapter_text.text_of(findings(maker="fakelib.part.array(spec)"), "fakelib.part", line),
            )
            part.__version__ = "3"
            self.assertEqual(init_worker.version_of("fakelib.part"), "fakelib.part.__version__")
            whole.__version__ = "4"
            self.assertEqual(init_worker.version_of("fakelib.part"), "fakelib.__version__")

    def test_strides_that_are_misread_are_left_out(self):
        found = findings(strider="fakelib.array(view)")
        for layouts, says in ((["positive", "gaps"], True), (["positive", "gaps", "negative"], False)):
            found.layouts = layouts
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual("negative strides made?" in text, says)
            compile(text, "adapter", "exec")

    def test_refusals_are_one_condition(self):
        found = findings()
        text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
        self.assertIn("init: how are other dtypes, read-only arrays and strides made?", text)
        made = {}
        exec(compile(text.replace("import fakelib", "").replace("import numpy", ""), "adapter", "exec"), made)
        for changes in ({"dtype": "int8"}, {"readonly": True}, {"strides": (4, 1)}, {"offset": 1}):
            with self.assertRaises(NotImplementedError, msg=changes):
                made["make"](init_worker.order(**changes))
        with self.assertRaises(NameError):  # numpy: no guard holds it back
            made["make"](init_worker.order())

    def test_an_adapter_of_all_that_can_be_found_has_forty_lines(self):
        strider = "numpy.lib.stride_tricks.as_strided(memory[spec.offset :], spec.shape, view.strides)"
        found = findings(maker="numpy.array(values)", strider=strider, layouts=list(idioms.LAYOUTS))
        found.dtypes, found.lock = idioms.DTYPES, "array.flags.writeable = False"
        found.reader, found.importer = "array.tobytes()", "numpy.from_dlpack(source, **kwargs)"
        found.writer = "array[...] = numpy.array(values)"
        lines = adapter_text.text_of(found, "numpy", "numpy.__version__").splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLessEqual(max(map(len, lines)), 120)


if __name__ == "__main__":
    unittest.main()
