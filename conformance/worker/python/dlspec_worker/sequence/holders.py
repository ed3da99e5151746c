"""Arrays and exports of a sequence, and what each of them must show: elements by the first axis.

An element row that two holders share has one number. Whether a holder shares memory with the one that it was made of
is not asked but seen: a write shows in it, or it does not (`link` is True or False from then on).
"""


class Root:
    """What was made of one `make`: the array, its views, exports and imports."""

    def __init__(self, order, layout, dtype):
        self.order, self.layout, self.dtype = order, layout, dtype
        self.holders = []

    def forget(self):
        """Breaks the cycles, so that nothing waits for the garbage collector."""
        for holder in self.holders:
            holder.root = holder.parent = None
            holder.children = []
            if holder.is_array:
                holder.made, holder.lent = None, []
            else:
                holder.array = None
        self.holders = []


class Holder:
    """`rows`: (number of each row, bytes of each row). `link`: whether it shares memory with its parent, or None."""

    is_array = False

    def __init__(self, root, parent, numbers, shown, link):
        self.root, self.parent, self.numbers, self.shown, self.link = root, parent, numbers, shown, link
        self.children = []
        self.alive = True
        root.holders.append(self)
        if parent is not None:
            parent.children.append(self)

    @property
    def expected(self):
        return b"".join(self.shown)

    def neighbours(self):
        """(holder, link) of those that may share memory with it."""
        if self.parent is not None:
            yield self.parent, self.link
        for child in self.children:
            yield child, child.link


class Array(Holder):
    is_array = True

    def __init__(self, root, parent, numbers, shown, made, link=None):
        super().__init__(root, parent, numbers, shown, link)
        self.made = made  # the library's object; None once it is dropped
        self.is_own = False  # dlspec's own array
        self.is_import = False  # made by from_dlpack, or a view of such a one
        self.was_exported = False
        self.is_kept = False  # by an export that nobody releases
        self.is_opaque = False  # changed in place: what it shows is not known any more
        self.is_torn = False  # a change was refused and may be half made: PyTorch's resize_ sets the shape first
        self.recipe = ()  # the views that lead to it from a fresh array; None for an import
        self.lent = []  # the exports that an import was made of
        self.references = 0  # to the library's object when it was made


class Export(Holder):
    def __init__(self, array, number, capsule, facts, copied):
        super().__init__(array.root, array, array.numbers, list(array.shown), False if copied else None)
        self.array, self.number, self.capsule = array, number, capsule
        self.generation, self.flags, self.first, self.shape, _, self.null_deleter, self.compiled = facts
        self.is_kept = False  # by an export of its import that nobody releases
        self.copied = copied  # why its elements are its own: "asked", "flagged", or ""
        self.state = "capsule"  # capsule, taken, lent, gone
        self.was_taken = False


def rows_of(data, order):
    """The bytes of each row along the first axis; a scalar has one."""
    count = order.shape[0] if order.shape else 1
    width = len(data) // count if count else 0
    return [data[i * width : (i + 1) * width] for i in range(count)]


def follow_write(writer, shown, read):
    """Notes what the writer shows now, and finds out in which holders that shows.

    read(holder): its bytes now, or None. Returns the holders whose elements changed, the writer included, and those
    that show neither the old nor the new elements.
    """
    changes = dict(zip(writer.numbers, shown))
    writer.shown = list(shown)
    changed, torn, seen, open_ = [writer], [], {id(writer)}, [writer]
    while open_:
        for holder, link in open_.pop().neighbours():
            if link is False or id(holder) in seen:
                continue
            seen.add(id(holder))
            wanted = [changes.get(number, old) for number, old in zip(holder.numbers, holder.shown)]
            found = read(holder) if holder.alive and wanted != holder.shown else None
            if found is None or found == b"".join(wanted):
                if found is not None:
                    changed.append(holder)
                    _confirm(holder, writer)
                holder.shown = wanted
                open_.append(holder)
            elif found == holder.expected:
                _cut(holder, writer)
            else:
                torn.append(holder)
    return changed, torn


def _confirm(holder, writer):
    if holder.parent is writer:
        holder.link = True
    elif writer.parent is holder:
        writer.link = True


def _cut(holder, writer):
    """The holder did not follow: it has memory of its own from now on."""
    if holder.parent is not None and not _leads_to(holder, writer):
        holder.link = False
    else:
        # The writer, or one between, left the memory of its parent.
        while writer.parent is not None and writer.parent is not holder:
            writer = writer.parent
        if writer.parent is holder:
            writer.link = False


def _leads_to(ancestor, holder):
    while holder is not None:
        if holder is ancestor:
            return True
        holder = holder.parent
    return False
