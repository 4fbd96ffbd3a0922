"""From one sharding plan to another, with TorchRec's own classes. Skipped where TorchRec is not installed."""

from __future__ import annotations

import unittest
from typing import Any

try:
    import support  # noqa: F401
    from torchrec.distributed.types import (
        EmbeddingModuleShardingPlan,
        EnumerableShardingSpec,
        ParameterSharding,
        ShardingPlan,
        ShardMetadata,
    )

    from shardproof_torchrec.delta import changes
except ImportError as error:
    raise unittest.SkipTest(f"needs TorchRec: {error}") from None


def sharding(kind: str, ranks: list, rows: int = 10, dim: int = 8, kernel: str = "fused") -> Any:
    width = dim // len(ranks)
    shards = [
        ShardMetadata(shard_offsets=[0, k * width], shard_sizes=[rows, width], placement=f"rank:{rank}/cpu")
        for k, rank in enumerate(ranks)
    ]
    return ParameterSharding(kind, kernel, ranks, EnumerableShardingSpec(shards))


def plan(**tables: Any) -> Any:
    return ShardingPlan(plan={"ebc": EmbeddingModuleShardingPlan(tables)})


class Delta(unittest.TestCase):
    def test_tables_whose_shards_change_with_what_their_ranks_receive(self) -> None:
        old = plan(a=sharding("table_wise", [0]), b=sharding("column_wise", [0, 1]), c=sharding("table_wise", [1]))
        new = plan(a=sharding("table_wise", [1]), b=sharding("column_wise", [0, 2]), c=sharding("table_wise", [1]))
        volume, changed = changes(old, new)["ebc"]
        self.assertEqual(sorted(changed), ["a", "b"])
        self.assertEqual(changed["a"], new.plan["ebc"]["a"])
        # All of a, and the one shard of b that moves.
        self.assertEqual(volume, (80 + 40) * 4 / 2**20)

    def test_what_reshard_cannot_do_is_refused_with_all_reasons(self) -> None:
        old = plan(a=sharding("table_wise", [0]), b=sharding("table_wise", [0]), c=sharding("table_wise", [0]))
        new = plan(a=sharding("column_wise", [0, 1]), b=sharding("table_wise", [0], kernel="fused_uvm"))
        with self.assertRaisesRegex(ValueError, "ebc.a is table_wise .* ebc.b is in the kernel .* ebc.c is in the old"):
            changes(old, new)


if __name__ == "__main__":
    unittest.main()
