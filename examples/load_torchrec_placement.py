"""Builds TorchRec's `ShardingPlan` from the JSON of a table-placement plan.

    shardproof export plan.json --to torchrec --module sparse.ebc --out sharding.json

Then, where `sparse.ebc` is the path of the EmbeddingBagCollection (or EmbeddingCollection) inside the model, and in every
process of a job with the plan's number of GPUs, ranks numbered node by node:

    model = DistributedModelParallel(module=model, device=device, plan=load_sharding_plan("sharding.json"), sharders=sharders)

The file has the form of `ShardingPlan._serialize()`: `json.loads` of that text goes through `sharding_plan` too. Beside the
shards it has what the instance says of a table's cache, output type, bounds check, rounding and key-value store; the plan's
costs hold with these, and the runtime prefers them to the sharder's `fused_params`.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

from torchrec.distributed import types
from torchrec.distributed.types import (
    EmbeddingModuleShardingPlan,
    EnumerableShardingSpec,
    ParameterSharding,
    ShardingPlan,
    ShardMetadata,
)
from torchrec.modules.embedding_configs import DataType


def load_sharding_plan(path: str) -> ShardingPlan:
    """The plan in a file that `export --to torchrec` wrote."""
    return sharding_plan(json.loads(Path(path).read_text()))


def load_changed_shards(path: str) -> dict[str, tuple[float, EmbeddingModuleShardingPlan]]:
    """What `delta --to torchrec` wrote, for `DistributedModelParallel.reshard`:

        changed = load_changed_shards("changed.json")
        for module in changed:
            model.reshard(changed, sharded_module_fqn=module)
    """
    document = json.loads(Path(path).read_text())["changed_shard_to_params"]
    plan = sharding_plan({"plan": {module: tables for module, (_, tables) in document.items()}}).plan
    return {module: (volume, plan[module]) for module, (volume, _) in document.items()}


def sharding_plan(document: dict) -> ShardingPlan:
    """The plan of every module, by its path inside the model ("" for the model itself)."""
    return ShardingPlan(
        plan={
            path: EmbeddingModuleShardingPlan({name: _parameter_sharding(name, table) for name, table in tables.items()})
            for path, tables in document["plan"].items()
        }
    )


def _parameter_sharding(name: str, table: dict) -> ParameterSharding:
    nodes = table.get("num_nodes", 1)
    if nodes > 1 and "num_nodes" not in {field.name for field in dataclasses.fields(ParameterSharding)}:
        raise ValueError(f"{name} is cut over {nodes} nodes (num_nodes, torchrec#4681), which this TorchRec cannot carry out")
    shards = [ShardMetadata(**shard) for shard in table["shards"] or []]
    return ParameterSharding(
        sharding_type=table["sharding_type"],
        compute_kernel=table["compute_kernel"],
        ranks=table["ranks"],
        # data_parallel has none.
        sharding_spec=EnumerableShardingSpec(shards) if shards else None,
        **{key: make(table[key]) for key, make in _PARAMETERS.items() if table.get(key) is not None},
    )


def _cache_params(given: dict) -> Any:
    made = {
        "algorithm": lambda name: types.CacheAlgorithm[name],
        "precision": lambda name: DataType[name],
        "multipass_prefetch_config": lambda config: types.MultiPassPrefetchConfig(**config),
    }
    return types.CacheParams(**{key: made[key](value) if key in made else value for key, value in given.items()})


# Of a ParameterSharding, beside where the shards are. A release that does not know one of them raises, rather than run another
# plan than this.
_PARAMETERS = {
    "cache_params": _cache_params,
    "enforce_hbm": bool,
    "stochastic_rounding": bool,
    "bounds_check_mode": lambda name: types.BoundsCheckMode[name],
    "output_dtype": lambda name: DataType[name],
    "num_nodes": int,
    "key_value_params": lambda given: types.KeyValueParams(**given),
}
