"""From TorchRec's options to chosen ranks: instance, answer, checks. It imports nothing of TorchRec."""

from __future__ import annotations

import dataclasses
import logging
import time
from pathlib import Path
from typing import Any, List, Optional, Sequence, Tuple, Union

from . import command as program
from .answer import Answer, answer_of
from .cache import Cache
from .errors import Infeasible, NoPlan, ShardproofError
from .instance import Choice, Cluster, Table, choices_of, instance_of, tables_of
from .rules import better_baseline, overfull, pins_of, rating, runnable, scattered

logger = logging.getLogger("shardproof_torchrec")


@dataclasses.dataclass(frozen=True)
class Request:
    """What is asked for: see `ShardproofPlanner`."""

    command: Union[None, str, Sequence[str]] = None
    time_limit: float = 60.0
    gap: float = 1e-9
    seed: int = 0
    cache: Optional[Path] = None
    page: Optional[Path] = None


def solve(search_space: Sequence[Any], cluster: Cluster, request: Request) -> Tuple[List[Choice], Answer]:
    """The best choice of one option for each table, with ranks, and what was proved of it. Raises `ShardproofError`."""
    tables, left_out = _kept(search_space, cluster)
    start = time.monotonic()
    instance = instance_of(cluster, tables)
    try:
        answer = _ask(instance, request, request.time_limit)
    except Infeasible as error:
        if not left_out:
            raise
        raise NoPlan(f"{error}; left out: {left_out[0]}") from None
    choices = choices_of(answer.plan_file, cluster, tables)
    if scattered(choices, cluster):
        # With hosts given to towers the plan is one of TorchRec's; the bound, proved without, holds for all of them.
        left = max(1.0, request.time_limit - (time.monotonic() - start))
        bound = answer.bound
        instance = instance_of(cluster, tables, pins_of(choices, tables, cluster))
        try:
            answer = _ask(instance, request, left)
        except ShardproofError as error:
            raise NoPlan(f"with a host for each embedding tower: {error}") from None
        choices = choices_of(answer.plan_file, cluster, tables)
        answer = _revalued(answer, answer.value, bound, request.gap)
    found = better_baseline(answer.plan_file, cluster, tables)
    if found is not None:
        method, choices = found
        logger.warning("the limit came before the search was as far as %s: its plan is taken", method)
        answer = _revalued(answer, rating(choices, cluster), answer.bound, request.gap)
    violated = overfull(choices, cluster)
    if violated is not None:
        raise ShardproofError(f"its plan breaks a limit: {violated}")
    answer = dataclasses.replace(answer, left_out=(*left_out, *answer.left_out))
    if request.page is not None:
        try:
            program.report(program.find_command(request.command), instance, dict(answer.plan_file), request.page)
            answer = dataclasses.replace(answer, page=request.page)
        except ShardproofError as error:
            logger.warning("no page was written: %s", error)
    return choices, answer


def _kept(search_space: Sequence[Any], cluster: Cluster) -> Tuple[List[Table], Tuple[str, ...]]:
    """The tables with the options that the proof is about, and what it is not about, in words."""
    tables, without = tables_of(search_space, cluster)
    tables, ruled = runnable(tables, cluster)
    for rule, (count, names) in ruled.items():
        named = f"{len(names)} tables ({names[0]}, …)" if len(names) > 1 else names[0]
        logger.info("left out, as TorchRec cannot run them: %d options of %s: %s", count, named, rule)
    if not without:
        return tables, ()
    # One is named: a model may have thousands.
    named = f"{len(without)} tables ({without[0]}, …)" if len(without) > 1 else without[0]
    said = f"row_wise of {named}, cut in unequal parts as the ranks' memory differs"
    logger.warning("left out, and not in the proof: %s", said)
    return tables, (said,)


def _ask(instance: bytes, request: Request, time_limit: float) -> Answer:
    cache = None if request.cache is None else Cache(request.cache)
    if cache is not None:
        known = cache.get(instance, request.gap, request.seed, time_limit)
        if known is not None:
            return answer_of(known, cached=True)
    options = ["--gap", repr(request.gap), "--seed", str(request.seed)]
    plan_file, stopped = program.plan(program.find_command(request.command), instance, time_limit, options)
    if cache is not None and not stopped:
        cache.put(instance, plan_file)
    return answer_of(plan_file, stopped=stopped)


def _revalued(answer: Answer, value: Optional[float], bound: Optional[float], gap: float) -> Answer:
    """The answer for another plan, or with a bound that holds for more plans than those it was chosen from."""
    if bound is None or value is None:
        return dataclasses.replace(answer, status="feasible", value=value, bound=None, gap=None)
    left = max(0.0, value - bound) / value if value > 0 else 0.0
    status = "proved" if left <= gap else "feasible"
    return dataclasses.replace(answer, status=status, value=value, bound=bound, gap=left)
