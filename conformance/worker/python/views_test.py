"""Views of views, copies of imports, capsules after copies, empty exports, and guard pages beside few elements."""

import copy
import unittest

import asked_again_test
import consumer_test
import producer_test
import testing
from exhibits import consumer_keywords, double_fixtures, doubles


class Viewed:
    """Views lead to the same memory. `forgets`: after how many views an export has no flags; 0 is never."""

    forgets, depth = 0, 0

    @property
    def T(self):  # noqa: N802, the name that libraries give it
        return self.viewed()

    def __getitem__(self, index):
        if index is not Ellipsis:
            raise TypeError("whole views only")
        return self.viewed()

    def viewed(self):
        view = type(self).__new__(type(self))
        view.__dict__.update(vars(self))
        view.depth += 1
        return view

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        if self.forgets and self.depth >= self.forgets:
            doubles.Taken(capsule, rename=False).struct.flags = 0
        return capsule


class Array(Viewed, doubles.Array):
    def answer(self, max_version, copy):
        self.offer("versioned")  # which a view has as well
        return super().answer(max_version, copy)


class ForgetsInViewsOfViews(Array):
    forgets = 2


class ForgetsInViews(Array):
    forgets = 1


class Import(Viewed, consumer_keywords.Exporting):
    pass


class ImportForgetsInViewsOfViews(Import):
    forgets = 2


class Onward(consumer_keywords.Onward):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind


class ImportForEver(consumer_keywords.Exporting):
    """Its exports have no deleter, and keep it."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        doubles.KEPT.append(self)
        return capsule


class KeepsEmpty(doubles.Array):
    """The destructor releases no export without elements."""

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        if 0 in self.order.shape:
            double_fixtures.set_destructor(capsule, "idle destructor")
        return capsule


class Copied(doubles.Import):
    """Clean: a copy keeps the import."""

    def __copy__(self):
        return [self]


class CopiedOwner(doubles.Import):
    """A copy owns the tensor, too."""

    def __copy__(self):
        second = type(self).__new__(type(self))
        second.__dict__.update(vars(self))
        second.taken = copy.copy(self.taken)
        return second


class OfOneName(doubles.Consumer):
    """After copy=True every capsule is named as a legacy one."""

    one_name = b"used_dltensor"

    def from_dlpack(self, source, copy=None, device=None):
        self.copies = copy
        return super().from_dlpack(source, copy)

    def take(self, capsule):
        made = super().take(capsule)
        if self.copies:
            doubles.Taken.set_name(capsule, self.one_name)
        return made


class Views(unittest.TestCase):
    def test_a_flag_that_views_of_views_lose(self):
        for kind, found in ((Array, {}), (ForgetsInViewsOfViews, {"flags.read-only-set"}), (ForgetsInViews, {})):
            answer = producer_test.judge(doubles.Producer("", kind), "read-only", "fortran")
            self.assertEqual(set(testing.violations(answer)), set(found), answer)

    def test_the_same_of_imports(self):
        for kind, found in ((Import, set()), (ImportForgetsInViewsOfViews, {"flags.read-only-propagated"})):
            answer = consumer_test.judge(Onward(kind), "read-only-onward", "readonly", "float32")
            self.assertEqual(set(testing.violations(answer)), found, answer)

    def test_an_import_that_its_exports_keep(self):
        for asked in ("true", "false"):
            answer = consumer_test.judge(Onward(ImportForEver), f"copy={asked}", "c", "float32")
            self.assertEqual(testing.violations(answer), {}, answer)

    def test_a_copy_of_an_import_that_owns_it_too(self):
        for kind, found in ((Copied, set()), (CopiedOwner, {"managed.deleter-once", "managed.keep-all-in-slice"})):
            answer = consumer_test.judge(doubles.Importing(kind), "views")
            self.assertEqual(set(testing.violations(answer)), found, kind)

    def test_guards_beside_few_elements(self):
        for layout in ("empty", "square", "c"):
            answer = consumer_test.judge(doubles.Consumer(), "path:stimulus=guards", layout, "complex64")
            self.assertEqual(answer["outcomes"]["tensor.element-address"]["outcome"], "pass", answer)

    def test_exports_without_elements_that_nobody_consumes(self):
        for kind, found in ((KeepsEmpty, ["capsule.destructor-present"]), (doubles.Array, [])):
            answer = producer_test.judge(doubles.Producer("", kind), "many-unconsumed")
            self.assertEqual(list(testing.violations(answer)), found, answer)

    def test_the_name_after_a_copy(self):
        self.assertEqual(asked_again_test.judge(doubles.Consumer(), "copy=true"), {})
        found = asked_again_test.judge(OfOneName(), "copy=true")
        self.assertEqual(found, {"capsule.renamed-versioned": 'the consumed capsule is named "used_dltensor"'})


if __name__ == "__main__":
    unittest.main()
