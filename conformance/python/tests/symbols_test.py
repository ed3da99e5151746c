"""The extension imports only symbols of CPython 3.9's stable ABI.

Newer headers may declare newer functions in spite of the limit that the build sets, and the extension would then not
load in an older interpreter. A name may join stable_abi.txt when the stable ABI list of CPython 3.9 has it.
"""

import re
import subprocess
import sys


def imported(nm, extension):
    listing = subprocess.run([nm, "-D", "--undefined-only", extension], check=True, stdout=subprocess.PIPE, text=True)
    names = (line.split()[-1].split("@")[0] for line in listing.stdout.splitlines())
    return {name for name in names if re.match("_?Py", name)}


def main(nm, extension, list_file):
    with open(list_file, encoding="ascii") as lines:
        allowed = set(lines.read().split())
    used = imported(nm, extension)
    if "PyModuleDef_Init" not in used:
        return "nm shows no import from the interpreter at all"
    beyond = sorted(used - allowed)
    return f"not in {list_file}: {' '.join(beyond)}" if beyond else None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
