"""The worker's own tables against the tables of the suite."""

import pathlib
import re
import runpy
import unittest

import testing
from dlspec_worker import exchanges, main
from dlspec_worker.exports import structs
from dlspec_worker.facts import dlpack
from dlspec_worker.trial import variants

native = testing.load_native()


class Tables(unittest.TestCase):
    def test_every_planned_variant_is_known(self):
        planned = {(role, name) for role, name, _ in {**testing.variants(), **testing.device_variants()}}
        planned |= {("exchange", name) for name, _ in testing.exchanges()}
        planned |= {(role, name) for role, _, _, name in testing.paths()}
        planned = {each if each in variants.known() else (each[0], variants.family(each[1])) for each in planned}
        self.assertGreater(len(planned), 130)
        self.assertEqual(sorted(planned), variants.known())

    def test_every_hostile_struct_is_offered(self):
        planned = {name.partition("=")[2] for _, name, _ in testing.variants() if name.startswith("hostile=")}
        self.assertEqual(planned, set(native.hostile_structs()))

    def test_a_variant_has_one_function(self):
        role, name = variants.known()[0]
        with self.assertRaises(ValueError):
            variants.variant(role, name)(lambda trial: None)

    def test_the_functions_are_found_beside_their_package(self):
        for judging in (main.producer, main.consumer, exchanges.exchange):
            role = judging.__name__.rpartition(".")[2]
            for name in (name for each, name in variants.known() if each == role):
                self.assertTrue(variants.find(role, name).__module__.startswith(judging.__name__ + "."), name)

    def test_editions_are_those_of_the_rule_table(self):
        table = {rule.id: rule for rule in testing.rules().values()}
        self.assertGreater(len(table), 280)
        for identity, rule in table.items():
            year = re.fullmatch(r"interval::array_api\((\d+)\)", rule.interval)
            facts = native.rule(identity)
            self.assertEqual(facts["edition"], year and int(year[1]), identity)
            self.assertEqual(facts["violated"], rule.violated, identity)

    def test_the_structs_of_ctypes_are_those_of_the_header(self):
        told = (
            "run python3 reference/vocabulary/abi_structs.py conformance/worker/python/dlspec_worker/facts/structs.py"
        )
        expected = runpy.run_path(pathlib.Path(testing.ROOT, "reference", "vocabulary", "abi_structs.py"))["module"]()
        path = pathlib.Path(testing.HERE, "dlspec_worker", "facts", "structs.py")
        self.assertEqual(path.read_text(encoding="utf-8"), expected, told)

    def test_what_dlpack_defines(self):
        defined = native.vocabulary()
        self.assertEqual(dlpack.NEWEST, defined["newest_version"])
        for named, table in ((dlpack.DeviceType, defined["devices"]), (dlpack.DtypeCode, defined["dtype_codes"])):
            values = {name: value for name, value in vars(named).items() if not name.startswith("_")}
            self.assertEqual(values, {name: table.get(name) for name in values})
        self.assertNotIn(dlpack.NOBODY[0], defined["devices"].values())
        self.assertNotIn(dlpack.UNDEFINED_CODE, defined["dtype_codes"].values())
        self.assertEqual(
            defined["flags"],
            {
                "DLPACK_FLAG_BITMASK_READ_ONLY": dlpack.READ_ONLY,
                "DLPACK_FLAG_BITMASK_IS_COPIED": dlpack.IS_COPIED,
                "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED": dlpack.PADDED,
            },
        )
        offsets = defined["offsets"]
        for generation in ("legacy", "versioned"):
            found = (structs.SIZE, structs.TENSOR, structs.CONTEXT, structs.DELETER)
            expected = [offsets[generation][name] for name in ("size", "dl_tensor", "manager_ctx", "deleter")]
            self.assertEqual([table[generation] for table in found], expected)
        found = (
            structs.TENSOR_SIZE,
            structs.DEVICE,
            structs.NDIM,
            structs.DTYPE,
            structs.SHAPE,
            structs.STRIDES,
            structs.BYTE_OFFSET,
        )
        names = ("size", "device", "ndim", "dtype", "shape", "strides", "byte_offset")
        self.assertEqual(found, tuple(offsets["tensor"][name] for name in names))
        self.assertEqual(dlpack.FLAGS_DEFINED, sum(defined["flags"].values()))
        named = {name.removeprefix("kDL").lower() for name in defined["dtype_codes"]}
        self.assertEqual(dlpack.FP8, {name for name in named if name.startswith("float8")})


if __name__ == "__main__":
    unittest.main()
