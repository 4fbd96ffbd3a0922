"""Records `fixtures/` from a real TorchRec and a built shardproof: its enumeration, both planners' plans.

    python record.py "TorchRec 1.9.0a0, commit 376cac6a"

The argument goes into every file as its source.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import torch
from torch import nn
from torchrec.distributed.embedding_tower_sharding import EmbeddingTowerCollectionSharder
from torchrec.distributed.embeddingbag import EmbeddingBagCollectionSharder
from torchrec.distributed.planner import EmbeddingShardingPlanner, ParameterConstraints, Topology
from torchrec.distributed.planner.types import PlannerError
from torchrec.modules.embedding_configs import EmbeddingBagConfig
from torchrec.modules.embedding_modules import EmbeddingBagCollection
from torchrec.modules.embedding_tower import EmbeddingTower, EmbeddingTowerCollection

from shardproof_torchrec import ShardproofPlanner

FIXTURES = Path(__file__).parent / "fixtures"
GIB = 1024**3


def collection(**tables: tuple) -> EmbeddingBagCollection:
    """Tables of (rows, columns), one feature each."""
    configs = [
        EmbeddingBagConfig(name=name, num_embeddings=rows, embedding_dim=dim, feature_names=[f"{name}_{rows}"])
        for name, (rows, dim) in tables.items()
    ]
    return EmbeddingBagCollection(tables=configs, device=torch.device("meta"))


class TwoCollections(nn.Module):
    """Two collections with a table of one name."""

    def __init__(self) -> None:
        super().__init__()
        self.users = collection(id=(3_000_000, 128), country=(300, 16))
        self.items = collection(id=(9_000_000, 64), words=(400_000, 256))


class Towers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        towers = [
            EmbeddingTower(collection(a=(900_000, 128), b=(500_000, 64)), nn.Identity()),
            EmbeddingTower(collection(c=(800_000, 128), d=(400_000, 64)), nn.Identity()),
        ]
        self.towers = EmbeddingTowerCollection(towers)


def topology(hbm: int, hosts: int = 2) -> Topology:
    return Topology(world_size=2 * hosts, local_world_size=2, compute_device="cuda", hbm_cap=hbm, ddr_cap=4 * GIB)


def constraints() -> Dict[str, ParameterConstraints]:
    ways = ["table_wise", "column_wise", "row_wise", "table_row_wise", "data_parallel", "grid_shard"]
    return {
        "words": ParameterConstraints(pooling_factors=[30.0], sharding_types=ways, min_partition=128),
        "country": ParameterConstraints(pooling_factors=[4.0]),
    }


def record(name: str, source: str, module: nn.Module, sharders: List[Any], given: Dict[str, Any]) -> None:
    planner = ShardproofPlanner(**given, stats=[])
    found: Dict[str, Any] = {"source": source, "module": name}
    try:
        planner.plan(module, sharders)
        found["rating"] = planner._perf_model.rate(planner.get_selected_options())
    except PlannerError as error:
        found["error"] = [error.error_type.value, str(error)]
    answer: Optional[Any] = planner.last
    reserved = planner._storage_reservation.reserve(
        topology=planner._topology,
        batch_size=planner._batch_size,
        module=module,
        sharders=sharders,
        constraints=planner._constraints,
    )
    found["ranksPerHost"] = planner._topology.intra_group_size
    found["ranks"] = [[d.storage.hbm, d.storage.ddr, d.storage.ssd] for d in reserved.devices]
    found["options"] = [
        {
            "path": option.path,
            "name": option.name,
            "sharding_type": option.sharding_type,
            "partition_by": option.partition_by,
            "compute_kernel": option.compute_kernel,
            "dependency": option.dependency,
            "shards": [[s.perf.total, s.storage.hbm, s.storage.ddr, s.storage.ssd] for s in option.shards],
        }
        for option in planner._enumerator.enumerate(module, sharders)
    ]
    if answer is not None:
        keys = ("name", "option", "shardingType", "kernel", "ranks")
        found["plan"] = {
            **{key: answer.plan_file[key] for key in ("status", "objective")},
            "baseline": [{"method": each["method"], "value": each["value"]} for each in answer.plan_file["baseline"]],
            "tables": [{key: table[key] for key in keys} for table in answer.plan_file["tables"]],
        }
    default = EmbeddingShardingPlanner(**given, stats=[])
    try:
        default.plan(module, sharders)
        found["default"] = default._perf_model.rate(default._best_plan)
    except PlannerError as error:
        found["defaultError"] = error.error_type.value
    text = json.dumps(found)
    text = text.replace('{"path"', '\n{"path"').replace('"plan": ', '\n"plan": ')
    (FIXTURES / f"{name}.json").write_text(f"{text}\n")
    print(name, len(text), planner.last, found.get("error"), found.get("default"), found.get("defaultError"))


def main() -> None:
    logging.disable(logging.CRITICAL)
    source, bags = sys.argv[1], [EmbeddingBagCollectionSharder()]
    given = {"topology": topology(2 * GIB), "constraints": constraints()}
    record("two-collections", source, TwoCollections(), bags, given)
    fused = {name: ParameterConstraints(compute_kernels=["fused"]) for name in ("id", "country", "words")}
    record("too-large", source, TwoCollections(), bags, {"topology": topology(GIB), "constraints": fused})
    record("towers", source, Towers(), [EmbeddingTowerCollectionSharder()], {"topology": topology(GIB)})


if __name__ == "__main__":
    main()
