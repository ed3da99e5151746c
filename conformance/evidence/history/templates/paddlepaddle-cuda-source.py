"""A tensor on a CUDA device ends the process of a build without CUDA."""


class CudaSource:
    def __dlpack__(self, **keywords):
        raise BufferError("asked with " + repr(keywords))

    def __dlpack_device__(self):
        return (kDLCUDA, 0)


run_in_a_child()
array, refusal = attempt(lambda: paddle.from_dlpack(CudaSource()))
verdict(False, repr(refusal))
