"""`ShardproofPlanner`: TorchRec's `EmbeddingShardingPlanner` with shardproof for proposers and partitioner.

TorchRec's own `plan` runs: its reservation, its enumerator and estimators before, its callbacks, plan writer,
statistics and validation after, of whatever release is installed. It asks one proposer for one proposal and one
partitioner for its ranks; these two are shardproof's. So nothing of TorchRec's plan is made again here, and nothing of
it can be forgotten.
"""

from __future__ import annotations

import copy
import dataclasses
import logging
import time
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

import torch.distributed as dist
from torch import nn
from torchrec.distributed.collective_utils import invoke_on_rank_and_broadcast_result
from torchrec.distributed.planner.perf_models import NoopPerfModel
from torchrec.distributed.planner.planners import EmbeddingShardingPlanner
from torchrec.distributed.planner.types import (
    Enumerator,
    ParameterConstraints,
    Partitioner,
    PlannerError,
    PlannerErrorType,
    Proposer,
    ShardingOption,
    Topology,
)
from torchrec.distributed.planner.utils import sharder_name
from torchrec.distributed.sharding_plan import get_default_sharders
from torchrec.distributed.types import ModuleSharder, ShardingPlan

from .answer import Answer, placed, rating_of
from .constraints import filled
from .delta import Changes, changes
from .errors import Infeasible, ShardproofError
from .instance import Cluster, Rank
from .loader import write_plan
from .solve import Request, solve

logger = logging.getLogger("shardproof_torchrec")


class ShardproofPlanner(EmbeddingShardingPlanner):
    """A drop-in for `EmbeddingShardingPlanner` whose plan is proved optimal, or comes with the gap that was left.

    Takes the arguments of `EmbeddingShardingPlanner` of the TorchRec that is installed, and by name:

    command: words that start shardproof, e.g. "npx shardproof" or ["node", "main.js"]; default: the environment's
        SHARDPROOF_COMMAND, `shardproof` on the PATH, or that of the nearest node_modules.
    time_limit: seconds for everything that `plan` does: TorchRec's enumeration, search, proof and page; default:
        `timeout_seconds` if given, else 60. What has not ended then is stopped with the best plan so far, and ended within
        two seconds.
    gap: relative gap at which a plan counts as proved (0.01: within 1 %).
    seed: of shardproof's random numbers. Same model, same seed, same plan.
    cache: a folder for plans found before; the same model on the same ranks is then answered at once.
    page: where a page (HTML) about the plan is written, within the time limit, of which a third is kept for it. It
        says whether the plan was checked again, for which there has to be time.
    goals: what is to be least, in order, each among the plans that keep to those before it: "largest-cost", "largest-hbm",
        "largest-host", "second-largest", "sum", "phases", "moved-bytes", "moved-tables"; with what it allows the later ones,
        {"minimize": "largest-cost", "allow": "5 %"}, or an amount in the goal's unit (ms, bytes, tables).
    default_constraints: `ParameterConstraints` of all tables. What a table's own `constraints` say stands before it, key by
        key; a key that is as TorchRec has it says nothing. Not with an `enumerator` of one's
        own, which has its own.
    moves_from: the `ShardingPlan` that tables have now; `last.moved_bytes` then says what ranks have to receive.
    most_moved: how many tables may be elsewhere than `moves_from` has them; default: all.
    fallback: where shardproof fails to give a plan, or is not installed, let TorchRec's default planner make it (with
        the `proposer` and `partitioner` given, which are for this alone). Logged as a warning, and said in `last`. What
        was proved to be impossible is an error all the same.

    One line of progress every few seconds goes to the logger `shardproof_torchrec`, at the level INFO.

    `last` has what was proved of the last plan, on every rank. Raises `PlannerError`, one line: INSUFFICIENT_STORAGE
    where it is proved that no plan fits, with the tables that are too much together; PARTITION where none was found in
    time; STRICT_CONSTRAINTS where TorchRec can run none of a table's options. `ValueError` for arguments that cannot be meant.
    """

    #: What is known of the plan that was made last; None before, and for a model without tables to shard.
    last: Optional[Answer]

    def __init__(
        self,
        *args: Any,
        command: Union[None, str, Sequence[str]] = None,
        time_limit: Optional[float] = None,
        gap: float = 1e-9,
        seed: int = 0,
        cache: Union[None, str, Path] = None,
        page: Union[None, str, Path] = None,
        fallback: bool = False,
        goals: Sequence[Union[str, Mapping[str, Any]]] = (),
        default_constraints: Optional[ParameterConstraints] = None,
        moves_from: Optional[ShardingPlan] = None,
        most_moved: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        self._own_constraints = dict(kwargs.get("constraints") or {})
        self._default_constraints = default_constraints
        if default_constraints is not None:
            # One map that all parts of the planner keep: it is filled when the tables are known.
            kwargs["constraints"] = dict(self._own_constraints)
        super().__init__(*args, **kwargs)
        if default_constraints is not None and getattr(self._enumerator, "_constraints", None) is not self._constraints:
            raise ValueError("default_constraints are for the planner's own enumerator; give yours their constraints itself")
        if most_moved is not None and (moves_from is None or most_moved < 0):
            raise ValueError("most_moved is a number of tables from 0 on, and needs moves_from")
        if type(self._perf_model) is not NoopPerfModel:
            other = type(self._perf_model).__name__
            raise ValueError(f"ShardproofPlanner minimises the largest rank's perf, TorchRec's default; not {other}")
        seconds = time_limit if time_limit is not None else getattr(self, "_timeout_seconds", None) or 60.0
        if seconds <= 0:
            raise ValueError(f"time_limit must be positive, received {time_limit}")
        if not 0 <= gap < 1:
            raise ValueError(f"gap must be from 0 to below 1, received {gap}")
        self._request = Request(
            command=command,
            time_limit=float(seconds),
            gap=float(gap),
            seed=int(seed),
            cache=None if cache is None else Path(cache),
            page=None if page is None else Path(page),
            goals=tuple({"minimize": goal} if isinstance(goal, str) else dict(goal) for goal in goals),
            current=None if moves_from is None else _current(moves_from),
            most_moved=most_moved,
        )
        self._fallback = fallback
        self.last = None

    def plan(self, module: nn.Module, sharders: List[ModuleSharder[nn.Module]]) -> ShardingPlan:
        """The plan, made in this process: see the class."""
        self.last, self._best_plan = None, None
        if self._default_constraints is not None:
            tables = _table_names(module, sharders)
            self._constraints.update(filled(tables, self._own_constraints, self._default_constraints))
        asked = _Shardproof(dataclasses.replace(self._request, started=time.monotonic()))
        proposers, partitioner = self._proposers, self._partitioner
        self._proposers, self._partitioner = [asked], asked
        try:
            found = super().plan(module, sharders)
        except _Failed as failed:
            error = failed.error
        else:
            self.last = asked.answer
            if self.last is not None and self._best_plan and placed(self._best_plan) != asked.placed:
                self.last = self.last.changed(rating_of(self._best_plan))
            if self.last is not None:
                logger.info("shardproof: %s", self.last)
            elif self._best_plan and getattr(self, "plan_loader", None) is not None:
                self.last = Answer(status="loaded")
            return found
        finally:
            self._proposers, self._partitioner = proposers, partitioner
        if not self._fallback or isinstance(error, Infeasible):
            raise PlannerError(error_type=PlannerErrorType(error.kind), message=f"shardproof: {error}") from None
        logger.warning("shardproof: %s; TorchRec's default planner makes the plan, which nothing proves", error)
        found = super().plan(module, sharders)
        self.last = Answer(status="fallback", reason=str(error))
        return found

    def collective_plan(
        self,
        module: nn.Module,
        sharders: Optional[List[ModuleSharder[nn.Module]]] = None,
        pg: Optional[dist.ProcessGroup] = None,
    ) -> ShardingPlan:
        """Rank 0 plans, and all ranks get its plan and `last`, or its error: none waits in vain."""
        if pg is None:
            assert dist.is_initialized(), "call torch.distributed.init_process_group() first, or plan() in one process"
            pg = dist.GroupMember.WORLD
        assert pg is not None
        given = sharders if sharders is not None else get_default_sharders()
        error: List[BaseException] = []

        def on_rank_0() -> Tuple[Optional[ShardingPlan], Optional[Answer], str, str]:
            try:
                plan = self.plan(module, given)
                # The certificate stays here: it may be long.
                return plan, self.last and dataclasses.replace(self.last, plan_file={}), "", ""
            except BaseException as raised:  # Ctrl-C too: the others wait
                error.append(raised)
                kind = getattr(raised, "error_type", PlannerErrorType.OTHER)
                return None, None, getattr(kind, "value", "other"), f"{raised or type(raised).__name__}"

        plan, last, kind, message = invoke_on_rank_and_broadcast_result(pg, 0, on_rank_0)
        if error:
            raise error[0]
        if plan is None:
            raise PlannerError(error_type=PlannerErrorType(kind), message=f"{message} (on rank 0)")
        if pg.rank() != 0:
            self.last = last
        return plan

    def delta(self, old: ShardingPlan, new: ShardingPlan) -> Changes:
        """What `DistributedModelParallel.reshard` takes to come from one plan to the other: see `delta.changes`."""
        return changes(old, new)

    def save_plan(self, path: Union[str, Path]) -> None:
        """Writes the last plan of this process for `ShardproofPlanLoader`: any planner can then start from it, without
        shardproof. TorchRec 1.6 or later; on rank 0, which planned."""
        if not self._best_plan:
            raise PlannerError(error_type=PlannerErrorType.OTHER, message="no plan was made in this process")
        write_plan(Path(path), self._best_plan, lambda: self.hash_planner_context_inputs_str())


class _Failed(Exception):
    """Passes through TorchRec's loop, which would take a `PlannerError` for a proposal that has no place."""

    def __init__(self, error: ShardproofError) -> None:
        super().__init__(str(error))
        self.error = error


class _Shardproof(Proposer, Partitioner):
    """Proposes once, any option of each table, and answers with the options and ranks that shardproof chose of all."""

    def __init__(self, request: Request) -> None:
        self.answer: Optional[Answer] = None
        #: The plan that it gave, which callbacks get after it and may change.
        self.placed: Any = None
        self._request = request
        self._search_space: List[ShardingOption] = []
        self._proposed = False

    def load(self, search_space: List[ShardingOption], enumerator: Optional[Enumerator] = None) -> None:
        self._search_space = search_space
        self._proposed = False

    def feedback(
        self,
        partitionable: bool,
        plan: Optional[List[ShardingOption]] = None,
        perf_rating: Optional[float] = None,
        storage_constraint: Optional[Topology] = None,
    ) -> None:
        pass

    def propose(self) -> Optional[List[ShardingOption]]:
        if self._proposed:
            return None
        self._proposed = True
        return list({(option.path, option.name): option for option in self._search_space}.values())

    def partition(self, proposal: List[ShardingOption], storage_constraint: Topology) -> List[ShardingOption]:
        try:
            choices, self.answer = solve(self._search_space, _cluster(storage_constraint), self._request)
        except ShardproofError as error:
            raise _Failed(error) from None
        chosen = []
        for choice in choices:
            # The enumerator keeps its options for the next plan: theirs stay without ranks.
            option = copy.deepcopy(choice.option)
            for shard, rank in zip(option.shards, choice.ranks):
                shard.rank = rank
            chosen.append(option)
        self.placed = placed(chosen)
        return chosen


def _current(plan: ShardingPlan) -> Mapping[Tuple[str, str], Mapping[str, Any]]:
    """By path and name, in the words of `ShardingPlan._serialize()`."""
    return {
        (path, name): {
            "sharding_type": each.sharding_type,
            "compute_kernel": each.compute_kernel,
            "ranks": [int(rank) for rank in each.ranks or ()],
        }
        for path, tables in plan.plan.items()
        for name, each in tables.items()
    }


def _table_names(module: nn.Module, sharders: Sequence[ModuleSharder[nn.Module]]) -> List[str]:
    """The tables that TorchRec's enumerator finds, as it finds them."""
    known = {sharder_name(sharder.module_type): sharder for sharder in sharders}
    names: List[str] = []
    waiting = [module]
    while waiting:
        found = waiting.pop()
        sharder = known.get(sharder_name(type(found)))
        if sharder is None:
            waiting.extend(found.children())
        else:
            names.extend(sharder.shardable_parameters(found))
    return names


def _cluster(topology: Topology) -> Cluster:
    ranks = tuple(
        Rank(device.storage.hbm, device.storage.ddr, getattr(device.storage, "ssd", 0)) for device in topology.devices
    )
    return Cluster(getattr(topology, "intra_group_size", topology.local_world_size), ranks)
