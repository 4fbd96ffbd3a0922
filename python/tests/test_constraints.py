"""Constraints of all tables, with a class that has TorchRec's fields. Needs nothing but Python."""

from __future__ import annotations

import unittest
from dataclasses import dataclass, field
from typing import List, Optional

import support  # noqa: F401

from shardproof_torchrec.constraints import filled


@dataclass
class Constraints:
    sharding_types: Optional[List[str]] = None
    min_partition: Optional[int] = None
    pooling_factors: List[float] = field(default_factory=lambda: [1.0])


class Filled(unittest.TestCase):
    def test_a_tables_own_keys_stand_before_those_of_all(self) -> None:
        default = Constraints(sharding_types=["table_wise"], min_partition=32)
        own = {"a": Constraints(sharding_types=["row_wise"], pooling_factors=[9.0])}
        found = filled(["a", "b"], own, default)
        self.assertEqual(found["a"], Constraints(["row_wise"], 32, [9.0]))
        self.assertEqual(found["b"], default)
        self.assertIsNot(found["b"].sharding_types, default.sharding_types)
        self.assertEqual(own["a"].min_partition, None, "what was given is not changed")

    def test_without_a_default_there_is_nothing_to_fill(self) -> None:
        own = {"a": Constraints()}
        self.assertEqual(filled(["a", "b"], own, None), own)


if __name__ == "__main__":
    unittest.main()
