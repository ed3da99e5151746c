#: keywords table-null-deleter null_deleter=True
#: keywords table-null-deleter=refused code=200, null_deleter=True
#: keywords table-manager_ctx=null manager_ctx=0
#: keywords table-strides-null=1.0 strides=None, version=(1, 0)

#: part imported in table-null-deleter table-null-deleter=refused table-manager_ctx=null uses by_table
#: part imported in table-strides-null=1.0 uses by_table
#: part by_table uses offered
own, refusal = taken(Source())
if refusal:
    verdict(False, f"{refusal!r}")
source = Source(**FIELDS)
source.offer.capsules.append(None)  # in the place of a capsule: the table takes the struct
status, error, array = call_import(own, source.offer)
refusal = (error or RuntimeError(f"status {status}")) if array is None else None
print("refused:" if refusal else "imported:", refusal or type(array).__name__)

#: part recorded uses offer
EXCHANGE_API = "__dlpack_c_exchange_api__"
FUNCTIONS = [name for name, _ in DLPackExchangeAPI._fields_[3:]]


class Recorded:
    """An exchange table of this script, the types that publish it, and what is called of it with objects of others."""

    def __init__(self, version=NEWEST, previous=0, without=(), fails=False):
        self.fails = fails
        self.calls, self.kinds, self.foreign, self.objects, self.lent = [], [], [], {}, []
        call = ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * 2)
        answers = {
            "managed_tensor_from_py_object_no_sync": call(self.export),
            "dltensor_from_py_object_no_sync": call(self.lend),
            "managed_tensor_to_py_object_no_sync": call(lambda *_: self.fail("managed_tensor_to_py_object_no_sync")),
            "managed_tensor_allocator": ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * 4)(
                lambda *_: self.fail("managed_tensor_allocator")
            ),
            "current_work_stream": ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_uint64)(
                self.stream
            ),
        }
        self.answers = answers
        places = [ctypes.cast(answers[name], ctypes.c_void_p).value for name in FUNCTIONS]
        places = [0 if name in without else place for name, place in zip(FUNCTIONS, places)]
        self.table = DLPackExchangeAPI(*version, previous, *places)
        self.capsule = new_capsule(ctypes.addressof(self.table), b"dlpack_exchange_api", None)
        kept.append(self)

    def kind(self):
        """A type of sources that publishes the table."""
        self.kinds.append(type("Published", (Source,), {EXCHANGE_API: self.capsule}))
        return self.kinds[-1]

    def offer_of(self, address):
        source = ctypes.cast(address, ctypes.py_object).value
        if type(source) not in self.kinds:
            self.foreign.append(type(source).__name__)
        return source.offer

    def export(self, address, out):
        self.calls.append("managed_tensor_from_py_object_no_sync")
        if self.fails:
            return -1
        struct = self.offer_of(address).structs["versioned"]
        ctypes.c_uint64.from_address(out).value = ctypes.addressof(struct)
        return 0

    def lend(self, address, out):
        self.calls.append("dltensor_from_py_object_no_sync")
        offer = self.offer_of(address)
        self.lent.append(offer)
        tensor = offer.structs["versioned"].tensor
        ctypes.memmove(out, ctypes.addressof(tensor), ctypes.sizeof(tensor))
        return 0

    def stream(self, device_type, device_id, out):
        self.calls.append("current_work_stream")
        ctypes.c_uint64.from_address(out).value = 0
        return 0

    def fail(self, name):
        self.calls.append(name)
        return -1


#: rule exchange.consumer-fallback in table=fails uses lethal recorded
#: rule died in table=fails uses lethal recorded
recorded = Recorded(fails=True)
array, refusal = taken(recorded.kind()())
verdict(False, f"called: {recorded.calls}; {refusal!r}")
#: rule exchange.header-major-checked uses recorded
recorded = Recorded(version=(2, 0))
array, refusal = taken(recorded.kind()())
verdict(recorded.calls, f"of a table of major version 2 was called: {recorded.calls}")
#: rule exchange.lookup-on-type uses recorded
recorded, source = Recorded(), Source()
setattr(source, EXCHANGE_API, recorded.capsule)
recorded.kinds.append(Source)
array, refusal = taken(source)
verdict(recorded.calls, f"of a table that only the instance has was called: {recorded.calls}")
#: rule exchange.consumer-fallback in table=absent uses recorded
array, refusal = taken(Source())
verdict(refusal, f"an object without a table: {refusal!r}")
#: rule exchange.consumer-fallback in table=minor-99 table=subclass table=older-name uses recorded
recorded = Recorded(version=(1, 99) if VARIANT == "table=minor-99" else NEWEST)
kind = recorded.kind()
if VARIANT == "table=older-name":
    delattr(kind, EXCHANGE_API)
    kind.__c_dlpack_exchange_api__ = ctypes.addressof(recorded.table)
if VARIANT == "table=subclass":
    kind = type("Derived", (kind,), {})
    recorded.kinds.append(kind)
array, refusal = taken(kind())
verdict(
    refusal,
    f"an object of type {kind.__name__} with a table of {recorded.table.major}.{recorded.table.minor}: {refusal!r}",
)
#: rule exchange.consumer-fallback uses recorded
recorded = Recorded(version=(2, 0))
array, refusal = taken(recorded.kind()())
verdict(refusal and not recorded.calls, f"an object with a table of major version 2: {refusal!r}")
#: rule exchange.from-exact-type uses recorded
first, second = Recorded(), Recorded()
for source in (first.kind()(), second.kind()(), first.kinds[0]()):
    taken(source)
verdict(first.foreign or second.foreign, f"objects of another type: {first.foreign + second.foreign}")
#: rule exchange.dltensor-borrowed uses recorded
recorded = Recorded()
array, refusal = taken(recorded.kind()())
before = None if refusal else attempt(contents, array)[0]
for offer in recorded.lent:
    ctypes.memset(offer.first, 0x55, len(spec.bytes))  # control is back at the owner, whose memory may change
after = None if refusal else attempt(contents, array)[0]
verdict(before != after, f"called: {recorded.calls}; what was lent {'shows' if before != after else 'was copied'}")
#: rule exchange.fn-dltensor-nullable uses lethal recorded
#: rule died in table=no-dltensor uses lethal recorded
recorded = Recorded(without=("dltensor_from_py_object_no_sync",))
array, refusal = taken(recorded.kind()())
verdict(False, f"called: {recorded.calls}")
#: rule tensor.element-address in table uses recorded
recorded = Recorded()
array, refusal = taken(recorded.kind()())
found = spec.bytes if refusal else contents(array)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was offered")
#: rule version.major-mismatch-release in table-major=2 uses offered
own, refusal = taken(Source())
offered = Offer(spec, generation="versioned", version=(2, 0))
status, error, array = call_import(own, offered)
verdict(array is not None, f"status {status}, exception {error!r}" if array is None else "imported")
