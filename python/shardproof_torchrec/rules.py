"""TorchRec's rules: what it cannot run is no option, and what an instance has no word for is checked, and put right.

A bound that was proved without a rule holds with it, so that only the gap may suffer.
"""

from __future__ import annotations

import logging
import math
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import Refused
from .instance import KEY_VALUE_KERNELS, Choice, Cluster, Table, has_place, needs_own_ranks
from .units import amount

logger = logging.getLogger("shardproof_torchrec")

#: Elements of a row that FBGEMM's kernels take.
WIDEST = 2048

#: The limits of FBGEMM's kernels, which differ from build to build.
BY_FOUR = "a rank's columns are no multiple of 4, which fused and key-value kernels refuse"
TOO_WIDE = f"a rank's rows are wider than the {WIDEST} elements that FBGEMM's kernels take"
OF_KERNELS = (BY_FOUR, TOO_WIDE)

#: Key-value kernels whose rows are made when they are first looked up.
VIRTUAL_KERNELS = KEY_VALUE_KERNELS[1:]


def overfull(choices: Sequence[Choice], cluster: Cluster) -> Optional[str]:
    """The first rank whose memory the choices exceed, in words."""
    for tier in ("hbm", "ddr", "ssd"):
        used = [0] * len(cluster.ranks)
        for choice in choices:
            for shard, rank in zip(choice.option.shards, choice.ranks):
                used[rank] += getattr(shard.storage, tier, 0)
        for rank, (bytes_used, limit) in enumerate(zip(used, cluster.ranks)):
            if bytes_used > getattr(limit, tier):
                has = amount(getattr(limit, tier))
                return f"rank {rank} would hold {amount(bytes_used)} of {tier.upper()}, and has {has}"
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


def runnable(tables: Sequence[Table], cluster: Cluster) -> Tuple[List[Table], Dict[str, Tuple[int, List[str]]]]:
    """The tables with the options that TorchRec can run, and by rule how many were left out, and whose.

    A table of which the kernels' own limits leave nothing keeps what breaks no other rule: builds of FBGEMM differ. Raises
    `Refused` for a table of which none is left, with the rules that it breaks.
    """
    left_out: Dict[str, Tuple[int, List[str]]] = {}
    kept: List[Table] = []
    for table in tables:
        why = [broken(option, cluster) for option in table.options]
        if None not in why and any(rule in OF_KERNELS for rule in why):
            rules = sorted({rule for rule in why if rule in OF_KERNELS})
            logger.warning("%s: FBGEMM's kernels may run none of its options: %s", table.name, "; ".join(rules))
            why = [None if rule in OF_KERNELS else rule for rule in why]
        options = tuple(option for option, rule in zip(table.options, why) if rule is None)
        rules = [rule for rule in why if rule is not None]
        if not options:
            raise Refused(f"{table.name}: TorchRec can run none of its options: {'; '.join(sorted(set(rules)))}")
        for rule in rules:
            count, names = left_out.get(rule, (0, []))
            left_out[rule] = (count + 1, names if table.name in names else [*names, table.name])
        kept.append(table if not rules else Table(table.name, options))
    return kept, left_out


def broken(option: Any, cluster: Cluster) -> Optional[str]:
    """The first of TorchRec's rules that an option breaks, in words, those of the kernels last: the table of them is in
    docs/torchrec.md.

    What the enumerator itself refuses (fewer buckets than ranks, uneven buckets) never comes this far.
    """
    kernel, kind = option.compute_kernel, option.sharding_type
    if needs_own_ranks(option):
        if len(option.shards) > (cluster.ranks_per_host if kind == "table_column_wise" else len(cluster.ranks)):
            return "a key-value table has more column shards than ranks, and each takes a rank of its own"
    if kernel in VIRTUAL_KERNELS and _lacks_buckets(option):
        return "virtual tables are dealt by buckets, and total_num_buckets is missing or does not divide the rows"
    if kernel == "dram_ssd_virtual_table" and getattr(option, "is_pooled", False):
        return "dram_ssd_virtual_table is for sequences alone"
    share = getattr(option, "cache_load_factor", None)
    if kernel in ("fused_uvm_caching", "quant_uvm_caching") and share is not None and not 0 < share < 1:
        return "a cache's load factor is not between 0 and 1"
    sizes = [size for size in (getattr(shard, "size", None) for shard in option.shards) if size is not None]
    widths = {size[1] for size in sizes} if kernel.startswith("fused") or kernel in KEY_VALUE_KERNELS else set()
    if any(width % 4 for width in widths):
        return BY_FOUR
    return TOO_WIDE if any(width > WIDEST for width in widths) else None


def _lacks_buckets(option: Any) -> bool:
    """Whether the collection that an option is of says so; of modules that do not say (managed collisions) it is not known."""
    module = (getattr(option, "module", None) or ("", None))[1]
    for configs in ("embedding_bag_configs", "embedding_configs"):
        for config in getattr(module, configs, list)():
            if config.name == option.name:
                buckets = getattr(config, "total_num_buckets", None)
                return not buckets or getattr(config, "num_embeddings", 0) % buckets != 0
    return False


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
        if same and overfull(choices, cluster) is None and not scattered(choices, cluster):
            return each["method"], choices
    return None


def _towers(choices: Sequence[Choice]) -> Dict[str, List[int]]:
    towers: Dict[str, List[int]] = {}
    for index, choice in enumerate(choices):
        dependency = getattr(choice.option, "dependency", None)
        if dependency is not None:
            towers.setdefault(dependency, []).append(index)
    return towers
