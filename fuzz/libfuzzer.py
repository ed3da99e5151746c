"""How libFuzzer is called, everywhere: libfuzzer.options, which ClusterFuzz reads as well."""

import configparser
import os

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
