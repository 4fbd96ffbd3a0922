"""With TorchRec itself, on meta devices; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, List

from support import posing, real_command

try:
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as mp
    from torchrec.distributed.embeddingbag import EmbeddingBagCollectionSharder
    from torchrec.distributed.planner import EmbeddingShardingPlanner, ParameterConstraints, Topology
    from torchrec.distributed.planner.enumerators import EmbeddingEnumerator
    from torchrec.distributed.planner.perf_models import NoopPerfModel, NoopStorageModel
    from torchrec.distributed.planner.types import PlannerError
    from torchrec.modules.embedding_configs import EmbeddingBagConfig
    from torchrec.modules.embedding_modules import EmbeddingBagCollection

    from shardproof_torchrec import ShardproofPlanLoader, ShardproofPlanner

    WHY = "" if real_command() else "needs Node and the built program (npm run build)"
except ImportError as error:
    WHY = f"needs torch and TorchRec: {error}"

GIB = 1024**3


def bags(**tables: tuple) -> "EmbeddingBagCollection":
    """Tables of (rows, columns)."""
    return EmbeddingBagCollection(
        tables=[
            EmbeddingBagConfig(name=name, num_embeddings=rows, embedding_dim=dim, feature_names=[name])
            for name, (rows, dim) in tables.items()
        ],
        device=torch.device("meta"),
    )


def topology(hbm: int = GIB) -> "Topology":
    return Topology(world_size=4, local_world_size=2, compute_device="cuda", hbm_cap=hbm, ddr_cap=GIB)


def planner(**more: Any) -> "ShardproofPlanner":
    more = {"topology": topology(), "stats": [], "command": real_command(), **more}
    return ShardproofPlanner(**more)


def sharders() -> List[Any]:
    return [EmbeddingBagCollectionSharder()]


def ranks_of(plan: Any) -> dict:
    return {
        (path, name): (each.sharding_type, each.compute_kernel, each.ranks)
        for path, module_plan in plan.plan.items()
        for name, each in module_plan.items()
    }


@unittest.skipIf(WHY, WHY)
class Planner(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def model(self) -> Any:
        return bags(a=(400_000, 128), b=(300_000, 64), c=(100, 16))

    def test_torchrec_rates_the_plan_as_it_was_proved(self) -> None:
        ours, model = planner(), self.model()
        plan = ours.plan(model, sharders())
        last = ours.last
        assert last is not None and last.value is not None and last.bound is not None
        self.assertEqual(last.status, "proved")
        rating = NoopPerfModel(topology()).rate(ours._best_plan)
        self.assertAlmostEqual(rating, last.value, delta=1e-12 * rating)
        theirs = EmbeddingShardingPlanner(topology=topology(), stats=[])
        theirs.plan(model, sharders())
        self.assertGreaterEqual(NoopPerfModel(topology()).rate(theirs._best_plan), last.bound * (1 - 1e-12))
        self.assertEqual(set(plan.plan[""]), {"a", "b", "c"})

    def test_constraints_are_in_the_plan(self) -> None:
        from torchrec.distributed.types import CacheParams

        cache = CacheParams(load_factor=0.3)
        given = {"a": ParameterConstraints(compute_kernels=["fused_uvm_caching"], cache_params=cache, enforce_hbm=True)}
        found = planner(constraints=given).plan(self.model(), sharders()).plan[""]["a"]
        self.assertEqual((found.cache_params, found.enforce_hbm), (cache, True))

    def test_constraints_of_all_tables_with_a_tables_own_on_top(self) -> None:
        own = {"a": ParameterConstraints(sharding_types=["row_wise"], pooling_factors=[3.0])}
        every = ParameterConstraints(sharding_types=["table_wise"], compute_kernels=["fused"])
        ours, model = planner(constraints=own, default_constraints=every), self.model()
        plan = ours.plan(model, sharders())
        found = {key[1]: kinds[:2] for key, kinds in ranks_of(plan).items()}
        table_wise = ("table_wise", "fused")
        self.assertEqual(found, {"a": ("row_wise", "fused"), "b": table_wise, "c": table_wise})
        said = {"a": ParameterConstraints(sharding_types=["row_wise"], compute_kernels=["fused"], pooling_factors=[3.0])}
        theirs = planner(constraints={**said, "b": every, "c": every})
        self.assertEqual(ranks_of(theirs.plan(model, sharders())), ranks_of(plan))
        assert ours.last is not None and theirs.last is not None
        self.assertEqual(ours.last.value, theirs.last.value)
        enumerator = EmbeddingEnumerator(topology=topology(), batch_size=8)
        with self.assertRaisesRegex(ValueError, "default_constraints are for the planner's own enumerator"):
            planner(enumerator=enumerator, default_constraints=every)

    def test_goals_and_moves(self) -> None:
        model = self.model()
        first = EmbeddingShardingPlanner(topology=topology(), stats=[]).plan(model, sharders())
        goals = [{"minimize": "largest-cost", "allow": "10 %"}, "largest-hbm", "phases"]
        ours = planner(goals=goals, moves_from=first, most_moved=1)
        plan = ours.plan(model, sharders())
        last = ours.last
        assert last is not None and last.moved_bytes is not None
        self.assertEqual([goal.minimize for goal in last.goals], ["largest-cost", "largest-hbm", "phases"])
        before, after = ranks_of(first), ranks_of(plan)
        self.assertLessEqual(sum(before[key] != after[key] for key in before), 1)
        with self.assertRaisesRegex(ValueError, "most_moved"):
            planner(most_moved=1)

    def test_statistics_are_torchrecs(self) -> None:
        logged: List[dict] = []

        class Stats:
            def log(self, **given: Any) -> None:
                logged.append(given)

        ours = planner(stats=Stats())
        ours.plan(self.model(), sharders())
        [given] = logged
        self.assertEqual((given["num_proposals"], given["num_plans"]), (1, 1))
        self.assertEqual(sorted(option.name for option in given["best_plan"]), ["a", "b", "c"])

    def test_a_callback_that_changes_the_plan_is_said(self) -> None:
        def on_rank_0(plan: list) -> list:
            for found in plan:
                if found.sharding_type == "table_wise":
                    found.shards[0].rank = 0
            return plan

        few = {name: ParameterConstraints(sharding_types=["table_wise"]) for name in "abc"}
        ours, model = planner(callbacks=[on_rank_0], constraints=few), self.model()
        plan = ours.plan(model, sharders())
        self.assertEqual({name: each.ranks for name, each in plan.plan[""].items()}, {"a": [0], "b": [0], "c": [0]})
        last = ours.last
        assert last is not None and last.value is not None and last.bound is not None
        self.assertAlmostEqual(last.value, NoopPerfModel(topology()).rate(ours._best_plan), delta=1e-12)
        self.assertEqual((last.status, last.plan_file), ("changed", {}))
        self.assertGreater(last.value, last.bound)
        self.assertRegex(str(last), "ms: a callback changed the plan of .* ms that shardproof chose; bound")
        same = planner(callbacks=[lambda plan: list(reversed(plan))], constraints=few)
        same.plan(model, sharders())
        assert same.last is not None
        self.assertEqual(same.last.status, "proved")

    def test_a_second_plan_of_one_planner(self) -> None:
        ours, model = planner(cache=Path(self.folder, "cache")), self.model()
        first = ours.plan(model, sharders())
        assert ours.last is not None
        self.assertFalse(ours.last.cached)
        second = ours.plan(model, sharders())
        self.assertTrue(ours.last.cached)
        self.assertEqual(ranks_of(first), ranks_of(second))

    def test_nothing_to_shard(self) -> None:
        ours = planner(command=["/nowhere"])
        self.assertEqual(ours.plan(torch.nn.Linear(2, 2), sharders()).plan, {})
        self.assertIsNone(ours.last)

    def test_no_sharder_for_a_module(self) -> None:
        ours = planner(command=["/nowhere"])
        self.assertEqual(ours.plan(bags(a=(100, 8)), []).plan, {})

    def test_what_does_not_fit_is_an_error_in_one_line(self) -> None:
        only = {name: ParameterConstraints(compute_kernels=["fused"]) for name in "abc"}
        model = bags(a=(9_000_000, 128), b=(9_000_000, 128), c=(100, 16))
        with self.assertRaises(PlannerError) as caught:
            planner(constraints=only, fallback=True).plan(model, sharders())
        self.assertEqual(caught.exception.error_type.value, "insufficient_storage")
        self.assertRegex(str(caught.exception), "^shardproof: proved: no plan fits: [^\n]*too much together: [ab]")

    def test_a_command_that_is_not_there(self) -> None:
        said = "^shardproof: the command '/nowhere' is not there; install it [^\n]*$"
        with self.assertRaisesRegex(PlannerError, said):
            planner(command="/nowhere").plan(self.model(), sharders())

    def test_the_default_planner_only_where_asked_for_and_said(self) -> None:
        ours = planner(command="/nowhere", fallback=True)
        with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
            plan = ours.plan(self.model(), sharders())
        theirs = EmbeddingShardingPlanner(topology=topology(), stats=[]).plan(self.model(), sharders())
        self.assertEqual(ranks_of(plan), ranks_of(theirs))
        assert ours.last is not None
        self.assertEqual(ours.last.status, "fallback")
        self.assertRegex(str(ours.last), "default planner: the command '/nowhere' is not there")
        self.assertRegex(logged.output[0], "TorchRec's default planner makes the plan")

    def test_arguments_that_cannot_be_meant(self) -> None:
        for more, said in (
            ({"performance_model": NoopStorageModel(topology())}, "NoopStorageModel"),
            ({"time_limit": -1}, "time_limit"),
            ({"gap": 1}, "gap"),
        ):
            with self.assertRaisesRegex(ValueError, said):
                planner(**more)

    def test_the_page(self) -> None:
        page = Path(self.folder, "page.html")
        ours = planner(page=page, time_limit=20)
        start = time.monotonic()
        ours.plan(self.model(), sharders())
        self.assertLess(time.monotonic() - start, 22)
        assert ours.last is not None
        self.assertEqual(ours.last.page, page)
        self.assertIn("proved", page.read_text())

    def test_a_plan_kept_for_other_planners(self) -> None:
        path = Path(self.folder, "plan.json")
        ours, model = planner(), self.model()
        made = ours.plan(model, sharders())
        try:
            ours.save_plan(path)
        except PlannerError as error:
            self.skipTest(str(error))
        loader = ShardproofPlanLoader(path)
        theirs = EmbeddingShardingPlanner(topology=topology(), stats=[], plan_loader=loader)
        self.assertEqual(ranks_of(theirs.plan(model, sharders())), ranks_of(made))
        again = planner(command="/nowhere", plan_loader=ShardproofPlanLoader(path))
        self.assertEqual(ranks_of(again.plan(model, sharders())), ranks_of(made))
        assert again.last is not None
        self.assertEqual(again.last.status, "loaded")
        other = EmbeddingShardingPlanner(topology=topology(2 * GIB), batch_size=7, stats=[], plan_loader=loader)
        with self.assertRaisesRegex(PlannerError, "mismatch"):
            other.plan(model, sharders())
        path.write_text(json.dumps({}))
        with self.assertRaisesRegex(PlannerError, "is no plan of"):
            ShardproofPlanLoader(path)

    def test_every_rank_has_the_plan_or_the_error(self) -> None:
        broken = posing(self.folder, "sys.exit(70)")
        for command, wanted in ((real_command(), "proved"), (broken, "other: shardproof: it ended")):
            results = mp.get_context("spawn").Queue()
            store = os.path.join(self.folder, f"store{wanted[:1]}")
            ranks = [
                mp.get_context("spawn").Process(target=_collective, args=(rank, store, command, results))
                for rank in range(2)
            ]
            for process in ranks:
                process.start()
            found = [results.get(timeout=120) for _ in ranks]
            for process in ranks:
                process.join(30)
            self.assertEqual(len(found), 2)
            self.assertTrue(all(each.startswith(wanted) for each in found), found)
            self.assertEqual(len({each.split(" (on rank")[0] for each in found}), 1, found)


def _collective(rank: int, store: str, command: Any, results: Any) -> None:
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    ours = planner(topology=Topology(world_size=2, compute_device="cpu"), command=command)
    try:
        plan = ours.collective_plan(bags(a=(400, 16), b=(300, 8)), sharders(), dist.GroupMember.WORLD)
        results.put(f"{ours.last.status if ours.last else None} {ranks_of(plan)}")
    except PlannerError as error:
        results.put(f"{error.error_type.value}: {error}")
    dist.destroy_process_group()


if __name__ == "__main__":
    unittest.main()
