"""Carries out a shardproof plan with TorchRec 1.9 (unpooled embeddings: `EmbeddingCollection`).

    shardproof export plan.json --to torchrec --out torchrec.json
    shardproof export plan.json --to remap --ids-are-ranks --out remap --spread

Then, in every process of a job with the plan's number of GPUs, ranks numbered node by node:

    fused_params = {"optimizer": EmbOptimType.EXACT_ROWWISE_ADAGRAD, "learning_rate": 0.01}
    embeddings = TieredEmbeddings(load("torchrec.json"), Remap("remap"), device, fused_params)
    found = embeddings({"history": (ids, lengths)})["history"]  # [len(ids), dim], in the order of the ids
    loss.backward()
    optimizer.step()  # of the data_parallel tables and the dense layers; fused tables are updated in backward
    embeddings.sync()  # flex: averages the replicas of the nodes
"""

import json
from pathlib import Path
from typing import Dict, Iterator, NamedTuple, Optional, Tuple

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torchrec import EmbeddingCollection, EmbeddingConfig, KeyedJaggedTensor
from torchrec.distributed.embedding import EmbeddingCollectionSharder
from torchrec.distributed.model_parallel import DistributedModelParallel, DMPCollection
from torchrec.distributed.types import (
    EmbeddingModuleShardingPlan,
    EnumerableShardingSpec,
    ParameterSharding,
    ShardingPlan,
    ShardMetadata,
)
from torchrec.types import DataType


def load(path: str) -> dict:
    """The file that `export --to torchrec` wrote."""
    document = json.loads(Path(path).read_text())
    if document.get("shardproof") != 1 or document.get("kind") != "torchrec-plan":
        raise ValueError(f"{path}: expected the output of `shardproof export PLAN --to torchrec`")
    return document


class Collections(nn.ModuleDict):
    """One EmbeddingCollection per width, by the names that the plan has for them (`dim256`)."""

    def forward(self, features: Dict[str, KeyedJaggedTensor]) -> Dict[str, torch.Tensor]:
        """The ids of each collection's features in, the embeddings of each feature out."""
        started = [collection(features[name]) for name, collection in self.items()]
        return {feature: found.values() for outputs in started for feature, found in outputs.items()}


def collections(document: dict, module: str) -> Collections:
    """The tables of a module on the meta device: sharding gives them their memory."""
    configs = {config["name"]: config for config in document["embedding_bag_configs"]}
    found = Collections()
    for path, tables in document["plan"].items():
        owner, name = path.split(".")
        if owner != module:
            continue
        found[name] = EmbeddingCollection(
            tables=[
                EmbeddingConfig(
                    name=table,
                    num_embeddings=configs[table]["num_embeddings"],
                    embedding_dim=configs[table]["embedding_dim"],
                    feature_names=configs[table]["feature_names"],
                    data_type=DataType[configs[table]["data_type"]],
                )
                for table in tables
            ],
            device=torch.device("meta"),
        )
    return found


def sharding_plan(document: dict, module: str) -> ShardingPlan:
    """The plan of a module's `collections`, for the wrapper that `document["parallelism"]` names.

    A DMPCollection changes the plan that it is given: make a new one for each.
    """
    plan = {}
    for path, tables in document["plan"].items():
        owner, name = path.split(".")
        if owner == module:
            plan[name] = EmbeddingModuleShardingPlan(
                {table: _parameter_sharding(written) for table, written in tables.items()}
            )
    return ShardingPlan(plan=plan)


def _parameter_sharding(written: dict) -> ParameterSharding:
    spec = written["sharding_spec"]
    return ParameterSharding(
        sharding_type=written["sharding_type"],
        compute_kernel=written["compute_kernel"],
        ranks=list(written["ranks"]),
        sharding_spec=None
        if spec is None
        else EnumerableShardingSpec(
            [
                ShardMetadata(
                    shard_offsets=list(shard["shard_offsets"]),
                    shard_sizes=list(shard["shard_sizes"]),
                    placement=shard["placement"],
                )
                for shard in spec["shards"]
            ]
        ),
    )


def wrap(document: dict, module: str, device: torch.device, fused_params: Optional[dict] = None) -> nn.Module:
    """A module's tables, sharded over the job's GPUs as the plan says."""
    parallelism = document["parallelism"][module]
    if dist.get_world_size() != parallelism["world_size"]:
        raise ValueError(f"the plan is for {parallelism['world_size']} GPUs, the job has {dist.get_world_size()}")
    shared = {
        "module": collections(document, module),
        "device": device,
        "plan": sharding_plan(document, module),
        "sharders": [EmbeddingCollectionSharder(fused_params=fused_params)],
    }
    if parallelism["wrapper"] == "DistributedModelParallel":
        return DistributedModelParallel(**shared)
    return DMPCollection(
        world_size=parallelism["world_size"],
        sharding_group_size=parallelism["sharding_group_size"],
        use_inter_host_allreduce=parallelism["use_inter_host_allreduce"],
        global_pg=dist.GroupMember.WORLD,
        **shared,
    )


class TierIds(NamedTuple):
    """The ids of one feature that go to one embedding table."""

    table: str  # name of the embedding table, and of its feature
    indices: torch.Tensor  # [n] rows of that table
    lengths: torch.Tensor  # [samples] ids of each sample
    positions: torch.Tensor  # [n] where they were among the feature's ids


class Remap:
    """The tables that `export --to remap` wrote (as .npy): the tier of each row id and its index inside that tier."""

    def __init__(self, folder: str) -> None:
        self.manifest = json.loads((Path(folder) / "manifest.json").read_text())
        if self.manifest["format"] != "npy":
            raise ValueError(f"{folder}: expected a remap of .npy files; export it without --format")
        self._tier: Dict[str, np.ndarray] = {}
        self._index: Dict[str, np.ndarray] = {}
        self._parts: Dict[str, Dict[int, str]] = {}
        for table in self.manifest["tables"]:
            # Mapped into memory: processes of one machine share the pages.
            files = {part: Path(folder) / file["file"] for part, file in table["files"].items()}
            self._tier[table["name"]] = np.load(files["tier"], mmap_mode="r")
            self._index[table["name"]] = np.load(files["index"], mmap_mode="r")
            self._parts[table["name"]] = {
                self.manifest["tierCodes"][part["tier"]]: part["name"] for part in table["embeddingTables"]
            }

    def split(self, table: str, ids: torch.Tensor, lengths: torch.Tensor) -> Iterator[TierIds]:
        """Sends row ids (on the CPU, sample after sample) to the embedding tables that hold them.

        Every embedding table of `table` comes once, with no ids where it has none: all ranks take part in a lookup.
        """
        rows = ids.numpy()
        tiers = torch.from_numpy(self._tier[table][rows])
        indices = torch.from_numpy(self._index[table][rows].astype(np.int64))
        sample = torch.repeat_interleave(torch.arange(lengths.numel()), lengths)
        for code, name in self._parts[table].items():
            positions = (tiers == code).nonzero().squeeze(1)
            counts = torch.bincount(sample[positions], minlength=lengths.numel())
            yield TierIds(name, indices[positions], counts, positions)


class TieredEmbeddings(nn.Module):
    """Embeddings of row ids, each looked up in the tier that the plan gave its row."""

    def __init__(self, document: dict, remap: Remap, device: torch.device, fused_params: Optional[dict] = None) -> None:
        super().__init__()
        if remap.manifest["plan"]["digest"] != document["source"]["digest"]:
            raise ValueError("the remap and the TorchRec plan were not exported from the same plan")
        self._document = document
        self._remap = remap
        self._device = device
        self.wrapped = nn.ModuleDict(
            {module: wrap(document, module, device, fused_params) for module in document["parallelism"]}
        )

    def forward(self, batch: Dict[str, Tuple[torch.Tensor, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        """Per table its row ids, sample after sample, and the number of each sample's; all tables, as many samples each.

        Returns [len(ids), dim] per table, in the order of its ids.
        """
        parts: Dict[str, Tuple[str, TierIds]] = {}
        for table, (ids, lengths) in batch.items():
            for part in self._remap.split(table, ids, lengths):
                parts[part.table] = (table, part)
        pieces = {table: [] for table in batch}
        for module, wrapped in self.wrapped.items():
            features = {}
            for path, tables in self._document["plan"].items():
                owner, name = path.split(".")
                if owner == module:
                    features[name] = KeyedJaggedTensor(
                        keys=list(tables),
                        values=torch.cat([parts[table][1].indices for table in tables]),
                        lengths=torch.cat([parts[table][1].lengths for table in tables]),
                    ).to(self._device)
            for feature, values in wrapped(features).items():
                table, part = parts[feature]
                pieces[table].append((part.positions.to(self._device), values))
        return {table: _in_order(found) for table, found in pieces.items()}

    def sync(self) -> None:
        """After every step: brings the nodes' replicas of the flex tables together."""
        if "flex" in self.wrapped:
            self.wrapped["flex"].sync()


def _in_order(pieces: list) -> torch.Tensor:
    positions = torch.cat([positions for positions, _ in pieces])
    values = torch.cat([values for _, values in pieces])
    return torch.zeros_like(values).index_copy(0, positions, values)
