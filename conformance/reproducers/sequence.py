#: part telling
# Freed memory gets other contents at once, so that its use shows.
if "MALLOC_PERTURB_" not in os.environ:
    os.environ.update(MALLOC_PERTURB_="165", GLIBC_TUNABLES="glibc.malloc.tcache_count=0", PYTHONMALLOC="malloc")
    os.execv(sys.executable, [sys.executable, *sys.argv])
# The library's own names may be the same.
STEP_LIST, STEP_ORDERS, STEP_DTYPES = STEPS, ORDERS, DTYPES

#: part sequence uses export offer
import threading
import weakref

STEP_REQUESTS = {
    "versioned": {"max_version": NEWEST},
    "legacy": {},
    "copy": {"max_version": NEWEST, "copy": True},
    "nocopy": {"max_version": NEWEST, "copy": False},
}
STEP_REFUSED = {"device": {"dl_device": (99, 0)}, "stream": {"stream": 1}, "keyword": {"no_such_keyword": None}}
STEP_VIEWS = {"all": slice(None), "tail": slice(1, None), "alternate": slice(None, None, 2)}
STEP_FUNCTIONS = {"import": ["from_dlpack"], "write": ["write", "contents"], "mutate": ["mutate"]}
READ_ONLY = DLPACK_FLAG_BITMASK_READ_ONLY


class OwnArray:
    """An array of this script, for the library to import."""

    def __init__(self, order):
        global DTYPE
        DTYPE = STEP_DTYPES[order.dtype]
        self.offer, self.exports = Offer(order), 0

    def is_left(self):
        return len(self.offer.calls) != self.exports

    def __dlpack__(self, max_version=None, copy=None, **keywords):
        self.exports += 1
        return self.offer.capsule("versioned" if max_version and max_version[0] >= 1 else "legacy")

    def __dlpack_device__(self):
        return (kDLCPU, 0)


class ForwardedArray:
    """The library's own array, as an object of no known type."""

    def __init__(self, array):
        self.array, self.calls = array, []

    def __dlpack__(self, **keywords):
        capsule = self.array.__dlpack__(**keywords)
        managed = look(capsule)
        managed.capsule = None
        if managed.deleter:
            self.calls.append(counting(managed))
        return capsule

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def is_left(self):
        return not all(self.calls)


class StepArray:
    """`numbers`: of its rows, which arrays and exports of one memory share; `shown`: the bytes of each row."""

    def __init__(self, made, order, root, numbers, shown, own=False):
        self.made, self.order, self.root, self.numbers, self.shown = made, order, root, numbers, shown
        self.own, self.known, self.exported = own, "contents" in globals(), False


class StepExport:
    def __init__(self, capsule, array, path):
        self.capsule, self.array, self.root = capsule, array, array.root
        self.numbers, self.shown = array.numbers, list(array.shown)
        self.managed = look(capsule)
        self.managed.capsule = None  # this script drops it as a step
        tensor = self.managed.tensor
        self.copied = path == "copy" or bool(getattr(self.managed, "flags", 0) & DLPACK_FLAG_BITMASK_IS_COPIED)
        self.calls, self.taken = counting(self.managed), False
        self.described, self.rank = bytes(tensor), tensor.ndim
        self.lists = numbers(tensor.shape, self.rank), numbers(tensor.strides, self.rank)
        self.writable = isinstance(self.managed, DLManagedTensorVersioned) and not self.managed.flags & READ_ONLY

    def wrong(self):
        """What it no longer shows as it was exported; else None."""
        if self.calls:
            return "its deleter was called"
        tensor = self.managed.tensor
        if bytes(tensor) != self.described:
            return "its description has changed"
        if (numbers(tensor.shape, self.rank), numbers(tensor.strides, self.rank)) != self.lists:
            return "its shape or strides have changed"
        if elements(tensor) != b"".join(self.shown):
            return "it shows other elements"
        return None

    def write(self, data):
        tensor = self.managed.tensor
        steps = numbers(tensor.strides, tensor.ndim) or row_major(numbers(tensor.shape, tensor.ndim))
        width = tensor.bits * tensor.lanes // 8
        for n, index in enumerate(itertools.product(*map(range, numbers(tensor.shape, tensor.ndim)))):
            place = tensor.data + tensor.byte_offset + width * sum(i * step for i, step in zip(index, steps))
            ctypes.memmove(place, data[n * width : (n + 1) * width], width)


def rows_of(data, order):
    count = order.shape[0] if order.shape else 1
    return [data[i * len(data) // count : (i + 1) * len(data) // count] for i in range(count)]


class StepSequence:
    """Carries the steps out, and compares every export that lives after each of them."""

    def __init__(self):
        self.arrays, self.exports, self.left, self.turn, self.all = {}, {}, [], 0, []

    def run(self):
        for number, step in enumerate(STEP_LIST):
            if self.can_do(step):
                getattr(self, "do_" + step[0])(*step[1:])
            self.compare(f"after step {number + 1}, {' '.join(step)},")
        for name, made in list(self.exports.items()):
            self.do_release(name, "here") if made.taken else self.do_drop(name)
            self.compare(f"after the release of {name}")
        self.compare_arrays("at the end")
        for array in self.all:
            array.made = None
        self.arrays.clear()
        return self

    def can_do(self, step):
        """Whether the library has the function that this needs, and nothing that it begins with was refused."""
        of = step[2:3] if step[0] in ("view", "import", "export") else step[1:2] if step[0] != "make" else []
        known = {*self.arrays, *self.exports, *globals()}
        return known.issuperset([*of, *STEP_FUNCTIONS.get(step[0], ())])

    def add(self, name, array):
        self.arrays[name] = array
        self.all.append(array)

    def compare(self, when):
        for name, made in self.exports.items():
            wrong = made.wrong()
            if wrong:
                verdict(True, f"{when} {name}: {wrong}")

    def compare_arrays(self, when):
        for name, array in self.arrays.items():
            if array.known and not array.own and contents(array.made) != b"".join(array.shown):
                verdict(True, f"{when} {name} shows other elements than were written to it")

    def do_make(self, name, layout, dtype, origin):
        order = STEP_ORDERS[layout + " " + dtype]
        width = STEP_DTYPES[dtype][1] // 8
        shift = self.turn % max(len(order.bytes) // width, 1) * width
        order = types.SimpleNamespace(**{**vars(order), "bytes": order.bytes[shift:] + order.bytes[:shift]})
        self.turn += 1
        made, refusal = attempt(OwnArray if origin == "own" else make, order)
        if refusal:
            return
        shown = rows_of(order.bytes, order)
        self.add(name, StepArray(made, order, object(), tuple(range(len(shown))), shown, origin == "own"))
        if origin != "own":
            self.watch(self.arrays[name])

    def watch(self, array):
        reference, misfit = attempt(weakref.ref, array.made)
        if misfit is None:
            self.left.append(lambda: array.exported and reference() is not None)

    def do_view(self, name, of, kind):
        array, part = self.arrays[of], STEP_VIEWS[kind]
        made, refusal = attempt(lambda: array.made[part])
        if refusal:
            return
        self.add(name, StepArray(made, array.order, array.root, array.numbers[part], array.shown[part]))

    def do_import(self, name, of, how):
        array = self.arrays[of]
        source = array.made if array.own else ForwardedArray(array.made)
        made, refusal = attempt(from_dlpack, source, **({"copy": True} if how == "copy" else {}))
        if refusal:
            return
        self.add(name, StepArray(made, array.order, array.root, array.numbers, list(array.shown)))
        if contents(made) != b"".join(array.shown):
            verdict(True, f"{name} shows other elements than {of}")
        self.left.append(source.is_left)
        if not array.own:
            source.array = None

    def do_export(self, name, of, path):
        array = self.arrays[of]
        method = getattr(array.made, "__dlpack__", None) or (lambda: to_dlpack(array.made))
        capsule, refusal = attempt(method, **STEP_REQUESTS[path])
        if refusal:
            return
        if any(other.capsule is capsule for other in self.exports.values()):
            verdict(True, f"{name} is the capsule of an export that lives")
        array.exported = True
        self.exports[name] = StepExport(capsule, array, path)
        if not array.known:
            self.exports[name].shown = [elements(self.exports[name].managed.tensor)]

    def do_refuse(self, of, kind):
        attempt(lambda: self.arrays[of].made.__dlpack__(**STEP_REFUSED[kind]))

    def do_take(self, name):
        made = self.exports[name]
        rename_capsule(made.capsule, USED[capsule_name(made.capsule)])
        made.taken = True

    def do_release(self, name, how):
        made = self.exports.pop(name)
        if how == "thread":
            thread = threading.Thread(target=release, args=[made.managed])
            thread.start()
            thread.join()
        else:
            release(made.managed)
        if len(made.calls) > 1:
            verdict(True, f"the deleter of {name} was called {len(made.calls)} times")

    def do_raise(self, name):
        self.do_release(name, "here") if self.exports[name].taken else self.do_drop(name)

    def do_drop(self, name):
        if name.startswith("a"):
            self.arrays.pop(name).made = None
            return
        made = self.exports[name]
        if not made.taken:
            del self.exports[name]
        made.capsule = None

    def do_collect(self):
        gc.collect()
        self.compare_arrays("then")

    def do_mutate(self, name, kind):
        array = self.arrays[name]
        _, refusal = attempt(mutate, array.made, kind)
        if refusal and array.exported and not self.exports and not attempt(mutate, make(array.order), kind)[1]:
            verdict(True, f"after its export {name} refuses {kind}: {refusal!r}")
        if refusal is None:
            for other in self.arrays.values():
                other.known = other.known and other.root is not array.root

    def do_write(self, name, choice):
        holder = (self.arrays if name.startswith("a") else self.exports)[name]
        data, width = b"".join(holder.shown), STEP_DTYPES[self.order_of(holder).dtype][1] // 8
        shift = (1 + (int(choice) + self.turn) % max(len(data) // width - 1, 1)) * width
        data = data[shift:] + data[:shift] if len(data) > width else bytes([data[0] ^ 1]) + data[1:]
        if isinstance(holder, StepArray):
            _, refusal = attempt(write, holder.made, data)
            if refusal or contents(holder.made) != data:
                fresh = make(holder.order)
                works = not attempt(write, fresh, rotated(holder.order, width))[1]
                verdict(holder.exported and works, f"{name} takes nothing that is written to it: {refusal!r}")
        elif holder.writable:
            holder.write(data)
        size = len(data) // len(holder.shown)
        self.follow(holder, [data[i * size : (i + 1) * size] for i in range(len(holder.shown))])

    def order_of(self, holder):
        return holder.order if isinstance(holder, StepArray) else holder.array.order

    def follow(self, writer, shown):
        """Whoever shares the memory shows the new elements; a copy, and whoever has left it, the old ones."""
        changes = dict(zip(writer.numbers, shown))
        writer.shown = shown
        if getattr(writer, "copied", False):
            return
        for other in [*self.arrays.values(), *self.exports.values()]:
            if other is writer or other.root is not writer.root or getattr(other, "copied", False):
                continue
            wanted = [changes.get(number, old) for number, old in zip(other.numbers, other.shown)]
            if isinstance(other, StepArray):
                found = None if other.own or not other.known else contents(other.made)
            else:
                found = None if other.calls else elements(other.managed.tensor)
            if found == b"".join(wanted):
                other.shown = wanted


def rotated(order, width):
    return order.bytes[width:] + order.bytes[:width]


def left_of(sequences):
    gc.collect()
    return sum(any(is_left() for is_left in each.left) for each in sequences)


first = StepSequence().run()
if left_of([first]):
    more = [StepSequence().run() for _ in range(16)]
    verdict(left_of(more) == 16, f"after 16 repetitions {left_of(more)} have left something that was not released")
verdict(False, "every export was as it must be")
