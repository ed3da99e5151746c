"""Sources on a GPU whose type publishes an exchange table, with a stream of dlspec's and exports that do not wait."""

from dlspec_worker.cuda.source import CudaSource
from dlspec_worker.exchange_api import tables


class Lender:
    """Answers for the functions of the table, and records what was asked of them."""

    def __init__(self):
        self.begin(None)

    def begin(self, stream):
        self.stream_now = stream
        self.was_asked = self.has_exported = False
        self.lent = []

    def export(self, source, attached):
        self.has_exported = True
        return source.unordered()

    def borrow(self, source, attached):
        self.has_exported = True
        self.lent.append(source.unordered())
        return self.lent[-1]

    def import_(self, capsule, attached):
        raise BufferError("nothing is imported here")

    def allocate(self, dtype, shape, device, has_set_error, attached):
        raise BufferError("nothing is allocated here")

    def stream(self, device_type, device_id, attached):
        self.was_asked = True
        return self.stream_now


class _Unordered(CudaSource):
    def unordered(self):
        """A capsule, no stream being ordered after the writer."""
        self.handed_out += 1
        return self._capsule("versioned")


_made = []  # (type, lender): tables live as long as the process


def kind_and_lender(native):
    if not _made:
        lender = Lender()
        capsule = native.api_publish(native.api_table(lender, (1, 3), 0))
        _made.append((type("CudaTableSource", (_Unordered,), {tables.NAME: capsule}), lender))
    return _made[0]
