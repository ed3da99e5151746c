"""Arrays on another device than the host: what is asked of them, and of adapters that name one."""

import unittest

import testing
from dlspec_worker import main
from dlspec_worker.channel import loading
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles, other_device

waiting.PATIENCE = 0.1

FLAG, LATE = "flags.is-copied-on-device-transfer", "stream.dl-device-cpu"


def judge(adapter, role):
    library = Library(adapter, "/nowhere/double.py")
    return main.judge(testing.make_case(role, "device-to-host", "strided", "float32"), library, doubles.native)


def outcomes(adapter, role):
    return {rule: each["outcome"] for rule, each in judge(adapter, role)["outcomes"].items()}


def violated(adapter, role):
    return [rule for rule, outcome in outcomes(adapter, role).items() if outcome == "violated"]


class Transfers(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for rule, role, subject, _ in other_device.EXHIBITS:
            with self.subTest(subject=subject):
                kind = getattr(other_device, subject)
                adapter = other_device.DeviceProducer("", kind) if role == "producer" else kind()
                self.assertEqual(violated(adapter, role), [rule])

    def test_the_clean_twins_pass_everything(self):
        producer = outcomes(other_device.DeviceProducer("", other_device.DeviceArray), "producer")
        self.assertEqual(set(producer.values()), {"pass"})
        self.assertEqual(set(outcomes(other_device.DeviceLibrary(), "consumer").values()), {"pass"})

    def test_what_is_shared_needs_no_flag(self):
        class Shared(other_device.DeviceArray):
            """Memory that the host reads too: it is exported under either name."""

            def transfer(self, generation):
                capsule = self.offer(generation).capsule()
                doubles.Taken(capsule, rename=False).tensor.device_type = 1
                return capsule

        found = outcomes(other_device.DeviceProducer("", Shared), "producer")
        self.assertEqual(found[FLAG], "not-applicable")
        self.assertNotIn("violated", found.values())

    def test_managed_memory_is_memory_of_the_host(self):
        class Managed(other_device.DeviceArray):
            def transfer(self, generation):
                capsule = super().transfer(generation)
                doubles.Taken(capsule, rename=False).tensor.device_type = 13
                return capsule

        self.assertNotIn("violated", outcomes(other_device.DeviceProducer("", Managed), "producer").values())

    def test_an_export_that_stays_on_its_device_breaks_that_rule_alone(self):
        class Ignores(other_device.DeviceArray):
            def transfer(self, generation):
                return self.offer(generation).capsule()

        found = outcomes(other_device.DeviceProducer("", Ignores), "producer")
        self.assertEqual([rule for rule in found if found[rule] == "violated"], ["python.dl-device-honoured"])

    def test_nothing_applies_to_arrays_that_are_all_on_the_host(self):
        for adapter, role in ((doubles.Producer(), "producer"), (doubles.Library(), "consumer")):
            self.assertEqual(set(outcomes(adapter, role).values()), {"not-applicable"})

    def test_a_device_that_make_refuses_is_not_judged(self):
        class Choosy(other_device.DeviceProducer):
            def make(self, order):
                if order.device != other_device.CPU:
                    raise NotImplementedError("not for floats")
                return super().make(order)

        self.assertEqual(set(outcomes(Choosy(), "producer").values()), {"unsupported"})

    def test_devices_are_pairs(self):
        for wrong in ("oneapi", [("cuda", 0)], 14, ()):
            adapter = other_device.DeviceProducer("", other_device.DeviceArray)
            adapter.devices = wrong
            with self.subTest(devices=wrong), self.assertRaisesRegex(loading.Failed, "devices is"):
                Library(adapter, "/nowhere/double.py")

    def test_ordinary_cases_have_arrays_of_the_first_device(self):
        adapter = other_device.DeviceProducer("", other_device.DeviceArray)
        adapter.devices = (other_device.ONEAPI,)
        library = Library(adapter, "/nowhere/double.py")
        case = testing.make_case("producer", "max_version=1.3", "c", "float32")
        found = main.judge(case, library, doubles.native)["outcomes"]
        self.assertEqual(found["device.type-known"]["outcome"], "pass")
        self.assertNotEqual(found["device.cpu-dereferenceable"]["outcome"], "pass")
        self.assertNotIn("violated", [each["outcome"] for each in found.values()])


if __name__ == "__main__":
    unittest.main()
