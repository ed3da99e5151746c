"""The checks of streams over the model of a driver: each exhibit on a GPU shows its rule alone, its twin none."""

import os
import unittest
from unittest import mock

import protocol_test
import testing

os.environ.setdefault("DLSPEC_EXHIBIT", "doubles.Array")

import zoo  # noqa: E402
from dlspec_worker import main  # noqa: E402
from dlspec_worker.channel import loading  # noqa: E402
from dlspec_worker.cuda import driver, machine  # noqa: E402
from dlspec_worker.cuda.contents import Place  # noqa: E402
from dlspec_worker.subject.library import Library  # noqa: E402
from exhibits import cuda_consumers, cuda_doubles, cuda_producers, cuda_tables  # noqa: E402

NATIVE = zoo.doubles.native
GPU = (2, 0)
EXHIBITED = (cuda_producers, cuda_consumers, cuda_tables)
TWINS = {
    "cuda_doubles.CudaArray": "producer",
    "cuda_tables.CudaTableArray": "producer",
    "cuda_doubles.CudaLibrary": "consumer",
    "cuda_tables.CudaTableLibrary": "consumer",
    "cuda_consumers.WithoutHost": "consumer",
}


def library(name):
    return on_gpu(zoo.find(name))


def on_gpu(adapter):
    made = Library(adapter, "")
    made.machine = machine.Machine(driver.Driver(), 0)
    return made


def cases(role):
    for of, name, layout in testing.device_variants():
        if of == role:
            case = testing.make_case(role, name, layout)
            case["spec"]["device"] = list(GPU)
            yield case


def answers(subject, role):
    """(case, rule) -> answer; a case without answers to its rules is an answer itself."""
    found = {}
    for case in cases(role):
        judged = main.judge(case, subject, NATIVE)
        for rule, answer in judged.get("outcomes", {"": {"outcome": "unsupported", "observed": judged}}).items():
            found[case["variant"], case["layout"], rule] = answer
    return found


def findings(found):
    return {rule for (_, _, rule), answer in found.items() if answer["outcome"] in ("violated", "info")}


class Exhibits(unittest.TestCase):
    def test_each_shows_its_rule_alone(self):
        for module in EXHIBITED:
            for rule, role, name, _ in module.EXHIBITS:
                with self.subTest(exhibit=name):
                    found = answers(library(f"{module.__name__.rpartition('.')[2]}.{name}"), role)
                    violated = {key: each for key, each in found.items() if each["outcome"] in ("violated", "info")}
                    self.assertEqual(findings(found), {rule}, violated)

    def test_twins_show_nothing_and_everything_is_judged(self):
        for name, role in TWINS.items():
            found = answers(library(name), role)
            self.assertEqual(findings(found), set(), found)
            exercised = {rule for (_, _, rule), answer in found.items() if answer["outcome"] == "pass"}
            shown = {
                rule
                for module in EXHIBITED
                for rule, of, _, twin in module.EXHIBITS
                if of == role and name.endswith(twin)
            }
            self.assertLessEqual(shown, exercised)
            unfit = {key: each for key, each in found.items() if each["outcome"] in ("blocked", "unsupported")}
            self.assertEqual(unfit, {})


class WaitsOnTheHost(cuda_doubles.CudaArray):
    """Stronger than asked for, and right."""

    def wait(self, stream):
        cuda_doubles.wait_on_host(self.pending)

    legacy_default = not_synchronised = lambda self: cuda_doubles.wait_on_host(self.pending)


class RefusesStreams(cuda_doubles.CudaArray):
    def check(self, stream):
        raise BufferError("only the legacy default stream")

    def not_synchronised(self):
        raise BufferError("only the legacy default stream")


class CopiesAndWaits(cuda_doubles.CudaArray):
    def copied_on(self, stream):
        place = super().copied_on(stream)
        cuda_doubles.wait_on_host(stream)
        return place


class SaysManagedIsDevice(cuda_doubles.CudaArray):
    """Managed memory is memory of the GPU, too, and pinned memory memory of the host."""

    def tag(self):
        return {cuda_doubles.MANAGED: GPU, cuda_doubles.PINNED: (1, 0)}.get(self.said(), self.said())


class InManagedMemory(cuda_doubles.CudaArray):
    def allocate(self):
        return cuda_doubles.gpu.managed(self.size()) if self.said() == GPU else super().allocate()


class SendsNone(cuda_doubles.CudaLibrary):
    def sent(self):
        return None

    def used(self):
        return cuda_doubles.LEGACY


class WaitsForEverything(cuda_doubles.CudaLibrary):
    """It asks for no order, and waits by itself."""

    def sent(self):
        return -1

    def used(self):
        cuda_doubles.gpu.settle()
        return super().used()

    def queue_copy(self, array):
        made = super().queue_copy(array)
        cuda_doubles.gpu.settle()
        return made


class ReadsOnItsOwn(cuda_doubles.CudaLibrary):
    """Its own stream is ordered after the one that it sends, and the release after its own."""

    def used(self):
        own = cuda_doubles.gpu.stream()
        cuda_doubles.gpu.order(own, self.sent())
        return own

    def queue_copy(self, array):
        made = super().queue_copy(array)
        cuda_doubles.gpu.order(self.sent(), made.stream)
        return made


class Conforming(unittest.TestCase):
    """What is unusual and right gives no finding, but for what the standard itself says of -1."""

    def test_producers(self):
        allowed = {WaitsOnTheHost: {"stream.minus-one-no-sync"}}
        for kind in (WaitsOnTheHost, RefusesStreams, CopiesAndWaits, SaysManagedIsDevice, InManagedMemory):
            with self.subTest(kind=kind.__name__):
                found = answers(on_gpu(cuda_doubles.CudaProducer("", kind)), "producer")
                self.assertEqual(findings(found), allowed.get(kind, set()), found)

    def test_consumers(self):
        for kind in (SendsNone, WaitsForEverything, ReadsOnItsOwn):
            with self.subTest(kind=kind.__name__):
                found = answers(on_gpu(kind()), "consumer")
                self.assertEqual(findings(found), set(), found)
                judged = {rule for (_, _, rule), answer in found.items() if answer["outcome"] == "pass"}
                self.assertIn("stream.consumer-passes-its-own", judged)
                self.assertIn("stream.release-after-work", judged)

    def test_an_adapter_without_on_stream_is_unsupported(self):
        adapter = cuda_doubles.CudaProducer("", cuda_doubles.CudaArray)
        with mock.patch.object(cuda_doubles.CudaProducer, "on_stream", None):
            found = answers(on_gpu(adapter), "producer")
        said = [str(each.get("observed")) for (case, _, _), each in found.items() if case == "cuda-stream=handle"]
        self.assertIn("no on_stream()", said[0])

    def test_an_on_stream_without_effect_blames_nobody(self):
        adapter = cuda_doubles.CudaProducer("", cuda_doubles.CudaArray)
        with mock.patch.object(cuda_doubles.CudaProducer, "on_stream", lambda self, number: mock.MagicMock()):
            found = answers(on_gpu(adapter), "producer")
        self.assertEqual(findings(found), set())


class IgnoresStreams(cuda_doubles.CudaArray):
    def wait(self, stream):
        pass


class WaitsForDataOnly(WaitsForEverything):
    """It waits for the data, and not for its own copy of it."""

    queue_copy = cuda_doubles.CudaLibrary.queue_copy


class Wide(unittest.TestCase):
    """Faults with more than one effect are reported where they begin."""

    def test_a_producer_that_waits_for_no_stream(self):
        found = answers(on_gpu(cuda_doubles.CudaProducer("", IgnoresStreams)), "producer")
        self.assertEqual(findings(found), {"stream.data-ready"}, found)

    def test_a_consumer_without_a_stream_that_releases_early(self):
        found = answers(on_gpu(WaitsForDataOnly()), "consumer")
        self.assertEqual(findings(found), {"stream.release-after-work"}, found)


class Finding(unittest.TestCase):
    """Which GPU --device names, and what is said where there is none."""

    def asked(self, text, path=None):
        changed = {machine.ASKED: text, **({driver.IN_ITS_PLACE: path} if path else {})}
        with mock.patch.dict(os.environ, changed):
            return machine.asked()

    def test_none_is_asked_for(self):
        self.assertIsNone(self.asked(""))

    def test_it_is_there(self):
        self.assertEqual(self.asked("cuda:1").device, (2, 1))

    def test_no_driver(self):
        for path in ("/nowhere/libcuda.so", NATIVE.__file__):
            with self.assertRaises(loading.Failed) as failed:
                self.asked("cuda:0", path)
            self.assertEqual(failed.exception.stage, "device")
            self.assertIn("no CUDA driver", failed.exception.message)

    def test_no_such_gpu(self):
        with self.assertRaises(loading.Failed) as failed:
            self.asked("cuda:2")
        self.assertEqual(failed.exception.stage, "device")
        self.assertIn("2 GPUs", failed.exception.message)


class AsAProcess(unittest.TestCase):
    """The worker as dlspec starts it with --device."""

    def answer_of(self, device, exhibit="cuda_producers.NeverWaits"):
        changed = {machine.ASKED: device, "DLSPEC_EXHIBIT": exhibit}
        with mock.patch.dict(os.environ, changed):
            worker = protocol_test.Worker(os.path.join(testing.ZOO, "zoo.py"))
        first, judged = worker.receive(), None
        if "ready" in first:
            judged = worker.ask(next(case for case in cases("producer") if case["variant"] == "cuda-stream=handle"))
        self.assertEqual(worker.leave(), 0, worker.errors)
        return first, judged

    def test_the_device_is_judged(self):
        first, judged = self.answer_of("cuda:0")
        self.assertIn("ready", first)
        self.assertEqual(judged["outcomes"]["stream.data-ready"]["outcome"], "violated")

    def test_a_device_that_is_missing_is_said(self):
        first, _ = self.answer_of("cuda:9")
        self.assertEqual(first["failed"]["stage"], "device")


class Contents(unittest.TestCase):
    def test_strides_lead_to_the_elements(self):
        gpu = cuda_doubles.gpu
        gpu.use()
        start = gpu.allocate(8)
        gpu.fill(start, bytes(range(8)))
        facts = {"data": start, "byte_offset": 6, "shape": (2, 2), "strides": (-2, 1), "dtype": (1, 8, 1)}
        place = Place(facts)
        self.assertEqual(place.elements(gpu, driver.LEGACY), bytes([6, 7, 4, 5]))
        self.assertFalse(place.is_compact)

    def test_nothing_between_elements_is_read(self):
        gpu = cuda_doubles.gpu
        gpu.use()
        first, last = sorted(gpu.allocate(1) for _ in range(2))
        gpu.fill(first, b"a")
        gpu.fill(last, b"b")
        facts = {"data": first, "byte_offset": 0, "shape": (2,), "strides": (last - first,), "dtype": (1, 8, 1)}
        self.assertEqual(Place(facts).elements(gpu, driver.LEGACY), b"ab")

    def test_packed_elements_have_no_places(self):
        with self.assertRaises(ValueError):
            Place({"data": 4096, "byte_offset": 0, "shape": (2,), "strides": (1,), "dtype": (0, 4, 1)})


if __name__ == "__main__":
    unittest.main()
