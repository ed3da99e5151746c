"""Safe reads of this process's memory."""

import ctypes
import unittest

import testing  # noqa: F401
from dlspec_worker.observing import memory


class Memory(unittest.TestCase):
    def test_what_is_there(self):
        text = ctypes.create_string_buffer(b"elements")
        self.assertTrue(memory.is_visible())
        self.assertEqual(memory.peek(ctypes.addressof(text), 8), b"elements")

    def test_what_is_not_there(self):
        for address in (0, 1, 4095, (1 << 47) - 8, 1 << 63, -8):
            self.assertIsNone(memory.peek(address, 8), address)

    def test_functions_and_data(self):
        function = ctypes.cast(ctypes.PyDLL(None).PyErr_Clear, ctypes.c_void_p).value
        self.assertTrue(memory.is_code(function))
        late = ctypes.CFUNCTYPE(None)(lambda: None)
        self.assertTrue(memory.is_code(ctypes.cast(late, ctypes.c_void_p).value))
        for address in (id(memory), ctypes.addressof(ctypes.c_int(1)), 0, 64):
            self.assertFalse(memory.is_code(address))


if __name__ == "__main__":
    unittest.main()
