"""Completions and manual page that are handed out are those of the command; and shells read them.

  shell_test.py BUILD [--write]

--write makes the files from the command. bash is asked for completions; zsh, fish and groff read theirs, where they are
installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
FOLDER = pathlib.Path(__file__).resolve().parent / "shell"
DLSPEC = BUILD / "bin" / "dlspec"
FILES = {
    "dlspec.bash": ("--completion", "bash"),
    "_dlspec": ("--completion", "zsh"),
    "dlspec.fish": ("--completion", "fish"),
    "dlspec.1": ("--manual",),
}


def printed(*arguments):
    return subprocess.run([DLSPEC, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def write():
    FOLDER.mkdir(exist_ok=True)
    for name, arguments in FILES.items():
        (FOLDER / name).write_text(printed(*arguments), encoding="utf-8")


class Shells(unittest.TestCase):
    def test_files_are_those_of_the_command(self):
        for name, arguments in FILES.items():
            with self.subTest(name):
                stale = f"{FOLDER / name} is stale: python3 {__file__} {BUILD} --write"
                self.assertEqual((FOLDER / name).read_text(encoding="utf-8"), printed(*arguments), stale)

    def test_every_option_of_the_help_is_there(self):
        for command in ("run", "inspect", "matrix", "rules", "selftest", "fuzz", "report", "init"):
            options = set(re.findall(r"^\s+(?:-\w,)?(--[\w-]+)", printed(command, "--help"), re.MULTILINE))
            self.assertIn("--help", options)
            words = set(self.bash("dlspec", command, "-"))
            self.assertEqual(options - words, set(), command)

    def bash(self, *words):
        """What bash offers for the last word."""
        call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dlspec; printf "%s\\n" "${COMPREPLY[@]}"'
        script = f"source {FOLDER}/dlspec.bash; {call}"
        done = subprocess.run(["bash", "-c", script, "bash", *words], check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.bash("dlspec", "se"), ["selftest"])
        self.assertEqual(self.bash("dlspec", "run", "numpy", "--stri"), ["--strict"])
        self.assertEqual(self.bash("dlspec", "run", "--color", "al"), ["always"])
        self.assertEqual(sorted(self.bash("dlspec", "run", "--level", "m")), ["may", "must"])
        self.assertEqual(self.bash("dlspec", "run", "nu"), [])

    def test_other_shells_parse_them(self):
        for shell, name in (("zsh", "_dlspec"), ("fish", "dlspec.fish")):
            if shutil.which(shell):
                subprocess.run([shell, "-n", FOLDER / name], check=True)

    def test_the_manual_page_is_one(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-wall", FOLDER / "dlspec.1"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("dlspec inspect", done.stdout)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
