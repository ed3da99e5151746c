"""The only import there is takes capsules, and refuses a versioned one."""

if hasattr(paddle, "from_dlpack"):
    verdict(False, "this release has paddle.from_dlpack, which asks for versions itself")
source = Source(version=(1, 0))
array, refusal = attempt(lambda: paddle.utils.dlpack.from_dlpack(source.capsule))
verdict(refusal, f"a versioned capsule: {refusal!r}" if refusal else f"imported: {array}")
