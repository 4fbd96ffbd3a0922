"""TorchRec's enumerated options as an instance of shardproof (`costModel: options`), and its choices again."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import NotInstance, ShardproofError

#: Where the shards of an option may go: TorchRec's `PartitionByType`, which are shardproof's words too.
PARTITIONS = ("device", "uniform", "host", "multi_host")

#: TorchRec's sharding types, the plainest first.
TYPES = ("table_wise", "row_wise", "table_row_wise", "column_wise", "table_column_wise", "grid_shard", "data_parallel")


#: Of a shard's estimate, TorchRec's names and the instance's.
PHASES = (
    ("fwd_compute", "forwardCompute"),
    ("fwd_comms", "forwardComms"),
    ("bwd_compute", "backwardCompute"),
    ("bwd_comms", "backwardComms"),
    ("prefetch_compute", "prefetch"),
)

#: PyTorch's types of elements, in the instance's words.
ELEMENTS = {"torch.float32": "fp32", "torch.float16": "fp16", "torch.bfloat16": "bf16", "torch.int8": "int8"}

#: Kernels that keep rows in a store of keys and values.
KEY_VALUE_KERNELS = ("key_value", "ssd_virtual_table", "dram_virtual_table", "dram_ssd_virtual_table")


@dataclass(frozen=True)
class Rank:
    """Bytes that tables may use on one rank, after TorchRec's reservation."""

    hbm: int
    ddr: int
    ssd: int = 0


@dataclass(frozen=True)
class Cluster:
    """Ranks host by host. A host is what TorchRec's `intra_group_size` ranks share (with pods: an NVLink domain)."""

    ranks_per_host: int
    ranks: Tuple[Rank, ...]

    @property
    def hosts(self) -> int:
        return len(self.ranks) // self.ranks_per_host


@dataclass(frozen=True)
class Table:
    """One table of the model with its options, which are TorchRec's `ShardingOption`s (or look like them)."""

    name: str
    options: Tuple[Any, ...]


@dataclass(frozen=True)
class Choice:
    """The chosen option of a table, and the rank of each of its shards."""

    option: Any
    ranks: Tuple[int, ...]


def tables_of(search_space: Sequence[Any], cluster: Cluster) -> Tuple[List[Table], List[str]]:
    """The tables of an enumeration, and the names of those without their row-wise options.

    Sorted, tables by path and name: TorchRec's order of options depends on Python's hash seed, and the same model is to
    be the same instance, with the same plan, in every process.

    On ranks of different memory TorchRec cuts rows in unequal parts, and its input distribution, when it trains, sends
    ids as if they were equal: these options are left out where the table has others.

    Two modules may have tables of one name, and one module's path may hold another's: a table is its path and its name.
    """
    options: Dict[Tuple[str, str], List[Any]] = {}
    for option in search_space:
        options.setdefault((option.path, option.name), []).append(option)
    left_out: List[str] = []
    tables: List[Table] = []
    taken: Dict[str, int] = {}
    unlike = len({rank.hbm for rank in cluster.ranks}) > 1
    for (path, name), found in sorted(options.items()):
        found.sort(key=_plainest_first)
        label = f"{path}.{name}" if path else name
        taken[label] = taken.get(label, 0) + 1
        if taken[label] > 1:
            label = f"{label} ({taken[label]})"
        kept = [option for option in found if not (unlike and _is_uneven(option))]
        if kept and len(kept) < len(found):
            left_out.append(label)
        tables.append(Table(label, tuple(kept or found)))
    return tables, left_out


def instance_of(
    cluster: Cluster,
    tables: Sequence[Table],
    pinned: Mapping[str, Sequence[int]] = {},
    asked: Mapping[str, Any] = {},
) -> bytes:
    """The instance file, as JSON. `pinned`: the ranks that a table may use, of those that may not use all. `asked`: its keys
    `goals` and `from`, where there are any."""
    if cluster.ranks_per_host < 1 or len(cluster.ranks) % cluster.ranks_per_host != 0:
        raise NotInstance(f"{len(cluster.ranks)} ranks are not whole hosts of {cluster.ranks_per_host} ranks")
    instance = {
        "shardproof": 1,
        "name": "torchrec",
        "problem": "table-placement",
        "source": "Enumerated and estimated by TorchRec's own planner.",
        "costModel": "options",
        "costUnit": "ms",
        "cluster": {
            "nodes": cluster.hosts,
            "gpusPerNode": cluster.ranks_per_host,
            "hbmBytesPerGpu": [math.floor(rank.hbm) for rank in cluster.ranks],
            "hostBytesPerGpu": [math.floor(rank.ddr) for rank in cluster.ranks],
            # Options that say nothing of SSDs leave an instance what it was without them, and its answer in the cache.
            **({"ssdBytesPerGpu": [math.floor(rank.ssd) for rank in cluster.ranks]} if _need_ssds(tables) else {}),
        },
        **asked,
        "tables": [_table(table, pinned.get(table.name), asked) for table in tables],
    }
    try:
        return json.dumps(instance, allow_nan=False, indent=1).encode()
    except ValueError:
        raise NotInstance("a cost of TorchRec's estimator is not a finite number") from None


def digest(instance: bytes) -> str:
    """A name for all that an answer depends on: every option's costs and bytes, and the memory of every rank."""
    return hashlib.sha256(instance).hexdigest()


def choices_of(plan_file: Mapping[str, Any], cluster: Cluster, tables: Sequence[Table]) -> List[Choice]:
    """The choices in a plan file. Checked against the options themselves: a plan that breaks a rule is an error."""
    found = plan_file["tables"]
    if [each["name"] for each in found] != [table.name for table in tables]:
        raise ShardproofError("its plan is of other tables")
    choices: List[Choice] = []
    for table, each in zip(tables, found):
        choice = Choice(_chosen(table, each), tuple(each["ranks"]))
        if not has_place(choice, cluster):
            raise ShardproofError(f"its plan puts {table.name} ({each['shardingType']}) on ranks {each['ranks']}")
        choices.append(choice)
    return choices


def _chosen(table: Table, written: Mapping[str, Any]) -> Any:
    """By type, kernel and number of shards; by its index where several are alike in these."""
    kind = (written["shardingType"], written["kernel"], len(written["ranks"]))
    same = [o for o in table.options if (o.sharding_type, o.compute_kernel, len(o.shards)) == kind]
    if not same:
        raise ShardproofError(f"its plan has an option of {table.name} that was not enumerated: {kind[0]}, {kind[1]}")
    index = written["option"]
    at = table.options[index] if 0 <= index < len(table.options) else None
    return next((option for option in same if option is at), same[0])


def _plainest_first(option: Any) -> Tuple[int, str, str, int]:
    """Of options that cost the same the first is chosen: a whole table rather than its one column-wise shard."""
    kind = option.sharding_type
    place = TYPES.index(kind) if kind in TYPES else len(TYPES)
    return place, kind, option.compute_kernel, len(option.shards)


def _is_uneven(option: Any) -> bool:
    """Rows in parts that are not ceil(rows / shards) up to the last. Inference, with its kernels, takes such."""
    if option.sharding_type != "row_wise" or option.compute_kernel.startswith("quant"):
        return False
    rows = [shard.size[0] for shard in option.shards]
    part = -(-sum(rows) // len(rows))
    return rows != [max(0, min(part, sum(rows) - part * k)) for k in range(len(rows))]


def _is_host(ranks: Sequence[int], size: int) -> bool:
    first = ranks[0] - ranks[0] % size
    return list(ranks) == list(range(first, first + size))


def asked_of(
    tables: Sequence[Table],
    goals: Sequence[Mapping[str, Any]] = (),
    current: Optional[Mapping[Tuple[str, str], Mapping[str, Any]]] = None,
    most_moved: Optional[int] = None,
) -> Dict[str, Any]:
    """The instance's keys `goals` and `from`: see `Request`."""
    asked: Dict[str, Any] = {}
    if goals:
        asked["goals"] = [dict(goal) for goal in goals]
    if current is not None:
        # By the names that the instance has, which a module's path before a name need not be.
        at = {table.name: (table.options[0].path, table.options[0].name) for table in tables}
        placed = {name: dict(current[key]) for name, key in at.items() if key in current}
        if not placed:
            raise NotInstance("the plan that tables move from has none of the model's tables")
        asked["from"] = {"plan": {"": placed}, **({} if most_moved is None else {"mostMoved": most_moved})}
    return asked


def _table(table: Table, devices: Optional[Sequence[int]], asked: Mapping[str, Any]) -> Dict[str, Any]:
    found: Dict[str, Any] = {"name": table.name}
    if devices is not None:
        found["devices"] = list(devices)
    if "from" in asked:
        found.update(_extent(table.options[0]))
    phases = any(goal["minimize"] == "phases" for goal in asked.get("goals", ()))
    found["options"] = [_option(table.name, option, phases) for option in table.options]
    return found


def _extent(option: Any) -> Dict[str, Any]:
    """Rows, columns and type, of which moved bytes are counted; without them shards count whole."""
    tensor = getattr(option, "tensor", None)
    kind = ELEMENTS.get(str(getattr(tensor, "dtype", None)))
    if tensor is None or kind is None or len(tensor.shape) != 2:
        return {}
    return {"rows": int(tensor.shape[0]), "dim": int(tensor.shape[1]), "dataType": kind}


def _need_ssds(tables: Sequence[Table]) -> bool:
    return any(_ssd(shard) > 0 for table in tables for option in table.options for shard in option.shards)


def _ssd(shard: Any) -> float:
    # TorchRec's first releases count none.
    return getattr(shard.storage, "ssd", 0)


def _phases(perf: Any) -> Dict[str, float]:
    # TorchRec's first releases have no prefetching.
    return {key: getattr(perf, name) for name, key in PHASES if getattr(perf, name, 0) > 0}


def _option(name: str, option: Any, phases: bool) -> Dict[str, Any]:
    if option.partition_by not in PARTITIONS:
        raise NotInstance(f"{name}: it does not know options partitioned by {option.partition_by!r}")
    needs = [
        {
            "cost": shard.perf.total,
            # Bytes are whole; an estimator of one's own may say half of one.
            "hbmBytes": math.ceil(shard.storage.hbm),
            "hostBytes": math.ceil(shard.storage.ddr),
            **({"ssdBytes": math.ceil(_ssd(shard))} if _ssd(shard) > 0 else {}),
            **({"phases": _phases(shard.perf)} if phases else {}),
        }
        for shard in option.shards
    ]
    return {
        "shardingType": option.sharding_type,
        "kernel": option.compute_kernel,
        "partitionBy": option.partition_by,
        # Said only where it holds: other instances stay what they were, and their answers in the cache.
        **({"distinctDevices": True} if needs_own_ranks(option) else {}),
        "shards": [[len(list(same)), need] for need, same in groupby(needs)],
    }


def needs_own_ranks(option: Any) -> bool:
    """Whether each shard takes a rank of its own: key-value tables that are cut by columns."""
    by_columns = option.sharding_type in ("column_wise", "table_column_wise", "grid_shard")
    return by_columns and option.compute_kernel in KEY_VALUE_KERNELS


def has_place(choice: Choice, cluster: Cluster) -> bool:
    """Whether the ranks are such as TorchRec's partitioners give an option of this kind."""
    option, ranks, size = choice.option, choice.ranks, cluster.ranks_per_host
    if len(ranks) != len(option.shards) or any(not 0 <= rank < len(cluster.ranks) for rank in ranks):
        return False
    if needs_own_ranks(option) and len(set(ranks)) < len(ranks):
        return False
    if option.partition_by == "device":
        return True
    if option.partition_by == "uniform":
        return list(ranks) == list(range(len(ranks)))
    groups = [ranks[at : at + size] for at in range(0, len(ranks), size)]
    in_order = all(_is_host(group, size) for group in groups)
    if option.partition_by == "multi_host":
        return in_order
    if option.sharding_type == "table_row_wise":
        return in_order and len(groups) == 1
    return len({rank // size for rank in ranks}) == 1
