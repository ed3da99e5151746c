"""The version of these sources, and whether a tag names it.

python3 check_release.py          prints the version
python3 check_release.py vX.Y.Z   fails unless the tag is the version's and its changes are written down
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version(root=ROOT):
    """As the top CMakeLists.txt has it: the only place."""
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(dlspec VERSION ([0-9]+(?:\.[0-9]+)+)", text)[1]


def check(tag, root=ROOT):
    own = version(root)
    if tag != f"v{own}":
        yield f"the tag is {tag}, the version of the sources {own}"
    changes = (root / "conformance/docs/changes.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(own)}\b", changes, re.MULTILINE):
        yield f"conformance/docs/changes.md has no section '## {own}'"


def main(arguments):
    if not arguments:
        print(version())
        return 0
    wrong = list(check(arguments[0]))
    print("\n".join(wrong) or f"{arguments[0]}: as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
