"""Builds TorchRec's `ShardingPlan` from the JSON of a table-placement plan.

    shardproof export plan.json --to torchrec --module sparse.ebc --out sharding.json

Then, where `sparse.ebc` is the path of the EmbeddingBagCollection (or EmbeddingCollection) inside the model, and in every
process of a job with the plan's number of GPUs, ranks numbered node by node:

    model = DistributedModelParallel(module=model, device=device, plan=load_sharding_plan("sharding.json"), sharders=sharders)

The file has the form of `ShardingPlan._serialize()`: `json.loads` of that text goes through `sharding_plan` too. It says
where tables are, and no more: cache load factors and the like stay in `fused_params` or in the ParameterShardings.
"""

import json
from pathlib import Path

from torchrec.distributed.types import (
    EmbeddingModuleShardingPlan,
    EnumerableShardingSpec,
    ParameterSharding,
    ShardingPlan,
    ShardMetadata,
)


def load_sharding_plan(path: str) -> ShardingPlan:
    """The plan in a file that `export --to torchrec` wrote."""
    return sharding_plan(json.loads(Path(path).read_text()))


def sharding_plan(document: dict) -> ShardingPlan:
    """The plan of every module, by its path inside the model ("" for the model itself)."""
    return ShardingPlan(
        plan={
            path: EmbeddingModuleShardingPlan({name: _parameter_sharding(table) for name, table in tables.items()})
            for path, tables in document["plan"].items()
        }
    )


def _parameter_sharding(table: dict) -> ParameterSharding:
    shards = [ShardMetadata(**shard) for shard in table["shards"] or []]
    return ParameterSharding(
        sharding_type=table["sharding_type"],
        compute_kernel=table["compute_kernel"],
        ranks=table["ranks"],
        # data_parallel has none.
        sharding_spec=EnumerableShardingSpec(shards) if shards else None,
    )
