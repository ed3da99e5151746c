"""Loads the extension and the adapter; where one does not load, the error says in one sentence what to do."""

import importlib.machinery
import importlib.util
import os
import re
import sys
import traceback

from dlspec_worker.facts import wording

_REMEDY = "install it, or choose another interpreter by --python"


class Failed(Exception):
    """The worker cannot begin. `stage` is native, adapter, import or device."""

    def __init__(self, stage, message, detail=""):
        super().__init__(message)
        self.stage = stage
        self.message = message
        self.detail = detail


def load_native(path):
    """dlspec's extension, by its absolute path."""
    name = "dlspec._native"
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    try:
        spec = importlib.util.spec_from_file_location(name, path, loader=loader)
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except BaseException as error:
        version = ".".join(map(str, sys.version_info[:2]))
        message = (
            f"dlspec's extension does not load in Python {version} ({wording.of_exception(error)}); "
            "it needs CPython 3.9 or later"
        )
        raise Failed("native", message, traceback.format_exc()) from None
    return module


class BesideAdapter:
    """Lets an adapter import modules from its own folder, after all installed ones.

    Adapters themselves are not found: an adapter has the name of its library, and must not be imported in the place
    of a library that is missing.
    """

    def __init__(self, path):
        self._folder, file = os.path.split(path)
        self._adapter = os.path.splitext(file)[0]

    def find_spec(self, name, path=None, target=None):
        described = os.path.exists(os.path.join(self._folder, name + ".toml"))
        if path is not None or name == self._adapter or described:
            return None
        return importlib.machinery.PathFinder.find_spec(name, [self._folder])


def load_adapter(path, name="dlspec_adapter"):
    """The adapter's module, under a name that no library has."""
    if not os.path.isfile(path):
        raise Failed("adapter", f"there is no adapter {os.path.basename(path)}; check the path", path)
    sys.meta_path.append(BesideAdapter(path))
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # No compiled copy beside the adapter: its folder may belong to somebody else.
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    except BaseException as error:
        raise _failure(path, error) from None
    finally:
        sys.dont_write_bytecode = keep
    return module


def _not_installed(package, path, error):
    """Where the adapter, or a module beside it, imports the package, no traceback says more."""
    message = f"{package} is not installed for {sys.executable}; {_REMEDY}"
    name = os.path.splitext(os.path.basename(path))[0].replace("_", "-")
    if facts(path).get("module", name).split(".")[0] == package and facts(path):
        message += f"; `dlspec run {name}@latest` judges the newest release, in an environment of its own"
    importer = os.path.dirname(traceback.extract_tb(error.__traceback__)[-1].filename)
    return Failed("import", message, "" if importer == os.path.dirname(path) else _traceback(path, error))


def _traceback(path, error):
    """From the adapter's own line on: what led there is dlspec's and the interpreter's."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))


def _failure(path, error):
    file = os.path.basename(path)
    detail = _traceback(path, error)
    text = wording.of_exception(error)
    if isinstance(error, SyntaxError):
        message = f"{file} line {error.lineno} is no valid Python ({wording.steady(error.msg)}); correct the adapter"
        return Failed("adapter", message, detail)
    if isinstance(error, NotImplementedError):
        return Failed("device", wording.steady(error) or "this machine lacks what the library needs")
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.split(".")[0]
        return _not_installed(package, path, error)
    if isinstance(error, ImportError):
        message = f"the library does not import ({text}); {_REMEDY}"
        return Failed("import", message, detail)
    return Failed("adapter", f"{file} raised {text} while it was imported; see the traceback", detail)


def facts(path):
    """The texts of the description beside a shipped adapter: key = "value". Lists and other lines are left out.

    tomllib came with Python 3.11; the worker runs in 3.9.
    """
    return dict(re.findall(r'^(\w+) *= *"([^"\\]*)" *$', _description(path), re.MULTILINE))


def distributions(path):
    """Names on the package index under which the library may be installed, without extras; the usual one first."""
    listed = re.search(r"^alternatives *= *\[(.*)\] *$", _description(path), re.MULTILINE)
    texts = [facts(path).get("distribution", ""), *re.findall(r'"([^"]*)"', listed.group(1) if listed else "")]
    return [re.split(r"[\[:]", text)[0] for text in texts if text]


def _description(path):
    try:
        with open(os.path.splitext(path)[0] + ".toml", encoding="utf-8") as description:
            return description.read()
    except OSError:
        return ""
