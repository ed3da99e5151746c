"""What check-style checks: format, lint and line length of the files that git knows, and clang-tidy's opinion.

Everything but clang-tidy takes seconds and always looks at the whole tree. clang-tidy takes about 3 s for a file, so
that it looks at the files that changed, at most TIDY_AT_ONCE of them, newest first; the night looks at all of them.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

LONGEST_LINE = 120
TIDY_AT_ONCE = 12  # some 40 s of two cores
# Options and precompiled headers that only GCC reads, and what libstdc++ 12 deprecates and uses in std::stable_sort.
NO_FINDINGS = (
    "unknown-warning-option",
    "unused-command-line-argument",
    "ignored-gch",
    "deprecated-declarations",
)
LAST_COMMITS = 10  # what counts as changed where there is neither another branch nor a release to compare with
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
C_FAMILY = (".cc", ".h", ".c", ".cu")
LIMITED = (*C_FAMILY, ".def", ".py", ".sh")
SKIPPED = 77


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else None


def files():
    """Paths below ROOT: tracked, or new and not ignored."""
    known = git("ls-files", "--cached", "--others", "--exclude-standard")
    return None if known is None else sorted({path for path in known if os.path.isfile(os.path.join(ROOT, path))})


def read(path):
    with open(os.path.join(ROOT, path), errors="replace") as source:
        return source.read()


def interpreter(path):
    """ "bash" or "python" of a script without a suffix, else ""."""
    if "." in os.path.basename(path) or not os.access(os.path.join(ROOT, path), os.X_OK):
        return ""
    first = read(path).split("\n", 1)[0]
    if not first.startswith("#!"):
        return ""
    return "python" if "python" in first else "bash" if first.endswith("sh") else ""


def is_script_of(path, language, suffix):
    return path.endswith(suffix) or interpreter(path) == language


def run(command, **options):
    """What it printed, "" if it had nothing to object to."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return "" if done.returncode == 0 else done.stdout or f"{command[0]} ended with {done.returncode}\n"


# --- one function per check: paths -> complaint


def line_length(paths):
    complaints = []
    for path in paths:
        if path.endswith(LIMITED) or interpreter(path):
            for number, line in enumerate(read(path).split("\n"), 1):
                if len(line) > LONGEST_LINE:
                    complaints.append(f"{path}:{number}: {len(line)} columns, at most {LONGEST_LINE}\n")
    return "".join(complaints)


def clang_format(paths, fix=False):
    chosen = [path for path in paths if path.endswith(C_FAMILY)]
    return run(["clang-format", *(["-i"] if fix else ["--dry-run", "-Werror"]), *chosen])


def ruff(paths, fix=False):
    chosen = [path for path in paths if is_script_of(path, "python", ".py")]
    options = ["--quiet", "--no-cache", "--force-exclude"]
    lint = run(["ruff", "check", *options, *(["--fix"] if fix else []), *chosen])
    return lint + run(["ruff", "format", *options, *([] if fix else ["--diff"]), *chosen])


def shellcheck(paths, fix=False):
    del fix  # it has nothing to rewrite with
    chosen = [path for path in paths if is_script_of(path, "bash", ".sh")]
    return run(["shellcheck", "--external-sources", "--source-path=SCRIPTDIR", *chosen])


# --- clang-tidy


def sources():
    """The files that the build compiles, {path below ROOT}; None where nothing is configured."""
    commands = os.path.join(BUILD, "compile_commands.json")
    if not os.path.exists(commands):
        return None
    with open(commands) as text:
        compiled = {os.path.relpath(os.path.join(each["directory"], each["file"]), ROOT) for each in json.load(text)}
    return {path for path in compiled if path.endswith(".cc") and not path.startswith(("build", ".."))}


def changed():
    """Paths that differ from the other branch, else the last release, else ten commits ago; and that commit."""
    head = git("rev-parse", "HEAD")
    for other in ("origin/HEAD", "origin/main", "main"):
        base = git("merge-base", "HEAD", other)
        if base and base != head:
            break
    else:
        tag = git("describe", "--tags", "--abbrev=0", "HEAD^")
        base = tag or git("rev-parse", f"HEAD~{LAST_COMMITS}") or git("rev-list", "--max-parents=0", "HEAD")
    newest_first = git("log", "--format=", "--name-only", f"{base[0]}..HEAD")
    uncommitted = [line[3:].split(" -> ")[-1] for line in git("status", "--porcelain", "--untracked-files=all")]
    return list(dict.fromkeys([*uncommitted, *(path for path in newest_first if path)])), base[0][:12]


def compiled_with(path, compiled):
    """The source that shows clang-tidy this file: itself, or the one that is named like the header."""
    stem, suffix = os.path.splitext(path)
    if suffix == ".h":
        return next((each for each in (stem + ".cc", stem + "_test.cc") if each in compiled), None)
    return path if path in compiled else None


def tidy_one(path):
    command = ["clang-tidy", "-p", BUILD, "--quiet", "--warnings-as-errors=*", path]
    done = subprocess.run(
        [*command, *(f"--extra-arg=-Wno-{warning}" for warning in NO_FINDINGS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return "" if done.returncode == 0 else done.stdout or done.stderr


def tidy(whole):
    complaint = run(["clang-tidy", "--verify-config"])
    if complaint:
        return ".clang-tidy names what this clang-tidy does not have\n" + complaint
    compiled = sources()
    if compiled is None:
        print("Style: clang-tidy skipped: build/release is not configured", flush=True)
        return ""
    if whole:
        chosen = sorted(compiled)
        print(f"Style: clang-tidy on {len(chosen)} files", flush=True)
    else:
        differing, base = changed()
        wanted = dict.fromkeys(filter(None, (compiled_with(path, compiled) for path in differing)))
        chosen = list(wanted)[:TIDY_AT_ONCE]
        left = f"; {len(wanted) - len(chosen)} more are left to the night" if len(wanted) > len(chosen) else ""
        print(f"Style: clang-tidy on {len(chosen)} files that differ from {base}{left}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return "".join(dict.fromkeys(pool.map(tidy_one, chosen)))


CHECKS = {"clang-format": clang_format, "ruff": ruff, "shellcheck": shellcheck}


def main():
    parser = argparse.ArgumentParser(prog="check-style", description="Checks format, lint and line length.")
    parser.add_argument("--all", action="store_true", help="clang-tidy on the whole tree (minutes)")
    parser.add_argument("--fix", action="store_true", help="let clang-format and ruff rewrite files")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--without-tidy", action="store_true", help="what needs no configured build")
    only.add_argument("--only-tidy", action="store_true", help="what needs one: build/release")
    options = parser.parse_args()
    paths = files() if shutil.which("git") else None
    if paths is None:
        print("Style: skipped: this is no checkout of git")
        return SKIPPED
    complaints = {}
    if not options.only_tidy:
        complaints = {name: check(paths, options.fix) for name, check in CHECKS.items()}
        complaints["line length"] = line_length(paths)
    if not options.without_tidy:
        complaints["clang-tidy"] = tidy(options.all)
    wrong = [name for name, complaint in complaints.items() if complaint]
    for name in wrong:
        print(f"--- {name}\n{complaints[name]}", end="")
    print("Style: " + (f"{', '.join(wrong)} objected" if wrong else f"{', '.join(complaints)} found nothing"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
