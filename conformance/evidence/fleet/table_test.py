"""The table of subjects."""

import unittest

import subjects


class Table(unittest.TestCase):
    def test_every_row_has_an_adapter_and_versions(self):
        every = subjects.read_subjects()
        adapters = {path.stem.replace("_", "-") for path in (subjects.EVIDENCE / "adapters").glob("*.toml")}
        self.assertEqual({subject.library for subject in every}, adapters)
        self.assertEqual(len(every), len(set(every)))
        self.assertGreaterEqual(len([subject for subject in every if subject.pinned]), 14)
        self.assertEqual(
            [subject.library for subject in every if subject.light],
            ["numpy", "array-api-strict", "apache-tvm-ffi", "pyarrow", "nanoarrow", "onnxruntime"],
        )

    def test_packages_are_named_as_on_the_index(self):
        self.assertEqual(
            [subjects.package_of(name) for name in ("jax", "warp", "tensorflow", "array-api-strict")],
            ["jax", "warp-lang", "tensorflow-cpu", "array-api-strict"],
        )

    def test_remarks_are_about_rules(self):
        table = (subjects.EVIDENCE.parent.parent / "reference" / "vocabulary" / "rules.def").read_text(encoding="utf-8")
        for rule, remark in subjects.read_remarks().items():
            self.assertIn(f'"{rule}"', table)
            self.assertTrue(remark.endswith("."), rule)

    def test_findings_that_are_only_re_created_explain_nothing(self):
        self.assertTrue(subjects.read_findings())
        self.assertFalse([entry for entry in subjects.read_findings() if "exhibit" in entry])

    def test_the_shipped_baselines_belong_to_the_table(self):
        libraries = {subject.library.replace("-", "_") for subject in subjects.read_subjects()}
        for path in (subjects.EVIDENCE / "baselines").glob("*.txt"):
            self.assertIn(path.stem, libraries | {"CMakeLists"}, path)


if __name__ == "__main__":
    unittest.main()
