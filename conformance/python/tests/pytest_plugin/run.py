"""Runs plugin_test.py in an environment that has pytest, which is fetched once into dlspec's cache.

  run.py BUILD

Exit status 77, with the reason, where the package index cannot be reached.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = ["pytest==8.4.2", "pytest-xdist==3.8.0"]


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(os.environ.get("DLSPEC_CACHE") or os.path.join(base, "dlspec"))


def environment():
    """The interpreter of the environment; None where it cannot be made."""
    key = hashlib.sha256("\n".join([sys.executable, sys.version, *REQUIREMENTS]).encode()).hexdigest()[:16]
    folder = cache() / "tests" / key
    python = folder / "bin" / "python"
    if (folder / "complete").exists() and python.exists():
        return str(python)
    shutil.rmtree(folder, ignore_errors=True)
    uv = shutil.which("uv") or str(cache() / "uv" / "bin" / "uv")
    made = [uv, "venv", "--quiet", "--python", sys.executable, str(folder)]
    install = [uv, "pip", "install", "--quiet", "--python", str(python), *REQUIREMENTS]
    for command in (made, install):
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except OSError as error:
            print(f"skipped: {error}")
            return None
        if done.returncode != 0:
            print(f"skipped: pytest cannot be fetched: {done.stderr[-300:]}")
            return None
    (folder / "complete").touch()
    return str(python)


def main(build):
    python = environment()
    if python is None:
        return 77
    settings = {"PYTHONPATH": str(pathlib.Path(build) / "lib" / "python")}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "dlspec.pytest_plugin"]
    return subprocess.run([*command, str(HERE / "plugin_test.py")], env={**os.environ, **settings}).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
