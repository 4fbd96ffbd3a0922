"""TorchRec's rules that an instance has no word for. What is chosen without them is checked, and put right.

A bound that was proved without a rule holds with it, so that only the gap may suffer.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import NoPlan
from .instance import Choice, Cluster, Table, has_place


def overfull(choices: Sequence[Choice], cluster: Cluster) -> Optional[str]:
    """The first rank whose memory the choices exceed, in words."""
    for tier in ("hbm", "ddr", "ssd"):
        used = [0] * len(cluster.ranks)
        for choice in choices:
            for shard, rank in zip(choice.option.shards, choice.ranks):
                used[rank] += getattr(shard.storage, tier, 0)
        for rank, (bytes_used, limit) in enumerate(zip(used, cluster.ranks)):
            if bytes_used > getattr(limit, tier):
                return f"rank {rank} would hold {bytes_used} bytes of {tier.upper()}, and has {getattr(limit, tier)}"
    return None


def scattered(choices: Sequence[Choice], cluster: Cluster) -> List[str]:
    """The embedding towers with tables on several hosts: TorchRec keeps what shares a `dependency` on one."""

    def hosts(indices: Sequence[int]) -> int:
        return len({rank // cluster.ranks_per_host for index in indices for rank in choices[index].ranks})

    return [tower for tower, indices in _towers(choices).items() if hosts(indices) > 1]


def pins_of(choices: Sequence[Choice], tables: Sequence[Table], cluster: Cluster) -> Dict[str, List[int]]:
    """A host for every embedding tower: the costliest first, each to the host with the least cost of towers so far."""
    towers = _towers(choices)

    def cost(tower: str) -> float:
        return sum(shard.perf.total for index in towers[tower] for shard in choices[index].option.shards)

    load = [0.0] * cluster.hosts
    pins: Dict[str, List[int]] = {}
    for tower in sorted(towers, key=lambda each: (-cost(each), each)):
        host = load.index(min(load))
        load[host] += cost(tower)
        first = host * cluster.ranks_per_host
        for index in towers[tower]:
            pins[tables[index].name] = list(range(first, first + cluster.ranks_per_host))
    return pins


def doubled(choices: Sequence[Choice]) -> List[int]:
    """Indices of column-wise `key_value` tables with two shards on one rank, which they may not have."""
    return [
        index
        for index, choice in enumerate(choices)
        if (choice.option.sharding_type, choice.option.compute_kernel) == ("column_wise", "key_value")
        and len(set(choice.ranks)) < len(choice.ranks)
    ]


def spread(choices: Sequence[Choice], cluster: Cluster) -> List[Choice]:
    """The choices with the shards of those tables on ranks of their own: each on the least loaded that has room."""
    moved = doubled(choices)
    found = [choice for index, choice in enumerate(choices) if index not in moved]
    placed: Dict[int, Choice] = {}
    for index in moved:
        ranks: List[int] = []
        for k, shard in enumerate(choices[index].option.shards):
            costs = costs_of([*found, Choice(choices[index].option, tuple(ranks))], cluster)
            for rank in sorted(set(range(len(costs))) - set(ranks), key=lambda each: (costs[each], each)):
                if overfull([*found, Choice(choices[index].option, (*ranks, rank))], cluster) is None:
                    ranks.append(rank)
                    break
            else:
                where = f"{choices[index].option.name}: no rank of its own has room for shard {k}"
                raise NoPlan(f"{where}, as column_wise with key_value needs")
        placed[index] = Choice(choices[index].option, tuple(ranks))
        found.append(placed[index])
    return [placed.get(index, choice) for index, choice in enumerate(choices)]


def costs_of(choices: Sequence[Choice], cluster: Cluster) -> List[float]:
    """Milliseconds of every rank: the sum over its shards."""
    costs = [0.0] * len(cluster.ranks)
    for choice in choices:
        for shard, rank in zip(choice.option.shards, choice.ranks):
            costs[rank] += shard.perf.total
    return costs


def rating(choices: Sequence[Choice], cluster: Cluster) -> float:
    """What TorchRec minimises: the cost of the slowest rank."""
    return max(costs_of(choices, cluster))


def better_baseline(
    plan_file: Mapping[str, Any], cluster: Cluster, tables: Sequence[Table]
) -> Optional[Tuple[str, List[Choice]]]:
    """The best plan of a published method that costs less than the search's, with the method's name.

    A search that its limit cut short may not have come so far; what TorchRec's own planner finds is not to be missed.
    """
    value = plan_file["objective"]["value"]
    for each in sorted((b for b in plan_file["baseline"] if b["value"] is not None), key=lambda b: float(b["value"])):
        if value is not None and each["value"] >= value:
            return None
        written = [
            (table, index, tuple(ranks))
            for table, (index, ranks) in zip(tables, each.get("choices") or [])
            if 0 <= index < len(table.options)
        ]
        choices = [Choice(table.options[index], ranks) for table, index, ranks in written]
        if len(choices) < len(tables) or not all(has_place(choice, cluster) for choice in choices):
            continue
        same = math.isclose(rating(choices, cluster), each["value"], rel_tol=1e-9)
        if same and overfull(choices, cluster) is None and not scattered(choices, cluster) and not doubled(choices):
            return each["method"], choices
    return None


def _towers(choices: Sequence[Choice]) -> Dict[str, List[int]]:
    towers: Dict[str, List[int]] = {}
    for index, choice in enumerate(choices):
        dependency = getattr(choice.option, "dependency", None)
        if dependency is not None:
            towers.setdefault(dependency, []).append(index)
    return towers
