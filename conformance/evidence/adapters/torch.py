"""PyTorch 2.0 and later."""

import struct

import ordered_memory
import refusals
import torch

NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128 "
    "float8_e4m3fn float8_e5m2"
)
DTYPES = {name: getattr(torch, name) for name in NAMES.split() if hasattr(torch, name)}


def version():
    return torch.__version__


def make(spec):
    refusals.check(spec, "this release of torch", DTYPES, strides="not negative")
    if spec.strides is None:
        return moved(tensor_of(spec.bytes, DTYPES[spec.dtype]), spec.device).reshape(spec.shape)
    memory = moved(tensor_of(ordered_memory.of(spec), DTYPES[spec.dtype]), spec.device)
    return memory.as_strided(spec.shape, spec.strides, spec.offset)


CPU, CUDA, PINNED = 1, 2, 3


def moved(tensor, device):
    """The tensor in the memory that a device stands for."""
    if device[0] == CPU:
        return tensor
    if device[0] not in (CUDA, PINNED):
        raise NotImplementedError(f"torch has no memory of device type {device[0]}")
    if not torch.cuda.is_available():
        raise NotImplementedError("this build of torch has no CUDA, or finds no GPU")
    return tensor.pin_memory() if device[0] == PINNED else tensor.to(torch.device("cuda", device[1]))


def tensor_of(data, dtype):
    return torch.frombuffer(bytearray(data), dtype=dtype).clone() if data else torch.empty(0, dtype=dtype)


def from_dlpack(source, **kwargs):
    return torch.from_dlpack(source, **kwargs)


def contents(tensor):
    """Element by element at the tensor's own strides: a copy that the library makes could hide a wrong import."""
    held = tensor.detach().resolve_conj().resolve_neg()
    held = torch.view_as_real(held) if held.dtype == torch.complex128 else held
    dtype, letter = INTEGERS[held.element_size()]
    numbers = list(flat(held.view(dtype).tolist()))
    return struct.pack(f"={len(numbers)}{letter}", *numbers)


INTEGERS = {1: (torch.int8, "b"), 2: (torch.int16, "h"), 4: (torch.int32, "i"), 8: (torch.int64, "q")}


def flat(numbers):
    if not isinstance(numbers, list):
        return [numbers]
    return (number for part in numbers for number in flat(part))


def normalised(tensor):
    return bytes(tensor.contiguous().reshape(-1).view(torch.uint8).tolist())


def on_stream(number):
    return torch.cuda.stream(torch.cuda.ExternalStream(number))


def queue_copy(tensor):
    return tensor.clone()


def write(tensor, data):
    tensor.copy_(tensor_of(data, tensor.dtype).reshape(tensor.shape))


def states(tensor):
    """Views whose memory holds the conjugate or the negative of what they show, and a tensor with gradients."""
    found = {}
    if tensor.is_complex():
        found["conjugate"] = tensor.conj().resolve_conj().conj()
    if tensor.dtype in (torch.float32, torch.float64):
        found["negative"] = torch.complex(torch.zeros_like(tensor), -tensor).conj().imag
        found["gradient"] = tensor.clone().requires_grad_()
    return found


def mutate(tensor, kind):
    if kind == "resize":
        tensor.resize_(4 * max(1, tensor.numel()))  # a larger storage, so that the memory is another one
    elif kind == "reshape":
        tensor.unsqueeze_(0)
    else:
        tensor.transpose_(0, -1)


standard = "dlpack"
