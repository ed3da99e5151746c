"""The installed package in the settings that users have it in: which interpreter is judged, and what repeats a finding.

  settings_test.py BUILD CMAKE

The package is put together from the build, as a wheel is, and installed by uv without a network. Exit status 77 where
there is no uv.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD, CMAKE = sys.argv.pop(1), sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[3]
FAKES = ROOT / "conformance" / "selfcheck" / "fakes"
VERSION = re.search(r"project\(dlspec VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
UV = shutil.which("uv") or os.path.expanduser("~/.cache/dlspec/uv/bin/uv")
# Variables that choose an interpreter or an environment: each setting sets its own.
CHOOSING = ("VIRTUAL_ENV", "CONDA_PREFIX", "DLSPEC_PYTHON", "PYTHONPATH", "PYTHONHOME", "UV", "UV_PYTHON")


def make_wheel(folder):
    """A wheel of the build's components `command` and `plugin`, laid out as pyproject.toml lays them out."""
    prefix = folder / "prefix"
    for component in ("command", "plugin"):
        install = [CMAKE, "--install", BUILD, "--prefix", prefix, "--component", component]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    files = {path: "dlspec/" + path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file()}
    files = {path: name.replace("dlspec/lib/python/dlspec/", "dlspec/") for path, name in files.items()}
    info = f"dlspec-{VERSION}.dist-info"
    metadata = {
        "METADATA": f"Metadata-Version: 2.1\nName: dlspec\nVersion: {VERSION}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n",
        "entry_points.txt": "[console_scripts]\ndlspec = dlspec._command:main\n",
    }
    wheel, record = folder / f"dlspec-{VERSION}-py3-none-any.whl", []
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, name in files.items():
            archive.write(path, name)
            record.append(entry(name, path.read_bytes()))
        for name, text in metadata.items():
            archive.writestr(f"{info}/{name}", text)
            record.append(entry(f"{info}/{name}", text.encode()))
        archive.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))
    return wheel


def entry(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.base = {name: text for name, text in os.environ.items() if name not in CHOOSING}
        cls.base.update(UV_CACHE_DIR=str(cls.folder / "cache"), UV_OFFLINE="1", UV_PYTHON_DOWNLOADS="never")
        cls.base.update(DLSPEC_CACHE=str(cls.folder / "dlspec"), COLUMNS="500")
        cls.wheel = make_wheel(cls.folder)
        cls.own, cls.other = cls.environment("own", cls.wheel), cls.environment("other")
        cls.adapter = cls.folder / "probe.py"
        cls.adapter.write_text("import dlspec_no_such_library\n")

    @classmethod
    def environment(cls, name, *packages):
        folder = cls.folder / name
        subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder], check=True, env=cls.base)
        if packages:
            install = [UV, "pip", "install", "--quiet", "--python", folder / "bin" / "python", *packages]
            subprocess.run(install, check=True, env=cls.base)
        return folder

    def call(self, *command, path="", **variables):
        environment = {**self.base, **{name: str(text) for name, text in variables.items()}}
        environment["PATH"] = os.pathsep.join(filter(None, (str(path), self.base["PATH"])))
        done = subprocess.run(list(map(str, command)), env=environment, cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def judged(self, *command, **setting):
        """The interpreter that the command starts the adapter in."""
        status, text = self.call(*command, "run", self.adapter, **setting)
        self.assertEqual(status, 3, text)
        found = re.search(r"dlspec_no_such_library is not installed for (\S+);", text)
        self.assertTrue(found, text)
        return found.group(1)

    def python_of(self, environment):
        return str(environment / "bin" / "python")

    def on_path(self):
        """python3 on PATH, as it names itself."""
        program = [shutil.which("python3", path=self.base["PATH"]), "-I", "-c", "import sys; print(sys.executable)"]
        return subprocess.run(program, check=True, capture_output=True, text=True).stdout.strip()

    # --- which interpreter

    def test_the_active_environment(self):
        command = self.own / "bin" / "dlspec"
        self.assertEqual(self.judged(command, VIRTUAL_ENV=self.other), self.python_of(self.other))
        self.assertEqual(self.judged("dlspec", path=self.own / "bin", VIRTUAL_ENV=self.own), self.python_of(self.own))
        self.assertEqual(self.judged(command, CONDA_PREFIX=self.other), self.python_of(self.other))

    def test_the_environment_of_dlspec_that_is_not_active(self):
        self.assertEqual(self.judged(self.own / "bin" / "dlspec"), self.python_of(self.own))
        self.assertEqual(self.judged(self.own / "bin" / "python", "-m", "dlspec"), self.python_of(self.own))

    def test_an_environment_that_is_gone_is_not_active(self):
        gone = self.folder / "gone"
        self.assertEqual(self.judged(self.own / "bin" / "dlspec", VIRTUAL_ENV=gone), self.python_of(self.own))

    def test_python_is_named(self):
        command, other = self.own / "bin" / "dlspec", self.python_of(self.other)
        status, text = self.call(command, "run", self.adapter, "--python", other, VIRTUAL_ENV=self.own)
        self.assertIn(f"is not installed for {other};", text)
        self.assertEqual(self.judged(command, DLSPEC_PYTHON=other, VIRTUAL_ENV=self.own), other)

    def test_a_tool_of_pipx_is_not_judged(self):
        tool, shown = self.environment("tool", self.wheel), self.folder / "shown"
        shown.mkdir()
        (shown / "dlspec").symlink_to(tool / "bin" / "dlspec")
        for mark in ("pipx_metadata.json", "uv-receipt.toml"):
            (tool / mark).write_text("")
            self.assertEqual(self.judged("dlspec", path=shown), self.on_path(), mark)
            self.assertEqual(self.judged("dlspec", path=shown, VIRTUAL_ENV=self.other), self.python_of(self.other))
            (tool / mark).unlink()
        # A library that was put beside it is there to be judged.
        (tool / "pipx_metadata.json").write_text("")
        packages = next((tool / "lib").glob("python3*")) / "site-packages"
        (packages / "library-1.0.dist-info").mkdir()
        self.assertEqual(self.judged("dlspec", path=shown), self.python_of(tool))

    def test_uvx(self):
        uvx = (UV, "tool", "run", "--quiet", "--python", sys.executable, "--from", self.wheel, "dlspec")
        self.assertEqual(self.judged(*uvx), self.on_path())
        self.assertEqual(self.judged(*uvx, VIRTUAL_ENV=self.other), self.python_of(self.other))

    def test_uv_run_with(self):
        run = (UV, "run", "--quiet", "--no-project", "--python", sys.executable, "--with", self.wheel)
        status, text = self.call(*run, "python", "-c", "import sys; print(sys.prefix)")
        self.assertEqual(status, 0, text)
        self.assertTrue(self.judged(*run, "dlspec").startswith(str(self.folder / "cache")))

    # --- what is printed to repeat a failure

    def repeated(self, begins, *command, options=(), **setting):
        few = ("--role", "producer", "--case", "producer/float32/*/max_version=1.3")
        status, text = self.call(*command, "run", FAKES / "segfault.py", *few, *options, **setting)
        self.assertEqual(status, 1, text)
        line = re.search(r"^ *repeat +(.*)$", text, re.MULTILINE).group(1)
        self.assertTrue(line.startswith(f"{begins} run "), line)
        self.assertEqual("--python" in line, "--python" in options)
        status, text = self.call("bash", "-c", line, **setting)
        self.assertEqual(status, 1, text)
        self.assertIn("killed by SIGSEGV before answering", text)

    def test_the_repeat_line_names_what_was_called(self):
        command = self.own / "bin" / "dlspec"
        self.repeated("dlspec", "dlspec", path=self.own / "bin")
        self.repeated("dlspec", "dlspec", path=self.own / "bin", VIRTUAL_ENV=self.own)
        self.repeated(str(command), command)
        self.repeated(str(command), command, options=("--python", self.python_of(self.own)))
        self.repeated("dlspec", "dlspec", path=self.own / "bin", options=("--python", self.python_of(self.own)))

    # --- what else an installed package has

    def test_headers_compile_a_plug_in(self):
        program = "import dlspec; print(dlspec.get_include()); print(dlspec.get_cmake_dir())"
        status, text = self.call(self.python_of(self.own), "-c", program)
        self.assertEqual(status, 0, text)
        include, config = text.split()
        self.assertTrue(os.path.exists(os.path.join(config, "dlspecConfig.cmake")))
        source, library = ROOT / "conformance/plugin/examples/producer.c", self.folder / "libproducer.so"
        status, text = self.call("cc", "-std=c99", "-shared", "-fPIC", "-I", include, source, "-o", library)
        self.assertEqual(status, 0, text)
        status, text = self.call(self.own / "bin" / "dlspec", "run", library, "--case", "producer/float32/*")
        self.assertEqual(status, 0, text)

    def test_the_zoo_is_whole(self):
        few = "{capsule.name-legacy,bridge.status-order}"  # in Python, and a plug-in
        status, text = self.call(self.own / "bin" / "dlspec", "selftest", "--rules", few)
        self.assertEqual(status, 0, text)

    def test_a_library_that_is_missing_is_offered(self):
        status, text = self.call(self.own / "bin" / "dlspec", "run", "numpy", "--case", "producer/float32/c/*")
        self.assertEqual(status, 3, text)
        self.assertIn("numpy is not installed for ", text)
        self.assertIn("`dlspec run numpy@latest`", text)
        self.assertNotIn("Traceback", text)


if __name__ == "__main__":
    if not os.access(UV, os.X_OK):
        print("skipped: there is no uv")
        sys.exit(77)
    unittest.main()
