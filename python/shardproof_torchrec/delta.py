"""From one sharding plan to another, as TorchRec's `DistributedModelParallel.reshard` takes it."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Sequence, Tuple

from torchrec.distributed.types import EmbeddingModuleShardingPlan, ShardingPlan

#: TorchRec's `changed_shard_to_params`: by module the MiB that move, and the new sharding of every table that changes.
Changes = Dict[str, Tuple[float, EmbeddingModuleShardingPlan]]

#: What `reshard` can move (torchrec/distributed/sharding/dynamic_sharding.py, 1.9).
MOVABLE = ("table_wise", "column_wise")

Box = Tuple[int, int, int, int]


def changes(old: ShardingPlan, new: ShardingPlan, element_bytes: int = 4) -> Changes:
    """The tables whose shards change, module by module, for `model.reshard(changed, sharded_module_fqn=module)`.

    The MiB are those of the weights that a rank receives: the elements of its new shards less those that it holds. Raises
    `ValueError`, with all reasons, for what TorchRec's `reshard` does not do: other tables, sharding types or kernels, or
    shards that are neither table-wise nor column-wise; then write a checkpoint and load it under the new plan.
    """
    refused: List[str] = []
    found: Changes = {}
    for module in sorted({*old.plan, *new.plan}):
        before: Any = old.plan.get(module, {})
        after: Any = new.plan.get(module, {})
        changed, moved = {}, 0
        for name in sorted({*before, *after}):
            if name not in before or name not in after:
                refused.append(f"{module}.{name} is in the {'new' if name in after else 'old'} plan alone")
                continue
            was, now = before[name], after[name]
            if was == now:
                continue
            why = _why_not(was, now)
            if why is not None:
                refused.append(f"{module}.{name} {why}")
                continue
            changed[name] = copy.deepcopy(now)
            moved += _received(_boxes(was), _boxes(now))
        if after:
            found[module] = (moved * element_bytes / 2**20, EmbeddingModuleShardingPlan(changed))
    if refused:
        raise ValueError(f"TorchRec's reshard cannot do this: {'; '.join(refused)}")
    return found


def _why_not(was: Any, now: Any) -> Any:
    if was.sharding_type != now.sharding_type:
        return f"is {was.sharding_type} and becomes {now.sharding_type}"
    if now.sharding_type not in MOVABLE:
        return f"is {now.sharding_type}"
    if was.compute_kernel != now.compute_kernel:
        return f"is in the kernel {was.compute_kernel} and comes into {now.compute_kernel}"
    return None


def _boxes(sharding: Any) -> Sequence[Tuple[int, Box]]:
    """Of every shard its rank, its rows and its columns from and to."""
    return [
        (rank, (row, row + rows, column, column + columns))
        for rank, shard in zip(sharding.ranks, sharding.sharding_spec.shards)
        for (row, column), (rows, columns) in [(shard.shard_offsets, shard.shard_sizes)]
    ]


def _received(before: Sequence[Tuple[int, Box]], after: Sequence[Tuple[int, Box]]) -> int:
    """Elements of new shards that their ranks do not hold."""
    total = 0
    for rank, box in after:
        held = sum(_shared(box, own) for holder, own in before if holder == rank)
        total += (box[1] - box[0]) * (box[3] - box[2]) - held
    return total


def _shared(a: Box, b: Box) -> int:
    rows = min(a[1], b[1]) - max(a[0], b[0])
    columns = min(a[3], b[3]) - max(a[2], b[2])
    return max(0, rows) * max(0, columns)
