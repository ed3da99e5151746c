"""The worker as a process: its first lines, what it survives, and its exit status."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest

import testing

WORKER = os.environ.get("DLSPEC_WORKER", os.path.join(testing.HERE, "worker.py"))

CONSUMER = """
import sys
print("rubbish on stdout")
def from_dlpack(source, **keywords):
    print("more rubbish", flush=True)
    BODY
"""


class Worker:
    """A running worker and the parent's end of its channel."""

    def __init__(self, path, native=testing.NATIVE):
        ours, theirs = socket.socketpair()
        # The worker's end is descriptor 3, whatever number it has here.
        command = f"exec {sys.executable} {WORKER} 3<&{theirs.fileno()}"
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        self.channel = ours.makefile("rw", encoding="utf-8")
        self.socket = ours
        self.send({"start": {"kind": "python", "path": path, "native": native, "seed": 0}})

    def send(self, message):
        self.channel.write(json.dumps(message) + "\n")
        self.channel.flush()

    def receive(self):
        line = self.channel.readline()
        return json.loads(line) if line else None

    def ask(self, case):
        self.send({"case": case})
        return self.receive()

    def leave(self):
        """The exit status after a quit."""
        try:
            self.send({"quit": True})
        except BrokenPipeError:
            pass
        self.output, self.errors = self.process.communicate(timeout=30)
        for end in (self.channel, self.socket):
            try:
                end.close()
            except BrokenPipeError:  # what could not be sent is still in the buffer
                pass
        return self.process.returncode


class Protocol(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text, name="adapter.py"):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def failed(self, text, **changes):
        worker = Worker(self.write(text), **changes)
        answer = worker.receive()["failed"]
        self.assertEqual(worker.leave(), 0, worker.errors)
        self.assertNotIn("\n", answer["message"])
        return answer

    def test_introduction_and_departure(self):
        worker = Worker(self.write("def version(): return '1.5'\ndef make(spec): pass\nstandard = 'dlpack'\n"))
        ready = worker.receive()["ready"]
        self.assertEqual(ready["name"], "adapter")
        self.assertEqual(ready["version"], "1.5")
        self.assertEqual(ready["roles"], ["producer"])
        self.assertEqual(ready["standard"], "dlpack")
        self.assertEqual(ready["provides"], ["make"])
        self.assertEqual(ready["python"], ".".join(map(str, sys.version_info[:3])))
        self.assertEqual(worker.leave(), 0, worker.errors)

    def test_parent_gone(self):
        worker = Worker(self.write(""))
        worker.receive()
        worker.socket.shutdown(socket.SHUT_RDWR)
        self.assertEqual(worker.leave(), 0, worker.errors)

    def test_syntax_error(self):
        answer = self.failed("def make(spec:\n    pass\n")
        self.assertEqual(answer["stage"], "adapter")
        self.assertRegex(answer["message"], r"^adapter\.py line \d is no valid Python")
        self.assertIn("SyntaxError", answer["detail"])
        self.assertNotIn("Traceback", answer["detail"])

    def test_a_traceback_begins_at_the_adapter(self):
        answer = self.failed("import os\n\nos.no_such_function()\n")
        self.assertRegex(answer["detail"], r'^Traceback .*\n  File ".*adapter\.py", line 3, in <module>\n')
        self.assertTrue(answer["detail"].endswith("'no_such_function'\n"), answer["detail"])

    def test_missing_library(self):
        answer = self.failed("import dlspec_no_such_library\n")
        self.assertEqual(answer["stage"], "import")
        self.assertIn("dlspec_no_such_library is not installed", answer["message"])
        self.assertEqual(answer["detail"], "", "the sentence says all")

    def test_missing_device(self):
        answer = self.failed("raise NotImplementedError('no GPU here')\n")
        self.assertEqual((answer["stage"], answer["message"]), ("device", "no GPU here"))

    def test_an_adapter_is_not_its_library(self):
        path = self.write("import dlspec_double\n", name="dlspec_double.py")
        worker = Worker(path)
        self.assertIn("dlspec_double is not installed", worker.receive()["failed"]["message"])
        worker.leave()

    def test_another_adapter_is_no_library_either(self):
        self.write("", name="dlspec_double.py")
        self.write("", name="dlspec_double.toml")
        self.assertIn("dlspec_double is not installed", self.failed("import dlspec_double\n")["message"])

    def test_a_module_beside_the_adapter(self):
        self.write("number = 7\n", name="dlspec_helper.py")
        worker = Worker(self.write("import dlspec_helper\ndef version(): return dlspec_helper.number\n"))
        self.assertEqual(worker.receive()["ready"]["version"], "7")
        self.assertEqual(worker.leave(), 0, worker.errors)

    def test_broken_library(self):
        answer = self.failed("raise ImportError('libx.so: cannot open')\n")
        self.assertEqual(answer["stage"], "import")
        self.assertIn("libx.so: cannot open", answer["message"])

    def test_exception_and_exit_at_import(self):
        self.assertIn("RuntimeError: no", self.failed("raise RuntimeError('no')\n")["message"])
        self.assertIn("SystemExit", self.failed("raise SystemExit(0)\n")["message"])

    def test_missing_adapter(self):
        worker = Worker(os.path.join(self.folder.name, "gone.py"))
        self.assertIn("no adapter gone.py", worker.receive()["failed"]["message"])
        self.assertEqual(worker.leave(), 0, worker.errors)

    def test_missing_extension(self):
        answer = self.failed("", native=os.path.join(self.folder.name, "_native.abi3.so"))
        self.assertEqual(answer["stage"], "native")
        self.assertIn("does not load", answer["message"])

    def test_what_a_library_raises_is_an_answer(self):
        for body in ("sys.exit(0)", "raise KeyboardInterrupt", "raise BaseException('odd')", "raise BufferError('no')"):
            worker = Worker(self.write(CONSUMER.replace("BODY", body)))
            self.assertIn("ready", worker.receive())
            answer = worker.ask(testing.make_case("consumer", "legacy"))
            self.assertEqual((answer["n"], answer["pid"]), (1, worker.process.pid), body)
            self.assertEqual(answer["outcomes"]["tensor.element-address"]["outcome"], "unsupported", body)
            self.assertEqual(worker.leave(), 0, worker.errors)
            self.assertIn(b"rubbish", worker.output)

    def test_unknown_variant_is_blocked(self):
        worker = Worker(self.write(""))
        worker.receive()
        case = dict(testing.make_case("consumer", "legacy"), variant="no-such")
        self.assertEqual({each["outcome"] for each in worker.ask(case)["outcomes"].values()}, {"blocked"})
        self.assertEqual(worker.leave(), 0, worker.errors)

    def test_missing_function_is_unsupported(self):
        worker = Worker(self.write(""))
        worker.receive()
        self.assertEqual(worker.ask(testing.make_case("producer", "plain"))["unsupported"], "the adapter has no make()")
        self.assertEqual(worker.leave(), 0, worker.errors)


if __name__ == "__main__":
    unittest.main()
