"""The elements of a tensor on a GPU: gathered there, and copied to the host."""

from dlspec_worker.facts import elements


class Place:
    """Where the elements of an export lie. `facts`: of its struct; ValueError where they say nothing of whole bytes."""

    def __init__(self, facts):
        bits = facts["dtype"][1] * facts["dtype"][2]
        if bits % 8 or facts["shape"] is None or 0 in facts["shape"] or not facts["data"]:
            raise ValueError("there are no elements of whole bytes")
        self.item = bits // 8
        strides = elements.row_major(facts["shape"]) if facts["strides"] is None else facts["strides"]
        self._offsets = [self.item * place for place in elements.places(facts["shape"], strides)]
        self.first = facts["data"] + facts["byte_offset"]
        self.start = self.first + min(self._offsets)
        self.size = max(self._offsets) - min(self._offsets) + self.item
        self.is_compact = list(self._offsets) == list(range(0, self.item * len(self._offsets), self.item))

    def elements(self, machine, stream):
        """The elements in C order, as work on this stream sees them. DriverError where they lie in no memory."""
        if self.is_compact:
            return machine.read(stream, self.start, self.size)
        return machine.gather(stream, [self.first + offset for offset in self._offsets], self.item)
