"""The library under test: the functions of its adapter, and what the parent is told of it."""

import contextlib
import os
import sys
import sysconfig
import types

from dlspec_worker.channel import loading
from dlspec_worker.facts import wording
from dlspec_worker.facts.dlpack import CPU, is_pair
from dlspec_worker.subject import builds
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import AdapterFault, Unsupported


class Library:
    """Calls the adapter's functions, and raises Unsupported for a missing one and AdapterFault for a wrong one."""

    def __init__(self, adapter, path):
        self._adapter = adapter
        facts = loading.facts(path)
        self.module = sys.modules.get(facts.get("module", "")) or _library_of(adapter)
        self.name = _given_name(adapter) or facts.get("display") or _name_of(path)
        self.loaded_from = _place(self.module) or path
        self.distributions = loading.distributions(path)
        self.provides = [
            name
            for name in (
                "make",
                "odd",
                "to_dlpack",
                "from_dlpack",
                "contents",
                "normalised",
                "write",
                "states",
                "mutate",
            )
            if callable(getattr(adapter, name, None))
        ]
        self.standard = getattr(adapter, "standard", "array-api")
        self.reader = getattr(adapter, "reader", "")  # the library's own function whose result contents() is
        self.dtypes = _names(adapter)
        self.devices = _devices(adapter)
        self.max_rank = getattr(adapter, "max_rank", None)
        self.machine = None  # the GPU of --device
        self.makes = {}  # what nearest.choose found out: kind of array -> None, or why it cannot be made
        self.writable = {}  # what structs.is_writable found out: kind of array -> whether it can be written
        self.takes = {}  # what nearest.choose_taken found out: dtype -> whether it is imported
        self.seconds_when_large = None  # that a look at a large array takes; None until large.large has measured it
        self.reads_null_strides = {}  # struct of a path -> whether a plain tensor without strides is shown rightly
        self.first_asked = {}  # keyword -> its value in the first call of __dlpack__ that this worker saw
        self.said = {}  # stimulus -> rules of which it ordinarily says something
        self.keywords = {}  # of __dlpack__: name -> whether it is known
        self.keeps_last = False  # whether it keeps the last array that it imported
        self.leaks = 0  # imports that were dropped and never released
        self.late_seconds = 0.0  # that releases were waited for which came
        self.late_paths = 0  # paths whose exports were released a little later
        self.drifts = 0  # paths whose exports left references, however long these were waited for
        self.exports_hold = False  # whether an import is never released after it was exported again
        self.readable = {}  # dtype -> whether contents() was right for an array of it that make() gave
        self.write_was_tried = False  # on a read-only array, as far as it has such
        self.uses_table = None  # whether it calls the exchange table of what it imports; None until a case has tried it
        self.keeps_names = None  # None until capsule_names.keeps_names has tested it
        self.maps_anew = None  # whether its exports show the same memory at other addresses; None until tried

    def version(self):
        """As the adapter says, else as the module says; "" when neither does."""
        if callable(getattr(self._adapter, "version", None)):
            version, refusal = attempt(self._adapter.version)
            if refusal:
                raise AdapterFault(f"version() raised {refusal.text}")
            return wording.of_anything(version)
        return wording.of_anything(getattr(self.module, "__version__", ""))

    def roles(self):
        known = (("producer", "make"), ("consumer", "from_dlpack"))
        return [role for role, function in known if function in self.provides]

    def make(self, order):
        """The ordered array, whose contents were checked."""
        return self._holding("make", order, self._call("make", order))

    def odd(self, kind, order):
        """An array that DLPack cannot express in place. The contents of one without a DLPack dtype are not checked."""
        array = self._call("odd", kind, order)
        return array if kind == "dtype" else self._holding("odd", order, array)

    def _holding(self, name, order, array):
        held = self.contents_or_none(array)
        if held is not None and held != order.bytes:
            raise AdapterFault(
                f"contents({name}(...)) is not spec.bytes: {wording.of_bytes(held, order.bytes)}; "
                f"{name} or contents is wrong, nothing was judged"
            )
        return array

    def contents_or_none(self, array):
        """The contents as the array shows them; None when the adapter has no contents()."""
        try:
            return self._bytes_of(array)
        except Unsupported:
            return None

    def imported_contents(self, array):
        """(contents, None) of an array that from_dlpack gave, or (None, reason), because reading may be refused."""
        if "contents" not in self.provides:
            return None, "the adapter has no contents()"
        held, refusal = attempt(self._adapter.contents, array)
        if refusal is None:
            return self._checked_bytes(held), None
        copied = self.normalised(array)  # what a user tries next
        return copied, None if copied is not None else f"contents() raised {refusal.text}"

    def normalised(self, array):
        """The contents of a copy that the library makes, where the adapter reads such a one too; else None."""
        if "normalised" not in self.provides:
            return None
        return attempt(lambda: self._checked_bytes(self._adapter.normalised(array)))[0]

    def refuses_to_read(self, array):
        """The Refusal of contents(), or None, also when there is no such function."""
        return attempt(self._adapter.contents, array)[1] if "contents" in self.provides else None

    def from_dlpack(self, source, **keywords):
        """(array, None) or (None, Refusal)."""
        if "from_dlpack" not in self.provides:
            raise Unsupported("the adapter has no from_dlpack()")
        return attempt(self._adapter.from_dlpack, source, **keywords)

    def to_dlpack(self, array):
        """A capsule by the library's function, where its arrays have no __dlpack__."""
        return self._adapter.to_dlpack(array)

    def states(self, array):
        """name -> the same elements in another state; empty when the adapter has no states()."""
        if "states" not in self.provides:
            return {}
        found = self._call("states", array)
        if not isinstance(found, dict):
            raise AdapterFault(f"states() returned {type(found).__name__}; it must return a dict")
        return found

    def mutate(self, array, kind):
        """Changes the array in place: resize, transpose or reshape. A Refusal, or None."""
        if "mutate" not in self.provides:
            raise Unsupported("the adapter has no mutate()")
        return attempt(self._adapter.mutate, array, kind)[1]

    def makes_read_only(self, order):
        """Whether make() makes the order, which is read-only."""
        return attempt(self.make, order)[1] is None

    def has_no_read_only(self, order):
        """Whether make() refuses the order, which is read-only: who has no such arrays may ignore the flag."""
        return "make" in self.provides and not self.makes_read_only(order)

    def write(self, array, data):
        """Refusal or None. Unsupported when the adapter has no write()."""
        if "write" not in self.provides:
            raise Unsupported("the adapter has no write()")
        return attempt(self._adapter.write, array, data)[1]

    @contextlib.contextmanager
    def on_stream(self, number):
        """While it lasts, the library works on the CUDA stream of this number."""
        act = getattr(self._adapter, "on_stream", None)
        if not callable(act):
            raise Unsupported("the adapter has no on_stream(): nobody can tell on which stream the library works")
        try:
            context = act(number)
        except NotImplementedError as reason:
            raise Unsupported(wording.steady(reason) or "on_stream() is not implemented for this") from None
        with context:
            yield

    def queue_copy(self, array):
        """A copy that the library queues on the stream that it works on, and does not wait for."""
        if not callable(getattr(self._adapter, "queue_copy", None)):
            raise Unsupported("the adapter has no queue_copy()")
        made, refusal = attempt(self._adapter.queue_copy, array)
        if refusal:
            raise Unsupported(f"queue_copy() raised {refusal.text}")
        return made

    def is_written(self, array, data):
        """True when the library let `data` be written into the array and shows it afterwards."""
        if not {"write", "contents"} <= set(self.provides):
            return False  # nothing is written: what nobody can look at could not be put right again
        return self.write(array, data) is None and self.contents_or_none(array) == data

    def _bytes_of(self, array):
        return self._checked_bytes(self._call("contents", array))

    def _checked_bytes(self, held):
        if not isinstance(held, (bytes, bytearray)):
            raise AdapterFault(f"contents() returned {type(held).__name__}; it must return bytes")
        return bytes(held)

    def _call(self, name, *arguments):
        if name not in self.provides:
            raise Unsupported(f"the adapter has no {name}()")
        try:
            return getattr(self._adapter, name)(*arguments)
        except NotImplementedError as reason:
            raise Unsupported(wording.steady(reason) or f"{name}() is not implemented for this") from None
        except MemoryError:
            raise Unsupported(f"{name}() found too little memory") from None
        except BaseException as error:
            raise AdapterFault(
                f"{name}() raised {wording.of_exception(error)}; what the library cannot do is said by "
                "NotImplementedError(reason)"
            ) from None


def _names(adapter):
    """The adapter's `dtypes`: those that make() knows, where that is little; None: not said."""
    told = getattr(adapter, "dtypes", None)
    return None if told is None else tuple(str(name) for name in told)


def _devices(adapter):
    """The adapter's `devices`: where make() makes arrays. The first of them has the arrays of ordinary cases."""
    told = getattr(adapter, "devices", (CPU,))
    if not isinstance(told, (tuple, list)) or not told or not all(is_pair(each) for each in told):
        raise loading.Failed(
            "adapter", f"devices is {told!r}; it must be a tuple of pairs (type, id); correct the adapter"
        )
    return tuple(told)


def _given_name(adapter):
    name = getattr(adapter, "name", "")
    if not isinstance(name, str):
        raise loading.Failed("adapter", f"name is {name!r}; it must be a string; correct the adapter")
    return name


def _name_of(path):
    """What `dlspec init` appends to the library's name says nothing."""
    name = os.path.splitext(os.path.basename(path))[0]
    return name[: -len("_adapter")] if name.endswith("_adapter") and name != "_adapter" else name


def _library_of(adapter):
    """The library that an adapter without a packaging file imports: the only package of others among its names.

    NumPy is the library where there is no other: many adapters make values with it.
    """
    own = os.path.dirname(os.path.abspath(getattr(adapter, "__file__", None) or ""))
    found = {}
    for value in getattr(adapter, "__dict__", {}).values():
        if not isinstance(value, types.ModuleType):
            continue
        name = value.__name__.partition(".")[0]
        package = sys.modules.get(name)
        file = _place(package)
        if file and name != "dlspec" and not _is_of_python(file) and os.path.dirname(file) != own:
            found[name] = package
    if len(found) == 2:
        found.pop("numpy", None)
    return next(iter(found.values())) if len(found) == 1 else None


def _place(package):
    """Its file, or the folder of one without a file of its own, which several distributions share."""
    return getattr(package, "__file__", None) or next(iter(getattr(package, "__path__", ())), None)


def _is_of_python(file):
    standard = sysconfig.get_path("stdlib") + os.sep
    return file.startswith(standard) and not any(part in file for part in ("site-packages", "dist-packages"))


def introduction(library):
    """What the parent is told of a library that was loaded."""
    try:
        version = library.version()
    except AdapterFault as fault:
        raise loading.Failed("adapter", f"{fault}; correct the adapter") from None
    return {
        "pid": os.getpid(),
        "name": library.name,
        "version": version,
        "loaded_from": library.loaded_from,
        "build": builds.text(library.module, library.distributions),
        "python": sys.version.split()[0],
        "roles": library.roles(),
        "standard": library.standard,
        "provides": library.provides,
    }
