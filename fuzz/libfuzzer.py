"""How libFuzzer is called, everywhere: libfuzzer.options, which ClusterFuzz reads as well."""

import configparser
import os
import re
import resource
import subprocess

OPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libfuzzer.options")


def _section(name):
    parser = configparser.ConfigParser()
    with open(OPTIONS, encoding="utf-8") as file:
        parser.read_file(file)
    return dict(parser[name])


def options(**others):
    """As arguments; `others` replace what the file says."""
    return [f"-{name}={value}" for name, value in (_section("libfuzzer") | others).items()]


def environment():
    """For the process."""
    told = ":".join(f"{name}={value}" for name, value in _section("asan").items())
    return os.environ | {"ASAN_OPTIONS": told}


def timed(command, limit=None):
    """What subprocess.run gives, and the CPU-seconds that the command took. SIGXCPU ends it after `limit` of them."""

    def bounded():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environment(),
        preexec_fn=bounded if limit else None,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def executed(printed):
    """The number of inputs: of -print_final_stats=1, or of the last line about progress where it was ended."""
    found = re.findall(r"^stat::number_of_executed_units:\s*(\d+)$", printed, re.M)
    found = found or re.findall(r"^#(\d+)\t", printed, re.M)
    return int(found[-1]) if found else 0
