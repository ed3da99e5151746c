"""The packages of conformance/setup/page-tools.txt, fetched once into dlspec's cache."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

LIST = pathlib.Path(__file__).resolve().parents[2] / "setup" / "page-tools.txt"


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(os.environ.get("DLSPEC_CACHE") or os.path.join(base, "dlspec"))


def folder():
    """Where they are, or None where they cannot be fetched."""
    whole = LIST.read_bytes()
    place = cache() / "pages" / hashlib.sha256(whole).hexdigest()[:16]
    if (place / "complete").exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    environment = place.with_suffix(".venv")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place), "--requirement", str(LIST)]
    try:
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True, capture_output=True)
        subprocess.run([str(environment / "bin" / "python"), *install], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    finally:
        shutil.rmtree(environment, ignore_errors=True)
    (place / "complete").touch()
    return place


def axe():
    """The text of axe-core, or None."""
    place = folder()
    return place and (place / "axe_playwright_python" / "axe.min.js").read_text(encoding="utf-8")
