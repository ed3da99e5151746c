"""The worker's own tables against the tables of the suite."""

import re
import unittest

import testing
from dlspec_worker import exchanges, main
from dlspec_worker.facts import editions
from dlspec_worker.trial import variants


class Tables(unittest.TestCase):
    def test_every_planned_variant_is_known(self):
        planned = {(role, name) for role, name, _ in testing.variants()}
        planned |= {("exchange", name) for name, _ in testing.exchanges()}
        self.assertGreater(len(planned), 130)
        self.assertEqual(sorted(planned), variants.known())

    def test_a_variant_has_one_function(self):
        role, name = variants.known()[0]
        with self.assertRaises(ValueError):
            variants.variant(role, name)(lambda trial: None)

    def test_the_functions_are_found_beside_their_package(self):
        for judging in (main.producer, main.consumer, exchanges.exchange):
            role = judging.__name__.rpartition(".")[2]
            for name in (name for each, name in variants.known() if each == role):
                self.assertTrue(variants.find(role, name).__module__.startswith(judging.__name__ + "."), name)

    def test_editions_are_those_of_the_rule_table(self):
        table = {rule.id: rule for rule in testing.rules().values()}
        self.assertGreater(len(table), 280)
        for rule, year in editions.SINCE.items():
            self.assertEqual(table[rule].interval, f"interval::array_api({year})", rule)
        failing = {rule for rule in editions.SINCE if table[rule].broken == "fail"}
        self.assertEqual(failing, set(editions.FAILING))

    def test_every_planned_rule_of_an_edition_is_known(self):
        table = {rule.id: rule for rule in testing.rules().values()}
        planned = {rule for rules in testing.variants().values() for rule in rules}
        bound = {rule for rule in planned if re.match(r"interval::array_api", table[rule].interval)}
        self.assertEqual(bound - set(editions.SINCE), {"python.max-version-minor-not-binding"} & bound)


if __name__ == "__main__":
    unittest.main()
