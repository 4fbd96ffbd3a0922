"""What can go wrong between TorchRec and shardproof, before it becomes a `PlannerError` of TorchRec's."""

from __future__ import annotations


class ShardproofError(Exception):
    """One line in plain words. `kind` is the value of the `PlannerErrorType` that it becomes."""

    kind = "other"


class Infeasible(ShardproofError):
    """Proved: no plan fits."""

    kind = "insufficient_storage"


class Refused(Infeasible):
    """No option of a table can be run: TorchRec's own planner, module or kernel refuses all of them."""

    kind = "strict_constraints"


class NoPlan(ShardproofError):
    """No plan was found within the limit, and none was proved not to be there."""

    kind = "partition"


class OutOfTime(ShardproofError):
    """The program had not ended when the time was over."""


class NotInstance(ShardproofError):
    """Options of TorchRec's that an instance of shardproof cannot say."""

    kind = "strict_constraints"
