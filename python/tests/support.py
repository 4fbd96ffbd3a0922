"""Recorded options as objects that look like TorchRec's, and programs that pose as shardproof."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from shardproof_torchrec.instance import Cluster, Rank  # noqa: E402

BUILT = HERE.parent.parent / "dist" / "src" / "cli" / "main.js"


def recorded(name: str) -> Dict[str, Any]:
    return json.loads((HERE / "fixtures" / f"{name}.json").read_text())


def option(
    path: str, name: str, sharding_type: str, partition_by: str, shards: List[list], **more: Any
) -> SimpleNamespace:
    """`shards`: [cost, HBM, DDR, SSD] of each."""
    kinds = [(cost, SimpleNamespace(hbm=hbm, ddr=ddr, ssd=ssd)) for cost, hbm, ddr, ssd in shards]
    return SimpleNamespace(
        path=path,
        name=name,
        sharding_type=sharding_type,
        partition_by=partition_by,
        compute_kernel=more.get("compute_kernel", "fused"),
        dependency=more.get("dependency"),
        shards=[SimpleNamespace(perf=SimpleNamespace(total=cost), storage=storage) for cost, storage in kinds],
    )


def options_of(file: Dict[str, Any]) -> List[SimpleNamespace]:
    return [option(**each) for each in file["options"]]


def cluster_of(file: Dict[str, Any]) -> Cluster:
    return Cluster(file["ranksPerHost"], tuple(Rank(*each) for each in file["ranks"]))


def plan_file(file: Dict[str, Any]) -> Dict[str, Any]:
    """As `shardproof plan --json` prints it, without what the package does not read."""
    request = {"gap": 1e-9, "timeLimitSeconds": 60, "seed": 0}
    more = {"request": request, "infeasibility": None, "timing": {"totalSeconds": 1}}
    return {**json.loads(json.dumps(file["plan"])), **more}


def posing(folder: str, body: str) -> List[str]:
    """A command that runs `body`, which may use `json`, `signal`, `sys`, `time` and `print_plan(status, **parts)`."""
    path = Path(folder) / "shardproof"
    path.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return [str(path)]


def real_command() -> Optional[List[str]]:
    """The built program, or that of SHARDPROOF_COMMAND; None where neither is."""
    if os.environ.get("SHARDPROOF_COMMAND"):
        return os.environ["SHARDPROOF_COMMAND"].split()
    node = shutil.which("node")
    return [node, str(BUILT)] if node is not None and BUILT.exists() else None


needs_shardproof = unittest.skipUnless(real_command(), "needs Node and the built program (npm run build)")
