"""Plans that were found before: a folder of instances and plan files, by the instance's hash."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any, Dict, Optional

from .instance import digest

logger = logging.getLogger("shardproof_torchrec")


class Cache:
    """`<hash>.plan.json` beside `<hash>.instance.json`: what `shardproof verify` and `report` read.

    The key is the hash of the whole instance and not TorchRec's hash of a planner's context, which leaves out the costs
    and rounds the devices' memory: a plan that was best for other costs must not be taken for the best.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, instance: bytes, gap: float, seed: int, time_limit: float) -> Optional[Dict[str, Any]]:
        """A plan that was proved to the gap, or searched for as long as is asked now."""
        path = self._path(instance, "plan")
        try:
            plan_file: Dict[str, Any] = json.loads(path.read_bytes())
            request, left = plan_file["request"], plan_file["objective"]["gap"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("%s is no plan file, and is written again: %s", path, error)
            return None
        if plan_file["status"] == "proved" and left <= gap:
            return plan_file
        same = request["seed"] == seed and request["gap"] == gap and request["timeLimitSeconds"] >= time_limit
        return plan_file if same else None

    def put(self, instance: bytes, plan_file: Dict[str, Any]) -> None:
        """Keeps a plan. A folder that cannot be written is a warning."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(self._path(instance, "instance"), instance)
            self._write(self._path(instance, "plan"), json.dumps(plan_file).encode())
        except OSError as error:
            logger.warning("the plan is not kept: %s", error)

    def _path(self, instance: bytes, kind: str) -> Path:
        return self._folder / f"{digest(instance)[:32]}.{kind}.json"

    @staticmethod
    def _write(path: Path, content: bytes) -> None:
        """Whole or not at all: jobs may share the folder."""
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
