"""PaddlePaddle without CUDA: a tensor on a CUDA device ends the process.

Exit status 0: the fault is not there. With the fault the process ends by SIGSEGV.
"""

import paddle


class Source:
    def __dlpack__(self, **keywords):
        raise BufferError("asked with " + repr(keywords))

    def __dlpack_device__(self):
        return (2, 0)  # kDLCUDA


try:
    paddle.from_dlpack(Source())
except Exception as error:
    print(f"{type(error).__name__}: {error}")
