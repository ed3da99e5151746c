"""Lifetimes: references, threads without the GIL, exceptions in flight, the end of the interpreter."""

import ctypes
import functools
import gc
import os
import subprocess
import sys
import textwrap
import threading
import unittest

import dlspec
from dlspec import _native
from sources import OldSource, Source, offer

KINDS = {"legacy": {}, "versioned": {"max_version": (1, 3)}, "copied": {"max_version": (1, 3), "copy": True}}


def set_deleter(capsule, address):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    deleter_offset = 16  # in DLManagedTensorVersioned
    ctypes.c_void_p.from_address(pointer(capsule, b"dltensor_versioned") + deleter_offset).value = address


def tensor():
    return dlspec.tensor(bytes(range(48)), "float32", (3, 4))


class Balance(unittest.TestCase):
    def cycles(self, watched, act):
        for _ in range(10):
            act()
        gc.collect()
        before = [sys.getrefcount(thing) for thing in watched]
        for _ in range(1000):
            act()
        gc.collect()
        self.assertEqual([sys.getrefcount(thing) for thing in watched], before)

    def test_exports_take_no_reference_for_ever(self):
        for name, keywords in KINDS.items():
            with self.subTest(name):
                made = tensor()
                self.cycles([made, dlspec.Tensor], functools.partial(made.__dlpack__, **keywords))

    def test_imports_and_refusals_neither(self):
        def refuse():
            with self.assertRaises(BufferError):
                dlspec.from_dlpack(foreign)

        offered, foreign, old = offer(), Source(offer(version=(2, 0))), OldSource(offer(generation="legacy"))
        source = Source(offered)
        source.calls = old.calls = foreign.calls = Sink()
        watched = [offered, foreign, source, old, dlspec.Tensor, None]
        self.cycles(watched, lambda: dlspec.from_dlpack(source))
        self.cycles(watched, lambda: dlspec.from_dlpack(old))
        self.cycles(watched, lambda: dlspec.from_dlpack(old, copy=True))
        self.cycles(watched, refuse)
        self.assertEqual(offered.live_exports, 0)
        self.assertEqual(offered.exports, offered.deleter_calls)

    def test_facts_and_findings_neither(self):
        offered = offer(flags=8)
        capsule = offered.capsule()
        self.cycles([capsule, offered, None, True], lambda: (_native.look(capsule), _native.validate(capsule)))
        self.cycles([capsule, offered, None, True], lambda: (dlspec.inspect(capsule), _native.contents(capsule)))


class Sink:
    def append(self, call):
        pass


class Owners(unittest.TestCase):
    """The imported struct is released when the last of tensor, capsules and consumers' arrays goes."""

    def test_any_order(self):
        for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
            offered = offer()
            made = dlspec.from_dlpack(Source(offered))
            owners = [made, made.__dlpack__(), made.__dlpack__(max_version=(1, 3)), dlspec.from_dlpack(made)]
            del made
            for count, number in enumerate(order):
                self.assertEqual(offered.deleter_calls, 0, count)
                owners[number] = None
            self.assertEqual(offered.deleter_calls, 1)

    def test_a_copy_needs_its_source_no_more(self):
        offered = offer()
        copy = dlspec.from_dlpack(dlspec.from_dlpack(Source(offered)), copy=True)
        self.assertEqual(offered.deleter_calls, 1)
        self.assertEqual(copy.tobytes(), offered.contents())


class Watching(unittest.TestCase):
    def exports(self):
        """A capsule of each kind with the watch on it; the last reference to the capsule is the caller's."""
        offered = offer()
        for name, keywords in KINDS.items():
            with self.subTest(name):
                yield self.watched(dlspec.from_dlpack(Source(offered)).__dlpack__(**keywords))
        gc.collect()
        self.assertEqual(offered.live_exports, 0)

    @staticmethod
    def watched(capsule):
        return capsule, _native.watch(capsule)

    def test_dropped_unconsumed(self):
        for capsule, watch in self.exports():
            del capsule
            self.assertEqual((watch.calls, watch.finished, watch.capsule_alive), (1, 1, False))

    def test_dropped_after_consumption(self):
        for capsule, watch in self.exports():
            watch.take()
            del capsule
            gc.collect()
            self.assertEqual(watch.calls, 0)
            watch.release()
            self.assertEqual((watch.calls, watch.finished), (1, 1))

    def test_released_without_the_gil(self):
        for _capsule, watch in self.exports():
            watch.take()
            watch.release(gil=False)
            self.assertEqual(watch.finished, 1)

    def test_released_on_a_thread_that_python_does_not_know(self):
        for _capsule, watch in self.exports():
            watch.take()
            watch.release(thread=True)
            self.assertEqual((watch.finished, watch.foreign_thread_calls), (1, 1))

    def test_a_deleter_leaves_an_exception_in_flight(self):
        for _capsule, watch in self.exports():
            watch.take()
            self.assertEqual(watch.release(exception=True), "kept")

    def test_a_destructor_leaves_an_exception_in_flight(self):
        for capsule, watch in self.exports():
            holder = [capsule]
            del capsule
            self.assertEqual(_native.drop_in_flight(holder), "kept")
            self.assertEqual(watch.calls, 1)

    def test_a_tensor_leaves_an_exception_in_flight(self):
        self.assertEqual(_native.drop_in_flight([tensor()]), "kept")
        self.assertEqual(_native.drop_in_flight([dlspec.from_dlpack(Source(offer()))]), "kept")

    def test_a_careless_exporter_loses_no_exception_through_us(self):
        # Its deleter is PyErr_Clear of the interpreter.
        forget = ctypes.cast(ctypes.pythonapi.PyErr_Clear, ctypes.c_void_p).value
        for drop_capsule in (False, True):
            capsule = offer().capsule()
            set_deleter(capsule, forget)
            holder = [_native.import_capsule(capsule)]
            if drop_capsule:
                holder = [holder.pop().__dlpack__(max_version=(1, 3))]
            self.assertEqual(_native.drop_in_flight(holder), "kept")

    def test_a_lost_exception_is_seen(self):
        # Functions of the interpreter as destructors: one forgets the exception, one sets another.
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]
        for function, verdict in (("PyErr_Clear", "cleared"), ("PyErr_NoMemory", "replaced")):
            destructor = ctypes.cast(getattr(ctypes.pythonapi, function), ctypes.c_void_p)
            self.assertEqual(_native.drop_in_flight([make(b"", b"no tensor", destructor)]), verdict)

    def test_threads_export_and_release_at_the_same_time(self):
        offered = offer()
        made = dlspec.from_dlpack(Source(offered))

        def work(array):
            for _ in range(300):
                dlspec.from_dlpack(array).__dlpack__(max_version=(1, 3))

        threads = [threading.Thread(target=work, args=(made,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(offered.deleter_calls, 0)
        del made, threads, thread
        gc.collect()
        self.assertEqual((offered.deleter_calls, offered.repeated_calls), (1, 0))


class TheEnd(unittest.TestCase):
    PROLOGUE = """
        import builtins, ctypes, sys
        sys.path.insert(0, {folder!r})
        import dlspec
        from dlspec import _native
        from sources import Source, offer
        made = dlspec.from_dlpack(Source(offer()))
        api = ctypes.pythonapi
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        DELETER = 16  # its offset in DLManagedTensorVersioned

        def release_at_process_end(capsule):
            pointer = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
            deleter = ctypes.c_void_p.from_address(pointer + DELETER).value
            _native.watch(capsule).take()
            register = ctypes.CDLL(None).__cxa_atexit
            register.argtypes = [ctypes.c_void_p] * 3
            register(deleter, pointer, None)
    """

    def run_to_its_end(self, code):
        prologue = textwrap.dedent(self.PROLOGUE).format(folder=__file__.rpartition("/")[0] or ".")
        program = prologue + textwrap.dedent(code) + "\nprint('to the last line')\n"
        command = [sys.executable, "-c", program]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (0, "to the last line\n"))

    def test_globals_modules_and_cycles(self):
        self.run_to_its_end("""
            capsule = made.__dlpack__(max_version=(1, 3))
            builtins.kept = dlspec.from_dlpack(made)
            sys.kept = made.__dlpack__()
            class Cycle: pass
            cycle = Cycle()
            cycle.me, cycle.tensor = cycle, dlspec.from_dlpack(made)
        """)

    def test_a_leaked_reference(self):
        self.run_to_its_end("api.Py_IncRef(ctypes.py_object(made))")

    @unittest.skipIf(
        "libtsan" in os.environ.get("LD_PRELOAD", ""), "ThreadSanitizer has functions of process end to itself"
    )
    def test_a_deleter_after_the_interpreter(self):
        self.run_to_its_end("release_at_process_end(made.__dlpack__(max_version=(1, 3)))")

    @unittest.skipIf(
        "libtsan" in os.environ.get("LD_PRELOAD", ""), "ThreadSanitizer has functions of process end to itself"
    )
    def test_an_exporter_that_needs_python_after_the_interpreter(self):
        # The exporter's own deleter takes the GIL, which would crash: it must not be called.
        self.run_to_its_end("""
            def needs_python(self):
                global released
                released = True
            callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(needs_python)
            api.Py_IncRef(ctypes.py_object(callback))
            capsule = offer().capsule()
            pointer = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
            ctypes.c_void_p.from_address(pointer + DELETER).value = ctypes.cast(callback, ctypes.c_void_p).value
            second = _native.import_capsule(capsule)
            release_at_process_end(second.__dlpack__(max_version=(1, 3)))
            del second
        """)


if __name__ == "__main__":
    unittest.main()
