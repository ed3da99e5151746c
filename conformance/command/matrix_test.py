"""dlspec matrix as a user meets it: cells, exit statuses, reports. Usage: matrix_test.py BUILD_DIR"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

FAKES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "selfcheck", "fakes")
sys.path.append(os.path.join(FAKES, "..", "..", "python", "package"))

from result import read_result  # noqa: E402

FAILING = ("fail", "crash", "timeout")


class Work:
    """A folder with the fakes in it, and the command."""

    def __init__(self, build, folder):
        self.program, self.folder = os.path.join(build, "bin", "dlspec"), folder
        self.environment = dict(
            os.environ,
            PYTHONPATH=os.path.join(build, "lib", "python"),
            DLSPEC_CACHE=os.path.join(folder, "cache"),
        )
        for name in ("honest", "blind", "swaps", "dies_importing", "loner", "missing_library"):
            shutil.copy(os.path.join(FAKES, name + ".py"), folder)
        shutil.copy(os.path.join(FAKES, "loner.py"), os.path.join(folder, "other_loner.py"))

    def dlspec(self, status, *arguments, says=""):
        """Everything that it prints, when it ends with this status and says that."""
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == status and says in done.stdout, (arguments, done.returncode, says, done.stdout)
        return done.stdout

    def matrix(self, status, *arguments, says=""):
        return self.dlspec(status, "matrix", *arguments, "--python", sys.executable, says=says)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def document(self, name):
        return read_result(os.path.join(self.folder, name))


def pairs_of(document):
    """(producer, consumer) -> its records."""
    found = collections.defaultdict(list)
    for record in document["results"]:
        found[record["producer"], record["consumer"]].append(record)
    return found


def failing(records):
    return {(record["case"], record["rule"], record["status"]) for record in records if record["status"] in FAILING}


def failing_plain(layouts, rule, status="fail"):
    return {(f"exchange/float32/{layout}/plain", rule, status) for layout in layouts}


SUBJECTS = ["./honest.py", "./blind.py", "./swaps.py", "./dies_importing.py", "./loner.py", "./other_loner.py"]


def test_each_pair_is_what_it_is(work):
    text = work.matrix(
        1,
        *SUBJECTS,
        "--json",
        "all.json",
        "--html",
        "all.html",
        "--markdown",
        "all.md",
        "--junit",
        "all.xml",
        "--sarif",
        "all.sarif",
        "--badge",
        "all.svg",
        "--timeout",
        "20",
    )
    document = work.document("all.json")
    pairs = pairs_of(document)
    assert set(pairs) == {(a, b) for a in SUBJECTS for b in SUBJECTS}
    sizes = {len(records) for records in pairs.values()}
    assert len(sizes) == 1, sizes
    for (producer, consumer), records in pairs.items():
        check_pair(producer, consumer, records)
    blind = text.split("\nhonest 1.0 to blind 1.0\n")[1].split("\nhonest 1.0 to ")[0]
    assert "--case exchange/float32/offset/plain" in blind, text
    reason = "the library does not import (ImportError: there is a loner here already)"
    assert f"loner 1.0 to other_loner 1.0 and 1 more: {reason}" in " ".join(text.split()), text


def check_pair(producer, consumer, records):
    name, violated = (producer, consumer), failing(records)
    address = "tensor.element-address"
    if {producer, consumer} == {"./loner.py", "./other_loner.py"}:
        assert {record["status"] for record in records} == {"blocked"}, name
    elif consumer == "./blind.py":
        # Negative strides begin behind an offset as well.
        assert violated == failing_plain(["offset", "negative", "offset1", "negative1"], address), (name, violated)
    elif consumer == "./swaps.py":
        assert {rule for _, rule, _ in violated} == {address} and len(violated) > 10, (name, violated)
    elif consumer == "./dies_importing.py":
        # After two deaths the other exchanges of negative strides are blocked.
        assert violated == failing_plain(["negative", "negative1"], address, "crash"), (name, violated)
    else:
        assert not violated, (name, violated)
        memory = {record["came"]["memory"] for record in records if "came" in record}
        assert memory == {"shared", "none"}, (name, memory)


def test_a_printed_command_shows_the_same(work):
    record = next(record for record in work.document("all.json")["results"] if record["status"] == "fail")
    again = subprocess.run(
        record["reproduce"], shell=True, cwd=work.folder, env=work.environment, capture_output=True, text=True
    )
    shown = " ".join(again.stdout.split())  # wrapped to the width of the page
    assert again.returncode == 1 and record["rule"] in shown and record["observed"] in shown, (record, again)


def test_reports_are_made_from_the_document(work):
    files = [("html", "html"), ("markdown", "md"), ("junit", "xml"), ("sarif", "sarif"), ("badge", "svg")]
    asked = [word for name, end in files for word in ("--" + name, "again." + end)]
    work.dlspec(1, "report", "all.json", "--quiet", *asked, "--json", "again.json")
    for end in ["json"] + [end for _, end in files]:
        assert work.read("all." + end) == work.read("again." + end), end


def test_documents_merge(work):
    few = ("--case", "exchange/float32/{c,offset}/plain", "--quiet")
    work.matrix(1, "./honest.py", "./blind.py", *few, "--json", "one.json")
    work.matrix(0, "./honest.py", "./loner.py", *few, "--json", "two.json")
    work.dlspec(1, "report", "one.json", "two.json", "--json", "both.json", says="untried")
    pairs = pairs_of(work.document("both.json"))
    assert len(pairs) == 7 and ("./blind.py", "./loner.py") not in pairs, set(pairs)
    changed = work.document("two.json")
    for record in changed["results"]:
        if record["producer"] == record["consumer"] == "./honest.py" and "came" in record:
            record["came"]["memory"] = "copied"
    with open(os.path.join(work.folder, "changed.json"), "w", encoding="utf-8") as file:
        json.dump(changed, file)
    work.dlspec(
        3,
        "report",
        "one.json",
        "changed.json",
        says="differ in exchange/float32/c/plain from ./honest.py to ./honest.py",
    )
    work.dlspec(0, "run", "builtin", "--case", "*/float32/c/*", "--rules", "tensor.*", "--quiet", "--json", "run.json")
    work.dlspec(0, "report", "run.json", "two.json", says="Exchanges")


def test_a_subject_that_does_not_load(work):
    text = work.matrix(
        3,
        "./honest.py",
        "./missing_library.py",
        "--json",
        "partial.json",
        "--case",
        "exchange/float32/c/plain",
        says="dlspec: ./missing_library.py: dlspec_library_that_is_not_there is not installed",
    )
    assert "./missing_library.py: no rule could be exercised" in text, text
    pairs = pairs_of(work.document("partial.json"))
    assert {record["status"] for record in pairs["./honest.py", "./honest.py"]} == {"pass"}
    assert {record["status"] for record in pairs["./honest.py", "./missing_library.py"]} == {"blocked"}
    work.matrix(3, "./absent.py", says="there is no file")
    work.matrix(3, "numpy==1.26.4", "--offline", says="--offline forbids")


def test_wrong_usage(work):
    work.matrix(2, says="SUBJECT")
    work.matrix(2, "./mine.so", says="is a plug-in: it has no Python arrays to exchange")
    work.matrix(2, "nunpy", says="did you mean 'numpy'")
    work.matrix(2, "builtin", "--case", "producer/*", says="the selection is empty")
    work.matrix(3, "builtin", "--html", "no/such/folder.html", says="no folder")


def test_the_same_seed_gives_the_same_document(work):
    def lines(name, *more):
        work.matrix(0, "builtin", "./honest.py", "--quiet", "--json", name, *more)
        return [line for line in work.read(name).splitlines() if '"host"' not in line and '"seconds"' not in line]

    assert lines("first.json", "--jobs", "1") == lines("second.json", "--jobs", "3")
    assert lines("first.json") != lines("other.json", "--seed", "7")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = Work(os.path.abspath(sys.argv[1]), folder)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(work)
                print(name)


if __name__ == "__main__":
    main()
