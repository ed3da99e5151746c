"""The second item of __dlpack_device__ is no number."""

device = paddle.to_tensor([1.0]).__dlpack_device__()
verdict(not isinstance(device[1], int), f"__dlpack_device__() returned {device}")
