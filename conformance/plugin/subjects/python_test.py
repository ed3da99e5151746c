"""The plug-in subject_python, which is a Python library: python_test.py BUILD

NumPy, the release that figures are of, is fetched once into the build; without it the tests are skipped.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PLUGIN = BUILD / "tests" / "plugins" / "subject_python.so"
NUMPY = "numpy==2.4.6"

FAULTY = """
import importlib.util
import sys
sys.path.append({folder!r})
spec = importlib.util.spec_from_file_location("honest", {honest!r})
honest = importlib.util.module_from_spec(spec)
spec.loader.exec_module(honest)
version, make = honest.version, honest.make

def from_dlpack(source, **kwargs):
    return honest.from_dlpack(source, **kwargs).copy()

def contents(array):
    return bytes(len(honest.contents(array)))
"""


def numpy_folder():
    """Where NumPy is, or None where it cannot be fetched."""
    folder = BUILD / "tests" / NUMPY
    if not (folder / "numpy").is_dir():
        install = ["-m", "pip", "install", "--quiet", "--target", folder, NUMPY]
        tools = BUILD / "tests" / "pip"
        made = subprocess.run([sys.executable, "-m", "venv", tools], check=False, capture_output=True)
        if made.returncode or subprocess.run([tools / "bin" / "python", *install], check=False).returncode:
            return None
    return folder


class PythonInProcess(unittest.TestCase):
    def call(self, *command, **environment):
        return subprocess.run(
            [str(word) for word in command],
            env={**os.environ, "PYTHONPATH": str(FOLDER), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def judged(self, *options, **environment):
        """The exit status, and the records of a run."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "result.json"
            command = (BUILD / "bin" / "dlspec", "run", PLUGIN, "--json", path, "--quiet", *options)
            done = self.call(*command, **environment)
            self.assertTrue(path.exists(), done.stderr)
            return done.returncode, json.loads(path.read_text())

    def test_numpy_conforms(self):
        status, document = self.judged("--case", "{producer,consumer}/float32/{c,offset,reversed,scalar}/*")
        self.assertEqual(status, 0)
        self.assertIn("2.4.6", json.dumps(document["subjects"]))

    def test_sequences_find_nothing(self):
        corpus = ROOT / "fuzz" / "corpus" / "subject"
        done = self.call(BUILD / "fuzz" / "fuzz_subject", corpus, DLSPEC_PLUGIN=str(PLUGIN))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(list(corpus.iterdir()))} inputs replayed", done.stdout)

    def test_faults_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter = pathlib.Path(folder) / "faulty.py"
            adapters = ROOT / "conformance" / "evidence" / "adapters"
            adapter.write_text(FAULTY.format(folder=str(adapters), honest=str(adapters / "numpy.py")))
            status, _ = self.judged("--case", "consumer/float32/c/versioned", DLSPEC_ADAPTER=str(adapter))
        self.assertEqual(status, 1)

    def test_what_cannot_be_loaded_is_unsupported(self):
        command = (BUILD / "bin" / "dlspec", "run", PLUGIN, "--case", "consumer/float32/c/versioned")
        done = self.call(*command, DLSPEC_ADAPTER="/no/such.py")
        self.assertIn("the adapter of DLSPEC_ADAPTER cannot be loaded", done.stdout + done.stderr)


if __name__ == "__main__":
    FOLDER = numpy_folder()
    if FOLDER is None:
        print(f"skipped: {NUMPY} cannot be fetched")
        sys.exit(77)
    unittest.main()
