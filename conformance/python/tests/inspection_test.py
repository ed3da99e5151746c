"""dlspec.inspect: findings as data."""

import unittest

import dlspec
from sources import OldSource, Source, offer


class Inspecting(unittest.TestCase):
    def test_a_good_tensor(self):
        source = Source(offer(strides=(-4, -1), byte_offset=44))
        found = dlspec.inspect(source)
        self.assertTrue(found.ok)
        self.assertEqual(found.findings, ())
        self.assertEqual(
            (found.capsule, found.generation, found.version, found.flags),
            ("dltensor_versioned", "versioned", (1, 3), 0),
        )
        self.assertEqual(
            (found.dtype, found.ndim, found.shape, found.strides, found.byte_offset, found.device),
            ("float32", 2, (3, 4), (-4, -1), 44, (1, 0)),
        )
        self.assertEqual(repr(found), "dltensor_versioned: float32 (3,4):(-4,-1)+11 @cpu v1.3")
        self.assertEqual(source.calls, [{"max_version": (1, 3)}])
        self.assertEqual((source.offer.released_capsules, source.offer.live_exports), (1, 0))

    def test_a_failure_names_its_rule_and_source(self):
        found = dlspec.inspect(Source(offer(strides=None)))
        self.assertFalse(found.ok)
        (finding,) = found.findings
        self.assertEqual((finding.rule, finding.status), ("tensor.strides-not-null", "fail"))
        self.assertIn("DLTensor.strides", finding.source)
        self.assertTrue(finding.level and finding.requirement and finding.allowed)
        self.assertIn("strides = NULL with ndim 2", repr(found))
        self.assertIn("tensor.strides-not-null", repr(found))

    def test_less_than_a_failure_is_ok(self):
        found = dlspec.inspect(Source(offer(device=(1, 3))))
        self.assertEqual([finding.status for finding in found.findings], ["warn"])
        self.assertTrue(found.ok)

    def test_old_exporters(self):
        found = dlspec.inspect(OldSource(offer(generation="legacy", strides=None)))
        self.assertTrue(found.ok)
        self.assertEqual((found.capsule, found.version, found.flags), ("dltensor", None, None))

    def test_a_capsule(self):
        offered = offer()
        capsule = offered.capsule()
        self.assertTrue(dlspec.inspect(capsule).ok)
        self.assertEqual(offered.deleter_calls, 0)

    def test_a_foreign_major(self):
        found = dlspec.inspect(Source(offer(version=(0, 0))))
        self.assertFalse(found.ok)
        self.assertIsNone(found.shape)

    def test_what_exports_nothing(self):
        with self.assertRaises(TypeError):
            dlspec.inspect(object())

    def test_our_own_tensor(self):
        self.assertEqual(dlspec.inspect(dlspec.tensor(bytes(12), "float32", (3,))).findings, ())


if __name__ == "__main__":
    unittest.main()
