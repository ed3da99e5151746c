"""The recipes of a release, with its version and the hashes of its source archive.

render.py ARCHIVE FOLDER     writes conda/recipe.yaml, vcpkg/portfile.cmake, vcpkg/vcpkg.json and Dockerfile
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from check_release import version  # noqa: E402


def values(archive):
    data = archive.read_bytes()
    return {
        "VERSION": version(),
        "ADDRESS": f"https://github.com/dlspec/dlspec/releases/download/v{version()}/{archive.name}",
        "SHA256": hashlib.sha256(data).hexdigest(),
        "SHA512": hashlib.sha512(data).hexdigest(),
    }


def render(archive, folder):
    """The files that were written."""
    written = []
    for template in sorted(HERE.rglob("*.in")):
        text = template.read_text(encoding="utf-8")
        for name, value in values(archive).items():
            text = text.replace(f"@{name}@", value)
        path = folder / template.relative_to(HERE).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    print("\n".join(str(path) for path in render(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))))
