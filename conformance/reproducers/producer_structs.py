#: rule version.filled uses exported
verdict(versioned and version[0] == 0, f"version {version}")
#: rule version.major-published uses exported
verdict(version[0] > NEWEST[0], f"version {version}")
#: rule version.truthful-minor uses exported
held = [(DTYPE_CODES, tensor.code), (DEVICES, tensor.device_type), *((FLAGS, bit) for bit in FLAGS if flags & bit)]
since = max(table.get(value, (0, 1)) for table, value in held)
verdict(versioned and version < since, f"version {version}, what it holds is of {since}")
#: rule abi.device-type-32bit uses exported
verdict(not 0 <= tensor.device_type <= 255, f"device_type {tensor.device_type:#x}")
#: rule abi.shape-int64 uses export
capsule = export(make(spec), **KEYWORDS)
tensor = look(capsule).tensor
verdict(
    tensor.shape % 8 or tensor.strides % 8,
    f"the addresses of shape and strides modulo 8: {tensor.shape % 8}, {tensor.strides % 8}",
)
#: rule device.type-known uses exported
verdict(tensor.device_type not in DEVICES, f"device_type {tensor.device_type}")
#: rule device.id-zero-host uses exported
verdict(tensor.device_type in HOST_DEVICES and tensor.device_id > 0, f"device_id {tensor.device_id} of host memory")
#: rule device.id-nonnegative uses exported
verdict(tensor.device_id < 0, f"device_id {tensor.device_id}")
#: rule device.cpu-dereferenceable uses exported
verdict(0 < tensor.data + tensor.byte_offset < 4096, f"element 0 lies at address {tensor.data + tensor.byte_offset}")
#: rule dtype.code-known uses exported
verdict(tensor.code not in DTYPE_CODES, f"dtype code {tensor.code}")
#: rule dtype.bits-nonzero dtype.bits-overflow-refused uses exported
verdict(tensor.bits == 0, f"{tensor.bits} bits")
#: rule dtype.lanes-positive uses exported
verdict(tensor.lanes == 0, f"{tensor.lanes} lanes")
#: rule dtype.float-is-ieee uses exported
verdict(
    tensor.code == kDLFloat and tensor.bits not in (16, 32, 64, 128, 160, 192, 224),
    f"code {tensor.code} with {tensor.bits} bits",
)
#: rule dtype.bfloat-width dtype.complex-total-bits dtype.bool-bits-8 dtype.fp8-bits-8 dtype.fp6-bits-6 uses exported
#: rule dtype.fp4-bits-4 uses exported
verdict(tensor.code == DTYPE[0] and tensor.bits != DTYPE[1], f"code {tensor.code} with {tensor.bits} bits")
#: rule dtype.opaque-refused uses exported
verdict(tensor.code == kDLOpaqueHandle, f"dtype code {tensor.code}")
#: rule dtype.truthful dtype.subbyte-int dtype.fp8-variants-distinct dtype.complex32-is-fp16-pair uses exported
verdict(dtype != DTYPE, f"(code, bits, lanes) = {dtype}, where {DTYPE} was requested")
#: rule dtype.lanes-not-folded uses exported
verdict(tensor.lanes > 1 and shape[-1:] == [spec.shape[-1] * tensor.lanes], f"{tensor.lanes} lanes and shape {shape}")
#: rule tensor.ndim-nonnegative uses exported
verdict(tensor.ndim < 0, f"ndim {tensor.ndim}")
#: rule tensor.ndim0-is-scalar uses exported
verdict(tensor.ndim == 0 and not tensor.data, f"ndim {tensor.ndim}, data {tensor.data:#x}")
#: rule tensor.shape-nonnull uses exported
verdict(tensor.ndim > 0 and not tensor.shape, f"ndim {tensor.ndim}, shape {'not ' * bool(tensor.shape)}NULL")
#: rule tensor.shape-truthful uses exported
verdict(shape != list(spec.shape), f"shape {shape}, where {list(spec.shape)} was requested")
#: rule tensor.extent-nonnegative uses exported
verdict(any(extent < 0 for extent in shape), f"shape {shape}")
#: rule tensor.numel-no-overflow uses exported
count = 1
for extent in shape:
    count *= extent
verdict(count * max(width, 8) // 8 > 2**63 - 1, f"{count} elements")
#: rule tensor.strides-no-overflow uses exported
ways = [(extent - 1) * stride * width // 8 for extent, stride in zip(shape, strides)]
low, high = (first_element(tensor) + sum(limit(0, way) for way in ways) for limit in (min, max))
verdict(low < 0 or high >= 2**64 or high - low >= 2**63, f"elements from address {low:#x} to {high:#x}")
#: rule tensor.strides-not-null uses exported
verdict(
    version >= (1, 2) and tensor.ndim > 0 and not tensor.strides,
    f"strides {strides if tensor.strides else 'NULL'} under version {version}",
)
#: rule tensor.strides-unit uses exported
right = list(spec.strides) if spec.strides else row_major(list(spec.shape))
verdict(strides == [step * width // 8 for step in right], f"strides {strides}, in elements {right}")
#: rule tensor.data-256-aligned uses exported
verdict(tensor.data % 256, f"data modulo 256 is {tensor.data % 256}")
#: rule tensor.data-null-when-empty uses exported
verdict(0 in shape and tensor.data, f"shape {shape}, data {tensor.data:#x}")
#: rule tensor.data-nonnull-nonempty uses exported
verdict(0 not in shape and not tensor.data, f"shape {shape}, data {tensor.data:#x}")
#: rule managed.deleter-null-meaning uses exported
verdict(not managed.deleter, f"deleter {managed.deleter:#x}")
#: rule flags.undefined-bits-zero uses exported
verdict(flags & ~KNOWN_FLAGS, f"flags {flags:#x}")
#: rule flags.read-only-set uses exported
verdict(
    spec.readonly and not flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED),
    f"flags {flags:#x} of a read-only array",
)
#: rule flags.read-only-truthful uses exported
verdict(not spec.readonly and flags & DLPACK_FLAG_BITMASK_READ_ONLY, f"flags {flags:#x} of an ordinary array")
#: rule flags.padded-only-subbyte uses exported
verdict(
    flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED and tensor.bits >= 8, f"flags {flags:#x} with {tensor.bits} bits"
)
#: rule flags.padded-set-when-padded uses exported
has_a_byte_each = bytes(ctypes.string_at(first_element(tensor), 2)) != spec.bytes[:2]
verdict(
    tensor.bits < 8 and has_a_byte_each and not flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
    f"flags {flags:#x}; each element occupies a byte",
)
#: rule flags.is-copied-set uses exported
shared = first_element(look(export(array, max_version=NEWEST)).tensor) == first_element(tensor)
verdict(
    not shared and not flags & DLPACK_FLAG_BITMASK_IS_COPIED,
    f"flags {flags:#x} of {'shared memory' if shared else 'a copy'}",
)
#: rule flags.is-copied-honest uses exported
shared = first_element(look(export(array, max_version=NEWEST)).tensor) == first_element(tensor)
verdict(
    shared and flags & DLPACK_FLAG_BITMASK_IS_COPIED, f"flags {flags:#x} of {'shared memory' if shared else 'a copy'}"
)

#: rule tensor.element-address dtype.complex-interleaved dtype.bool-bytes-0-1 tensor.row-major-dims uses exported
#: rule tensor.overlap-read-ok uses exported
found = elements(tensor)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.subbyte-bit-order dtype.subbyte-packed-default uses exported
found = elements(tensor, flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.native-endian in max_version=1.3 plain uses exported
found = elements(tensor)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.native-endian in byte-order uses export
#: rule tensor.strides-whole-elements uses export
#: rule device.single in sparse uses export
#: rule device.single in distributed uses export
capsule, refusal = attempt(export, odd(VARIANT, spec), max_version=NEWEST)
found = b"" if refusal else elements(look(capsule).tensor)
verdict(
    not refusal and found != spec.bytes, f"{refusal!r}" if refusal else f"elements {found.hex()} of {spec.bytes.hex()}"
)
#: rule dtype.unsupported-buffererror uses export
capsule, refusal = attempt(export, odd("dtype", spec), max_version=NEWEST)
verdict(refusal and not isinstance(refusal, BufferError), f"{refusal!r}")
#: rule dtype.array-api-set python.export-buffererror uses export
array = make(spec)
for keywords in ({"max_version": NEWEST}, {}):
    capsule, refusal = attempt(export, array, **keywords)
    if refusal and (RULE.startswith("dtype") or not isinstance(refusal, BufferError)):
        verdict(True, f"{refusal!r}")
verdict(False, "an export" if refusal is None else f"{refusal!r}")
