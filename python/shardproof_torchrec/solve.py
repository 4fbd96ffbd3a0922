"""From TorchRec's options to chosen ranks: instance, answer, checks. It imports nothing of TorchRec."""

from __future__ import annotations

import dataclasses
import logging
import time
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from . import command as program
from .answer import Answer, answer_of, named, options_of
from .cache import Cache, write_whole
from .errors import Infeasible, NoPlan, OutOfTime, ShardproofError
from .instance import Choice, Cluster, Table, asked_of, choices_of, instance_of, tables_of
from .rules import better_baseline, overfull, pins_of, rating, runnable, scattered

logger = logging.getLogger("shardproof_torchrec")


#: Where a page is asked for, the share of the time limit that is kept for it; seconds kept for starting and handing over.
PAGE_SHARE, OWN_SECONDS = 0.35, 0.5

#: Seconds past the time limit after which what has not ended is ended.
OVER_SECONDS = 1.5


@dataclasses.dataclass(frozen=True)
class Request:
    """What is asked for: see `ShardproofPlanner`."""

    command: Union[None, str, Sequence[str]] = None
    #: Seconds for everything, from `started` on, which is of `time.monotonic`; without it, from `solve` on.
    time_limit: float = 60.0
    started: Optional[float] = None
    gap: float = 1e-9
    seed: int = 0
    cache: Optional[Path] = None
    page: Optional[Path] = None
    #: Goals in order, in the instance's words: `{"minimize": "largest-hbm", "allow": "5 %"}`.
    goals: Tuple[Mapping[str, Any], ...] = ()
    #: Where tables are now, by path and name: `sharding_type`, `compute_kernel`, `ranks`.
    current: Optional[Mapping[Tuple[str, str], Mapping[str, Any]]] = None
    #: How many tables may be elsewhere than `current` has them; None: all.
    most_moved: Optional[int] = None


def solve(search_space: Sequence[Any], cluster: Cluster, request: Request) -> Tuple[List[Choice], Answer]:
    """The best choice of one option for each table, with ranks, and what was proved of it. Raises `ShardproofError`."""
    ends = (request.started or time.monotonic()) + request.time_limit
    tables, left_out, not_run = _kept(search_space, cluster)
    asked = asked_of(tables, request.goals, request.current, request.most_moved)
    instance = instance_of(cluster, tables, asked=asked)
    counts = len(tables), sum(len(table.options) for table in tables), len(cluster.ranks)
    logger.info("shardproof: %d tables with %d options for %d ranks", *counts)
    towers = any(getattr(table.options[0], "dependency", None) is not None for table in tables)
    try:
        # Where towers may have to be given hosts there is a second search.
        answer = _ask(instance, request, ends, 0.5 if towers else 1.0)
    except Infeasible as error:
        if left_out:
            raise NoPlan(f"{error}; left out: {left_out[0]}") from None
        if not_run:
            # With these it may fit TorchRec's planner, and not its kernels.
            raise Infeasible(f"{error}; left out, as TorchRec cannot run them: {'; '.join(not_run)}") from None
        raise
    choices = choices_of(answer.plan_file, cluster, tables)
    if scattered(choices, cluster):
        # With hosts given to towers the plan is one of TorchRec's; the bound, proved without, holds for all of them.
        bound = answer.bound
        instance = instance_of(cluster, tables, pins_of(choices, tables, cluster), asked)
        try:
            answer = _ask(instance, request, ends, 1.0)
        except ShardproofError as error:
            raise NoPlan(f"with a host for each embedding tower: {error}") from None
        choices = choices_of(answer.plan_file, cluster, tables)
        answer = _revalued(answer, answer.value, bound, request.gap)
    # Such a plan knows nothing of goals, nor of tables that are to stay.
    found = None if "goals" in asked or request.most_moved is not None else better_baseline(answer.plan_file, cluster, tables)
    if found is not None:
        method, choices = found
        logger.warning("the limit came before the search was as far as %s: its plan is taken", method)
        answer = _revalued(answer, rating(choices, cluster), answer.bound, request.gap)
    violated = overfull(choices, cluster)
    if violated is not None:
        raise ShardproofError(f"its plan breaks a limit: {violated}")
    if request.goals and request.goals[0]["minimize"] != "largest-cost":
        answer = dataclasses.replace(answer, value=rating(choices, cluster), bound=None, gap=None)
    answer = dataclasses.replace(answer, left_out=(*left_out, *answer.left_out), not_run=not_run)
    return choices, answer if request.page is None else _with_page(answer, instance, request, request.page, ends)


def _with_page(answer: Answer, instance: bytes, request: Request, page: Path, ends: float) -> Answer:
    """First the page alone; then, if there is time, the one that says of every step of the proof that it was checked again."""
    drawn = None
    for check in (False, True):
        start = time.monotonic()
        try:
            command = program.find_command(request.command)
            content = program.report(command, instance, dict(answer.plan_file), check, ends if check else ends + OVER_SECONDS)
            write_whole(page, content)
        except (ShardproofError, OSError) as error:
            said = "no page was written" if drawn is None else "the page does not say that the plan was checked again"
            out_of_time = drawn is not None and isinstance(error, OutOfTime)
            logger.log(logging.INFO if out_of_time else logging.WARNING, "%s: %s", said, error)
            break
        drawn = page
        logger.info("shardproof: wrote %s%s", page, ", the plan checked again" if check else "")
        # A check takes longer than drawing.
        if ends - time.monotonic() < time.monotonic() - start:
            break
    return dataclasses.replace(answer, page=drawn)


def _kept(search_space: Sequence[Any], cluster: Cluster) -> Tuple[List[Table], Tuple[str, ...], Tuple[str, ...]]:
    """The tables with the options that the proof is about; what it is not about, and what cannot be run, in words."""
    tables, without = tables_of(search_space, cluster)
    tables, ruled = runnable(tables, cluster)
    not_run = tuple(options_of(count, names, rule) for rule, (count, names) in ruled.items())
    for said in not_run:
        logger.warning("left out, as TorchRec cannot run them: %s", said)
    if not without:
        return tables, (), not_run
    said = f"row_wise of {named(without)}, cut in unequal parts as the ranks' memory differs"
    logger.warning("left out, and not in the proof: %s", said)
    return tables, (said,), not_run


def _ask(instance: bytes, request: Request, ends: float, share: float) -> Answer:
    """`share`: of the time that is left until it `ends`, and that the page does not need."""
    left = max(1.0, ends - time.monotonic())
    seconds = max(left / 2, left - OWN_SECONDS) * share * (1.0 if request.page is None else 1.0 - PAGE_SHARE)
    cache = None if request.cache is None else Cache(request.cache)
    if cache is not None:
        known = cache.get(instance, request.gap, request.seed, seconds)
        if known is not None:
            return answer_of(known, cached=True)
    options = ["--gap", repr(request.gap), "--seed", str(request.seed)]
    command = program.find_command(request.command)
    plan_file, stopped = program.plan(command, instance, seconds, options, max(ends, time.monotonic() + 1.0) + OVER_SECONDS)
    if cache is not None and not stopped:
        cache.put(instance, plan_file)
    return answer_of(plan_file, stopped=stopped)


def _revalued(answer: Answer, value: Optional[float], bound: Optional[float], gap: float) -> Answer:
    """The answer for another plan, or with a bound that holds for more plans than those it was chosen from."""
    if bound is None or value is None:
        return dataclasses.replace(answer, status="feasible", value=value, bound=None, gap=None)
    left = max(0.0, value - bound) / value if value > 0 else 0.0
    # Of several goals the later ones were proved for these hosts alone.
    status = "proved" if left <= gap and not answer.goals else "feasible"
    return dataclasses.replace(answer, status=status, value=value, bound=bound, gap=left)
