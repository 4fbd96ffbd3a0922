"""A planner for TorchRec whose plans are proved optimal: `ShardproofPlanner`, a drop-in for `EmbeddingShardingPlanner`.

Importing this package needs nothing; the planner and the loader import TorchRec when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answer import Answer, Goal

if TYPE_CHECKING:
    from .loader import ShardproofPlanLoader
    from .planner import ShardproofPlanner

__all__ = ["Answer", "Goal", "ShardproofPlanLoader", "ShardproofPlanner"]


def __getattr__(name: str) -> Any:
    if name == "ShardproofPlanner":
        from .planner import ShardproofPlanner

        return ShardproofPlanner
    if name == "ShardproofPlanLoader":
        from .loader import ShardproofPlanLoader

        return ShardproofPlanLoader
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
