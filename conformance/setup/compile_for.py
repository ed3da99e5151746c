"""Compiles every source of a configured build for another system, and keeps nothing of it.

compile_for.py BUILD COMPILERS JOBS [OPTION...]     exit status 1: a source does not compile

COMPILERS is a folder with programs cc and c++, which take the place of those that the build has.
"""

import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

DEPENDENCIES = ("-MF", "-MT", "-MQ")  # options with a word; what they write is of no use here
OPTIMISING = ("-O1", "-O2", "-O3")


def command(entry, compilers, options, output):
    """The compiler's call for the other system, as quick as can be."""
    words = shlex.split(entry["command"])
    while pathlib.Path(words[0]).name not in ("cc", "c++"):  # a launcher such as ccache
        words.pop(0)
    kept = [f"{compilers}/{pathlib.Path(words.pop(0)).name}"]
    while words:
        word = words.pop(0)
        if word in DEPENDENCIES or word == "-o":
            words.pop(0)
        elif word not in ("-MD", "-MMD", *OPTIMISING):
            kept.append(word)
    return [*kept, *options, "-O0", "-o", output]


def compile_one(entry, compilers, options, folder):
    call = command(entry, compilers, options, f"{folder}/{abs(hash(entry['file']))}.o")
    done = subprocess.run(
        call, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return entry["file"], "" if done.returncode == 0 else done.stdout


def main(build, compilers, jobs, *options):
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        results = list(pool.map(lambda entry: compile_one(entry, compilers, options, folder), entries))
    wrong = [(file, said) for file, said in results if said]
    for file, said in wrong:
        errors = [line for line in said.splitlines() if "error:" in line]
        print(f"{file}:\n  " + "\n  ".join(errors[:8] or said.splitlines()[:3]))
    print(f"{pathlib.Path(compilers).name}: {len(results) - len(wrong)} of {len(results)} sources compile")
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
