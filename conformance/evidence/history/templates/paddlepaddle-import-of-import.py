"""The last release of an import releases an import that it was made of, under a lock that is taken for both.

With the fault the thread waits for itself for good.
"""

run_in_a_child(20)
inner = paddle.from_dlpack(paddle.ones([3]))
outer = paddle.from_dlpack(inner)
del inner
del outer
verdict(False, "both imports were released")
