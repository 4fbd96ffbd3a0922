"""Plans that were found before: a folder of instances and plan files, by the instance's hash."""

from __future__ import annotations

import json
import logging
import os
import uuid
from pathlib import Path
from typing import Any, Dict, Optional

from .instance import digest
from .plan_digest import plan_digest

logger = logging.getLogger("shardproof_torchrec")


class Cache:
    """`<hash>.plan.json` beside `<hash>.instance.json`: what `shardproof verify` and `report` read.

    The key is the hash of the whole instance and not TorchRec's hash of a planner's context, which leaves out the costs
    and rounds the devices' memory: a plan that was best for other costs must not be taken for the best.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, instance: bytes, gap: float, seed: int, time_limit: float) -> Optional[Dict[str, Any]]:
        """A plan that was proved to the gap, or searched for as long as is asked now, in seconds, but for a tenth: what goes
        before a search is not always as quick. A file that is not as it was kept, is of
        another instance or says proved of what its numbers leave open is none. Its certificate is not checked again here:
        `shardproof verify` does that."""
        path = self._path(instance, "plan")
        try:
            plan_file: Dict[str, Any] = json.loads(path.read_bytes())
            request, objective = plan_file["request"], plan_file["objective"]
            if plan_file["digest"] != plan_digest(plan_file):
                raise ValueError("it was changed since it was kept: its digest is another")
            if plan_file["instance"]["sha256"] != digest(instance):
                raise ValueError("it is of another instance")
            # Of goals in order each has a gap of its own, and the first may be above its least by what it allows.
            left = request["gap"] if plan_file.get("stages") else _gap(**objective)
            left = left if plan_file["status"] == "proved" else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            logger.warning("%s is no plan to be trusted, and is written again: %s", path, error)
            return None
        if left is not None:
            return plan_file if left <= gap else None
        same = request["seed"] == seed and request["gap"] == gap and request["timeLimitSeconds"] >= 0.9 * time_limit
        return plan_file if same else None

    def put(self, instance: bytes, plan_file: Dict[str, Any]) -> None:
        """Keeps a plan, with what `get` knows it by. A folder that cannot be written is a warning."""
        known = {"instance": {"sha256": digest(instance)}, **plan_file}
        known.setdefault("digest", plan_digest(known))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(instance, "instance"), instance)
            write_whole(self._path(instance, "plan"), json.dumps(known).encode())
        except OSError as error:
            logger.warning("the plan is not kept: %s", error)

    def _path(self, instance: bytes, kind: str) -> Path:
        return self._folder / f"{digest(instance)[:32]}.{kind}.json"


def write_whole(path: Path, content: bytes) -> None:
    """Whole or not at all: jobs on other hosts, with process numbers of their own, may share the folder. Raises `OSError`."""
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _gap(value: float, bound: float, gap: float, **_: Any) -> float:
    """What is open between value and bound, whatever the file says."""
    return max(gap, (value - bound) / value if value > 0 else value - bound)
