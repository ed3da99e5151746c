"""What the templates share: a script gets the definitions that it uses, in this order."""

import ctypes
import os
import subprocess
import sys

python = ctypes.PyDLL(None)  # not ctypes.pythonapi, whose types other libraries set
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_pointer = python.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename_capsule = python.PyCapsule_SetName
rename_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor"  # a capsule keeps the address of its name


def verdict(is_there, seen):
    """Ends the process at once: what the fault leaves behind may not survive an orderly end."""
    print(seen)
    print("The fault is there." if is_there else "The fault is not there.")
    sys.stdout.flush()
    os._exit(1 if is_there else 0)


def attempt(call):
    """(what the call returns, None), or (None, what it raises)."""
    try:
        return call(), None
    except Exception as error:
        return None, error.with_traceback(None)


def run_in_a_child(seconds=60):
    """The fault may end the process: the rest of this script runs in a second one."""
    if sys.argv[1:] == ["child"]:
        return
    try:
        status = subprocess.run([sys.executable, __file__, "child"], timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        verdict(True, f"the process did not end within {seconds} s")
    if status > 0:
        sys.exit(2)  # an exception of this script: it could not be tried
    verdict(status != 0, f"the process ended with status {status}")


class Source:
    """A tensor of this script: the numbers 0 to 63, of which shape, strides and byte_offset select some."""

    def __init__(
        self,
        shape=(3,),
        strides=(1,),
        dtype=(kDLFloat, 32, 1),
        device=(kDLCPU, 0),
        byte_offset=0,
        version=None,
        name=None,
        has_deleter=True,
        context=0x1000,  # manager_ctx, which the producer alone knows how to read
    ):
        self.memory = (ctypes.c_float * 80)()
        start = -ctypes.addressof(self.memory) % 64 // 4  # some libraries take only data aligned to 64 bytes
        self.memory[start : start + 64] = range(64)
        self.data = 0 if 0 in shape else ctypes.addressof(self.memory) + 4 * start
        self.shape, self.strides = (ctypes.c_int64 * 8)(*shape), (ctypes.c_int64 * 8)(*strides or ())
        self.releases = []
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.releases.append)
        tensor = DLTensor(
            self.data,
            *device,
            len(shape),
            *dtype,
            ctypes.addressof(self.shape) if shape else 0,
            ctypes.addressof(self.strides) if strides else 0,
            byte_offset,
        )
        deleter = ctypes.cast(self.deleter, ctypes.c_void_p).value if has_deleter else 0
        if version:
            self.managed = DLManagedTensorVersioned(*version, context, deleter, 0, tensor)
        else:
            self.managed = DLManagedTensor(tensor, context, deleter)
        self.name = name or (b"dltensor_versioned" if version else b"dltensor")
        self.capsule = new_capsule(ctypes.addressof(self.managed), self.name, None)
        self.device, self.keywords = device, {}

    def __dlpack__(self, **keywords):
        self.keywords = keywords
        return self.capsule

    def __dlpack_device__(self):
        return self.device


EXCHANGE_API = "__dlpack_c_exchange_api__"


EXCHANGE_FUNCTIONS = [name for name, _ in DLPackExchangeAPI._fields_[3:]]


def table_of(kind):
    """The exchange table that a type publishes."""
    return DLPackExchangeAPI.from_address(capsule_pointer(getattr(kind, EXCHANGE_API), b"dlpack_exchange_api"))


def import_by_table(kind, source, out):
    """(status, None) of managed_tensor_to_py_object_no_sync, which sets `out`; or (None, the exception it left)."""
    address = table_of(kind).managed_tensor_to_py_object_no_sync
    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
    return attempt(lambda: function(ctypes.addressof(source.managed), ctypes.addressof(out)))


def export_by_table(array, out):
    """(status, None) of managed_tensor_from_py_object_no_sync, which sets `out`; or (None, the exception it left)."""
    address = table_of(type(array)).managed_tensor_from_py_object_no_sync
    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(address)
    return attempt(lambda: function(array, ctypes.addressof(out)))


class Recording:
    """An exchange table of this script: what is called of it is recorded, and fails."""

    def __init__(self, version):
        self.calls = []
        called = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.functions = [called(self.answer(name)) for name in EXCHANGE_FUNCTIONS]
        places = [ctypes.cast(each, ctypes.c_void_p).value for each in self.functions]
        self.table = DLPackExchangeAPI(*version, 0, *places)
        self.capsule = new_capsule(ctypes.addressof(self.table), b"dlpack_exchange_api", None)

    def answer(self, name):
        def function(*_):
            self.calls.append(name)
            return -1

        return function
