"""A plan kept in a file, for any planner of TorchRec's to load (`plan_loader=`, TorchRec 1.6 and later)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Union

from torchrec.distributed.planner.types import Perf, PlannerError, PlannerErrorType, Shard, ShardingOption, Storage

try:
    from torchrec.distributed.planner.types import PlanLoader
except ImportError:
    # A release without plan loaders: the class is then of no use to a planner, and says so.
    PlanLoader = object  # type: ignore[assignment,misc]

PERF = ("fwd_compute", "fwd_comms", "bwd_compute", "bwd_comms", "prefetch_compute")
STORAGE = ("hbm", "ddr", "ssd")


class ShardproofPlanLoader(PlanLoader):  # type: ignore[misc]
    """What `ShardproofPlanner.save_plan` wrote: `EmbeddingShardingPlanner(plan_loader=ShardproofPlanLoader(path))`.

    TorchRec then takes it instead of searching, once its hash of the planner's inputs (topology, batch size, options,
    reservation, constraints) is the one that the plan was made for; `PlannerError` otherwise. Nothing is proved again.
    """

    def __init__(self, path: Union[str, Path]) -> None:
        if PlanLoader is object:
            raise PlannerError(error_type=PlannerErrorType.OTHER, message="this TorchRec has no plan loaders (1.6 has)")
        self._path = Path(path)
        try:
            self._file: Dict[str, Any] = json.loads(self._path.read_bytes())
            self._file["context"], self._file["options"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"{self._path} is no plan of ShardproofPlanner.save_plan: {error}"
            raise PlannerError(error_type=PlannerErrorType.OTHER, message=message) from None

    def load(self) -> Optional[Dict[int, ShardingOption]]:
        options: Dict[str, List[Dict[str, Any]]] = self._file["options"]
        loaded: Dict[int, Any] = {int(key): _Loaded([_shard(s) for s in shards]) for key, shards in options.items()}
        return loaded

    def plan_context_hash(self) -> Optional[str]:
        return str(self._file["context"])

    def get_plan_id(self) -> str:
        return str(self._path)


class _Loaded:
    """What TorchRec reads of a loaded option: its shards. The rest is of the option that was enumerated."""

    def __init__(self, shards: List[Shard]) -> None:
        self.shards = shards


def write_plan(path: Path, chosen: List[ShardingOption], context: Callable[[], str]) -> None:
    """Raises `PlannerError` where the release has no storage hashes."""
    if PlanLoader is object:
        raise PlannerError(error_type=PlannerErrorType.OTHER, message="this TorchRec has no plan loaders (1.6 has)")
    options = {
        str(option.storage_hash()): [
            {
                "size": list(shard.size),
                "offset": list(shard.offset),
                "rank": shard.rank,
                "storage": [getattr(shard.storage, key) for key in STORAGE],
                "perf": [getattr(shard.perf, key) for key in PERF],
            }
            for shard in option.shards
        ]
        for option in chosen
    }
    path.write_text(json.dumps({"shardproofTorchrec": 1, "context": context(), "options": options}, indent=1))


def _shard(written: Dict[str, Any]) -> Shard:
    return Shard(
        size=written["size"],
        offset=written["offset"],
        storage=Storage(**dict(zip(STORAGE, written["storage"]))),
        perf=Perf(**dict(zip(PERF, written["perf"]))),
        rank=written["rank"],
    )
