"""The plugin of pytest, run by pytest in itself. ctest calls it by run.py, in an environment that has pytest."""

import os
import pathlib
import re
import threading

import dlspec
import pytest
from dlspec import _conforming

pytest_plugins = ["pytester"]
FAKES = pathlib.Path(__file__).resolve().parents[3] / "selfcheck" / "fakes"
FEW = "--dlspec-rules=tensor.s*"


@pytest.fixture
def judge(pytester):
    """Runs pytest with the plugin on one of the fakes, and with further options."""

    def run(fake, *options):
        subject = f"--dlspec={FAKES / fake}.py"
        return pytester.runpytest_subprocess("-p", "dlspec.pytest_plugin", subject, *options)

    return run


def test_each_rule_is_a_test(judge):
    result = judge("honest", FEW, "-v", "-rs")
    counted = result.parseoutcomes()
    assert result.ret == 0
    assert counted["passed"] > 10 and "failed" not in counted
    result.stdout.fnmatch_lines(["*dlspec?*honest.py?::tensor.strides-not-null PASSED*"])
    result.stdout.fnmatch_lines(["SKIPPED*the adapter has no odd()"])


def test_a_violated_rule_fails_with_its_finding(judge):
    result = judge("segfault", "--dlspec-rules=tensor.element-address")
    assert result.ret == 1
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "crash tensor.element-address (must) in producer/*",
            "*observed  killed by SIGSEGV before answering",
            "*repeat *dlspec* run *segfault.py *--case *",
        ]
    )


def test_one_test_of_many_fails(judge):
    outcomes = judge("segfault", "--dlspec-rules=tensor.*").parseoutcomes()
    assert outcomes["failed"] >= 1 and outcomes["passed"] > 10


def test_the_selection_of_pytest_selects_rules(judge):
    outcomes = judge("honest", FEW, "-k", "strides-not-null").parseoutcomes()
    assert outcomes["passed"] == 1 and outcomes["deselected"] > 10


def test_a_baseline_makes_it_an_expected_failure(judge, pytester):
    written = write_baseline(pytester, "segfault")
    result = judge("segfault", "--dlspec-rules=tensor.element-address", f"--dlspec-baseline={written}")
    assert result.ret == 0
    result.assert_outcomes(xfailed=1)
    stale = pytester.path / "stale.txt"
    stale.write_text(written.read_text().replace("library segfault", "library honest"))
    result = judge("honest", "--dlspec-rules=tensor.element-address", f"--dlspec-baseline={stale}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the baseline lists it, and it does not occur any more:*"])


def write_baseline(pytester, fake):
    """The file that the command makes of a run."""
    command = str(pathlib.Path(dlspec.__file__).parents[3] / "bin" / "dlspec")
    subject = [str(FAKES / f"{fake}.py"), "--rules", "tensor.element-address", "--python", os.sys.executable]
    pytester.run(command, "run", *subject, "--json", "result.json")
    pytester.run(command, "baseline", "update", "known.txt", "result.json")
    path = pytester.path / "known.txt"
    path.write_text(re.sub(r"(answering\")$", r'\1 because "a test"', path.read_text(), flags=re.MULTILINE))
    return path


def test_workers_of_xdist_share_one_run(judge, pytester, monkeypatch):
    calls = pytester.path / "calls"
    monkeypatch.setenv("DLSPEC_TEST_CALLS", str(calls))
    pytester.makeconftest(
        """
        import os
        from dlspec import pytest_plugin
        judge = pytest_plugin.Judged.run
        def counted(self):
            with open(os.environ["DLSPEC_TEST_CALLS"], "a") as file:
                file.write("judged ")
            return judge(self)
        pytest_plugin.Judged.run = counted
        """
    )
    alone = judge("honest", FEW).parseoutcomes()
    assert calls.read_text() == "judged "
    together = judge("honest", FEW, "-n", "2").parseoutcomes()
    assert together == alone
    assert calls.read_text() == "judged judged "


def test_what_cannot_be_judged_is_an_error_of_each_test(judge):
    result = judge("missing_library", FEW)
    assert result.ret == 1
    assert "passed" not in result.parseoutcomes()
    result.stdout.fnmatch_lines(["*dlspec_library_that_is_not_there is not installed*"])


def test_an_unknown_rule_is_wrong_usage(judge):
    result = judge("honest", "--dlspec-rules=no.such")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_without_the_option_nothing_is_added(pytester):
    pytester.makepyfile("def test_nothing():\n    pass\n")
    pytester.runpytest_subprocess("-p", "dlspec.pytest_plugin").assert_outcomes(passed=1)


def test_fixtures(pytester):
    pytester.makepyfile(
        """
        import dlspec
        def test_good(assert_conforms, dlspec_inspect):
            made = dlspec.tensor(bytes(48), "float32", (3, 4), (4, 1))
            assert dlspec_inspect(made).ok
            assert_conforms(made)
        def test_bad(assert_conforms):
            class Elsewhere:
                made = dlspec.tensor(bytes(48), "float32", (3, 4), (4, 1))
                def __dlpack__(self, **keywords):
                    return self.made.__dlpack__(**keywords)
                def __dlpack_device__(self):
                    return (2, 0)
            assert_conforms(Elsewhere())
        """
    )
    result = pytester.runpytest_subprocess("-p", "dlspec.pytest_plugin")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*python.device-tuple-matches-capsule: *the capsule is on (1, 0)*"])


class Honest:
    """Passes requests on; each of the others changes one answer."""

    def __init__(self):
        self.made = dlspec.tensor(bytes(range(48)), "float32", (3, 4), (4, 1))

    def __dlpack__(self, **keywords):
        return self.made.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.made.__dlpack_device__()


class AlwaysVersioned(Honest):
    def __dlpack__(self, **keywords):
        return self.made.__dlpack__(**{"max_version": (1, 3), **keywords})


class TakesAnything(Honest):
    def __dlpack__(self, **keywords):
        keywords.pop("dlspec_unknown_keyword", None)
        return self.made.__dlpack__(**keywords)


class IgnoresEveryKeyword(Honest):
    def __dlpack__(self, max_version=None, **keywords):
        return self.made.__dlpack__(max_version=max_version)


class VersionedOnly(Honest):
    def __dlpack__(self, max_version=None, **keywords):
        if max_version is None:
            raise BufferError("versioned capsules only")
        return self.made.__dlpack__(max_version=max_version, **keywords)


class OfEdition2022(Honest):
    def __dlpack__(self, *, stream=None):
        return self.made.__dlpack__()


class KnowsMaxVersionAlone(Honest):
    def __dlpack__(self, *, stream=None, max_version=None):
        return self.made.__dlpack__(max_version=max_version)


class ReleasesLate(Honest):
    def __dlpack__(self, **keywords):
        threading.Timer(0.1, (lambda held: None), (self,)).start()
        return self.made.__dlpack__(**keywords)


class NeverCopies(Honest):
    def __dlpack__(self, **keywords):
        keywords.pop("copy", None)
        return self.made.__dlpack__(**keywords)


class CopiesNonetheless(Honest):
    def __dlpack__(self, **keywords):
        if "copy" in keywords:
            keywords["copy"] = True
        return self.made.__dlpack__(**keywords)


class ForgetsItself(Honest):
    def __dlpack__(self, dl_device=None, **keywords):
        if dl_device is not None:
            raise BufferError("no")
        return self.made.__dlpack__(**keywords)


class OtherElements(Honest):
    def __dlpack__(self, **keywords):
        if keywords.get("copy"):
            return dlspec.tensor(bytes(48), "float32", (3, 4), (4, 1)).__dlpack__(**keywords)
        return self.made.__dlpack__(**keywords)


class KeepsItself(Honest):
    kept = []

    def __dlpack__(self, **keywords):
        self.kept.append(self)
        return self.made.__dlpack__(**keywords)


class NumberOfDevice(Honest):
    def __dlpack_device__(self):
        return (1, 0.0)


@pytest.mark.parametrize(
    "kind, rules",
    [
        (Honest, set()),
        (AlwaysVersioned, {"python.max-version-none-legacy"}),
        (TakesAnything, {"python.unknown-kwarg-typeerror"}),
        (IgnoresEveryKeyword, {"flags.is-copied-set", "python.copy-true", "python.unknown-kwarg-typeerror"}),
        (VersionedOnly, set()),
        (OfEdition2022, set()),
        (KnowsMaxVersionAlone, set()),
        (ReleasesLate, set()),
        (NeverCopies, {"flags.is-copied-set", "python.copy-true"}),
        (CopiesNonetheless, {"python.copy-false"}),
        (ForgetsItself, {"python.dl-device-own"}),
        (OtherElements, {"python.copy-true"}),
        (KeepsItself, {"managed.owner-balanced"}),
        (NumberOfDevice, {"python.device-tuple-int"}),
    ],
)
def test_each_fault_of_an_array_is_found_and_no_other(kind, rules):
    assert {each.rule for each in _conforming.deviations(kind())} == rules


@pytest.mark.parametrize("kind", [AlwaysVersioned, TakesAnything])
def test_what_is_no_failure_warns(kind):
    with pytest.warns(_conforming.NotRecommended, match=kind.__name__):
        _conforming.assert_conforms(kind())


def test_an_ignored_keyword_that_matters_fails():
    with pytest.raises(AssertionError, match=r"python\.unknown-kwarg-typeerror"):
        _conforming.assert_conforms(IgnoresEveryKeyword())


def test_who_exports_nothing_tells_the_reason():
    class Nothing(Honest):
        def __dlpack__(self, **keywords):
            raise BufferError("these elements have no dtype of DLPack")

    with pytest.raises(BufferError, match="no dtype of DLPack"):
        _conforming.assert_conforms(Nothing())
