"""What shardproof answered, as `planner.last` has it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .units import amount


#: Of a goal in a plan file, what `Goal` has.
GOAL = ("minimize", "value", "best", "bound", "unit")


@dataclass(frozen=True)
class Goal:
    """One of several goals in order, and what the plan has of it."""

    #: "largest-cost", "largest-hbm", …: shardproof's words.
    minimize: str
    #: What the plan has of it, in `unit`; with what the goal allows it may be above `best`.
    value: float
    #: The least that was found of it among plans that keep to the goals before; None where there was no time for it.
    best: Optional[float]
    #: What no such plan is below, proved; None where nothing was.
    bound: Optional[float]
    #: "ms", "B" (bytes) or "tables".
    unit: Optional[str]

    def __str__(self) -> str:
        def said(value: float) -> str:
            return amount(value) if self.unit == "B" else f"{value:.6g} {self.unit or ''}".rstrip()

        least = "nothing proved" if self.bound is None else f"no less than {said(self.bound)}"
        return f"{self.minimize} {said(self.value)} ({least})"


@dataclass(frozen=True)
class Answer:
    """How good the plan is that `plan` or `collective_plan` returned last.

    Costs are in TorchRec's unit, milliseconds: the largest `perf.total` of a rank's shards, as TorchRec has it. With
    `goals`, value, bound and gap are those of the cost where it is the first of them; else bound and gap are None.
    """

    #: "proved": no plan is better by more than the gap asked for; "feasible": the limit came first, `gap` says what is
    #: open; "fallback": the plan is TorchRec's default planner's; "loaded": it is a plan loader's; "changed": one of the
    #: planner's callbacks changed the plan, `value` is that of the changed one.
    status: str
    #: The plan's cost in milliseconds; None where the plan is not shardproof's.
    value: Optional[float] = None
    #: No plan costs less, which was proved; None where nothing was.
    bound: Optional[float] = None
    #: (value - bound) / value: 0 for an optimum.
    gap: Optional[float] = None
    #: Seconds that the search and its proof took; 0 from the cache.
    seconds: float = 0.0
    #: The plan was in the cache folder, and no search ran.
    cached: bool = False
    #: Ctrl-C ended the search early, or its time was over and it did not end by itself.
    stopped: bool = False
    #: What TorchRec's methods find, run by shardproof on the same options: "torchrec-greedy", …; None for no plan.
    baselines: Mapping[str, Optional[float]] = field(default_factory=dict)
    #: What TorchRec enumerates and the proof does not speak of, one line each; usually empty.
    left_out: Tuple[str, ...] = ()
    #: What TorchRec enumerates and refuses to run, one line for each of its rules; no option, and not in the proof.
    not_run: Tuple[str, ...] = ()
    #: The goals in order, where several were asked for.
    goals: Tuple[Goal, ...] = ()
    #: Bytes of weights that ranks have to receive, from where the tables were; None where that was not said.
    moved_bytes: Optional[int] = None
    #: The page that `shardproof report` wrote; None unless asked for.
    page: Optional[Path] = None
    #: Why the plan is not shardproof's; None where it is.
    reason: Optional[str] = None
    #: shardproof's plan file, with the certificate of the bound; empty where the plan is not shardproof's.
    plan_file: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def changed(self, value: float) -> "Answer":
        """Where a callback of TorchRec's planner changed the plan: the bound is about all plans that keep to the memory."""
        reason = f"a callback changed the plan of {self.value:.6g} ms that shardproof chose"
        gap = None if self.bound is None or value <= 0 else max(0.0, value - self.bound) / value
        return replace(self, status="changed", value=value, gap=gap, reason=reason, page=None, plan_file={}, goals=(), moved_bytes=None)

    def __str__(self) -> str:
        if self.status == "fallback":
            return f"TorchRec's default planner: {self.reason}"
        if self.status == "loaded":
            return "a plan loader's plan"
        if self.status == "changed":
            bound = "" if self.bound is None else f"; bound {self.bound:.6g} ms"
            return f"{self.value:.6g} ms: {self.reason}{bound}"
        if self.status == "proved":
            # With goals the cost may be above its least by what they allow: each says below what is proved of it.
            is_least = self.goals or self.gap is None or self.gap <= 1e-9
            how = "proved optimal" if is_least else f"proved within {100 * self.gap:.3g} %"
        elif self.bound is None or self.gap is None:
            how = "no bound proved"
        else:
            how = f"bound {self.bound:.6g} ms, {100 * self.gap:.3g} % open"
        if self.left_out:
            how += ", among the options but " + "; ".join(self.left_out)
        where = "from the cache" if self.cached else f"{self.seconds:.1f} s"
        more = "".join(f"; {goal}" for goal in self.goals)
        if self.moved_bytes is not None:
            more += f"; {amount(self.moved_bytes)} to move"
        return f"{self.value:.6g} ms, {how} ({where}{', stopped early' if self.stopped else ''}){more}"


def named(tables: Sequence[str]) -> str:
    """Tables in a sentence. One is named: a model may have thousands."""
    return f"{len(tables)} tables ({tables[0]}, …)" if len(tables) > 1 else tables[0]


def options_of(count: int, tables: Sequence[str], why: str) -> str:
    """What is left out, and why, in a sentence."""
    return f"{count} option{'' if count == 1 else 's'} of {named(tables)}: {why}"


def placed(plan: Sequence[Any]) -> List[Tuple[Any, ...]]:
    """What a plan comes to, of TorchRec's `ShardingOption`s with ranks: equal for equal plans."""
    return sorted(
        (o.path, o.name, o.sharding_type, o.compute_kernel, tuple((tuple(s.size), s.rank) for s in o.shards)) for o in plan
    )


def rating_of(plan: Sequence[Any]) -> float:
    """What TorchRec minimises: the milliseconds of the slowest rank."""
    costs: Dict[int, float] = {}
    for option in plan:
        for shard in option.shards:
            costs[shard.rank] = costs.get(shard.rank, 0.0) + shard.perf.total
    return max(costs.values(), default=0.0)


def answer_of(plan_file: Dict[str, Any], cached: bool = False, stopped: bool = False) -> Answer:
    """The answer in a plan file of `shardproof plan --json`."""
    objective = plan_file["objective"]
    return Answer(
        status="proved" if plan_file["status"] == "proved" else "feasible",
        value=objective["value"],
        bound=objective["bound"],
        gap=objective["gap"],
        seconds=0.0 if cached else plan_file["timing"]["totalSeconds"],
        cached=cached,
        stopped=stopped,
        baselines={each["method"]: each["value"] for each in plan_file["baseline"]},
        left_out=tuple(options_of(e["options"], e["tables"], e["reason"]) for e in plan_file.get("leftOut") or ()),
        goals=tuple(Goal(*map(each.get, GOAL)) for each in plan_file.get("stages") or ()),
        moved_bytes=(plan_file.get("migration") or {}).get("bytes", {}).get("received"),
        plan_file=plan_file,
    )
