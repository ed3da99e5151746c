"""Producers on a GPU with an exchange table, each with one fault in one of its functions."""

from dlspec_worker.exchange_api import tables

from exhibits import cuda_doubles, doubles
from exhibits.cuda_doubles import CUDA, CudaArray, CudaImport, CudaLibrary, gpu, working
from exhibits.double_fixtures import native


class Table:
    """What the functions of the one table answer, for the class of the arrays that were made last."""

    kind = None

    def export(self, array, attached):
        return array.exported()

    def borrow(self, array, attached):
        array.lent = array.borrowed()
        return array.lent

    def import_(self, capsule, attached):
        return self.kind.imported(capsule)

    def allocate(self, dtype, shape, device, has_set_error, attached):
        raise BufferError("nothing is allocated here")

    def stream(self, device_type, device_id, attached):
        if (device_type, device_id) != CUDA:
            raise BufferError("there is no such device")
        return self.kind.current()


class CudaTableArray(CudaArray):
    """An array whose type publishes a table that keeps every rule."""

    lent = None

    def __init__(self, order):
        super().__init__(order)
        Table.kind = type(self)

    # What a fault changes.

    @classmethod
    def current(cls):
        """The stream that the library works on."""
        return working[-1]

    def exported(self):
        return self.described("versioned", self.place, 0)

    def borrowed(self):
        return self.described("versioned", self.place, 0)

    @classmethod
    def imported(cls, capsule):
        return CudaImport(doubles.Taken(capsule), working[-1])


setattr(CudaTableArray, tables.NAME, native.api_publish(native.api_table(Table(), (1, 3), 0)))


class AnyStream(CudaTableArray):
    """Whatever the library works on, the legacy default stream is named."""

    @classmethod
    def current(cls):
        return cuda_doubles.LEGACY


class NoStream(CudaTableArray):
    @classmethod
    def current(cls):
        return None


class ExportWaits(CudaTableArray):
    def exported(self):
        cuda_doubles.wait_on_host(self.pending)
        return super().exported()


class BorrowOrders(CudaTableArray):
    def borrowed(self):
        self.legacy_default()
        return super().borrowed()


class ImportWaits(CudaTableArray):
    @classmethod
    def imported(cls, capsule):
        cuda_doubles.gpu.settle()
        return super().imported(capsule)


class CudaTableLibrary(CudaLibrary):
    """A consumer that takes what has a table by its table, and works on the stream that it names."""

    def from_dlpack(self, source, copy=None, device=None):
        found = tables.table_of(native, source)
        if found is None or isinstance(source, CudaArray):
            return super().from_dlpack(source, copy=copy, device=device)
        gpu.use()
        stream = native.api_stream(found.functions[tables.STREAM], CUDA, 0)["stream"]
        capsule = native.api_export(found.functions[tables.EXPORT], source)["capsule"]
        made = CudaImport(doubles.Taken(capsule), self.worked_on(stream))
        self.taken_over(stream)
        return made

    # What a fault changes.

    def worked_on(self, stream):
        """The stream that an import by the table is read on."""
        return stream

    def taken_over(self, stream):
        """The last thing that is done with the stream of the table."""


class WorksElsewhere(CudaTableLibrary):
    def worked_on(self, stream):
        return working[-1]


class DestroysTheirs(CudaTableLibrary):
    """The stream is destroyed as if it were the library's."""

    def taken_over(self, stream):
        gpu.destroy(stream)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("exchange.stream-current", "producer", "AnyStream", "CudaTableArray"),
    ("exchange.stream-current", "producer", "NoStream", "CudaTableArray"),
    ("exchange.no-sync", "producer", "ExportWaits", "CudaTableArray"),
    ("exchange.no-sync", "producer", "BorrowOrders", "CudaTableArray"),
    ("exchange.no-sync", "producer", "ImportWaits", "CudaTableArray"),
    ("exchange.stream-not-owned", "consumer", "DestroysTheirs", "CudaTableLibrary"),
    ("exchange.n0-run-on-stream", "consumer", "WorksElsewhere", "CudaTableLibrary"),
)
