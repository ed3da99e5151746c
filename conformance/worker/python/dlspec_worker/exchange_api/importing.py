"""One import through the exchange table, and what became of its tensor."""

from dlspec_worker.trial.waiting import settle


class Imported:
    """Gives the tensor of a capsule to managed_tensor_to_py_object_no_sync, which owns it if it succeeds."""

    def __init__(self, caller, capsule):
        _, self._address = caller.native.locate(capsule)
        self.watch = caller.native.watch(capsule)
        self.watch.take()
        del capsule
        self.answer = caller.import_(self._address)
        self.object = self.answer.facts["object"]
        self.references = self.answer.facts["references"]

    def release_if_left(self):
        """After a failure: releases what the function has not released, as dlspec reads the text."""
        if not self.answer.is_success and self.watch.calls == 0:
            self.watch.release()

    def drop(self):
        """Drops the object, and waits for its release and then a moment for a second one."""
        self.object = self.answer.facts["object"] = None
        if settle(lambda: self.watch.calls > 0):
            settle(lambda: False, seconds=0)
