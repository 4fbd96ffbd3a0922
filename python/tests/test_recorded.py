"""Options recorded from TorchRec's enumerator: what becomes of them, and of the answer. Needs nothing but Python."""

from __future__ import annotations

import json
import unittest
import tempfile
from pathlib import Path
from types import SimpleNamespace

from support import cluster_of, needs_shardproof, option, options_of, plan_file, real_command, recorded

from shardproof_torchrec import command
from shardproof_torchrec.errors import Infeasible, NoPlan, NotInstance, Refused, ShardproofError
from shardproof_torchrec.instance import Choice, Cluster, Rank, Table, choices_of, digest, has_place, instance_of, tables_of
from shardproof_torchrec.rules import better_baseline, overfull, pins_of, rating, runnable, scattered
from shardproof_torchrec.solve import Request, solve
from shardproof_torchrec.units import amount, in_units

PLANNED = ("two-collections", "towers")


def two_ranks(hosts: int = 1, hbm: int = 100, ssd: int = 0) -> Cluster:
    return Cluster(2, tuple(Rank(hbm, 10, ssd) for _ in range(2 * hosts)))


CLUSTER = two_ranks()
GOALS = [("largest-cost", 5, 4, 4), ("largest-hbm", 31, 31, 31)]


class Instances(unittest.TestCase):
    def test_every_option_with_its_costs_and_bytes(self) -> None:
        for name in (*PLANNED, "too-large"):
            file = recorded(name)
            options, cluster = options_of(file), cluster_of(file)
            tables, left_out = tables_of(options, CLUSTER)
            instance = json.loads(instance_of(cluster, tables))
            self.assertEqual(left_out, [])
            found = [each for table in instance["tables"] for each in table["options"]]
            self.assertEqual(len(found), len(options))
            ordered = [each for table in tables for each in table.options]
            for written, real in zip(found, ordered):
                kind = (real.sharding_type, real.compute_kernel, real.partition_by)
                self.assertEqual((written["shardingType"], written["kernel"], written["partitionBy"]), kind)
                shards = [need for count, need in written["shards"] for _ in range(count)]
                needs = [(shard.perf.total, shard.storage.hbm, shard.storage.ddr) for shard in real.shards]
                self.assertEqual([(need["cost"], need["hbmBytes"], need["hostBytes"]) for need in shards], needs)
            given = instance["cluster"]
            self.assertEqual(given["nodes"] * given["gpusPerNode"], len(file["ranks"]))
            self.assertEqual(given["hbmBytesPerGpu"], [hbm for hbm, _, _ in file["ranks"]])
            self.assertEqual(given["hostBytesPerGpu"], [ddr for _, ddr, _ in file["ranks"]])

    def test_the_order_of_the_enumeration_does_not_matter(self) -> None:
        file = recorded("two-collections")
        cluster, options = cluster_of(file), options_of(file)
        for other in (options[::-1], sorted(options, key=lambda o: (o.name, o.compute_kernel))):
            self.assertEqual(*(instance_of(cluster, tables_of(each, cluster)[0]) for each in (options, other)))

    def test_a_whole_table_comes_before_its_one_column_wise_shard(self) -> None:
        kinds = ("data_parallel", "column_wise", "table_wise", "a_new_type")
        tables, _ = tables_of([option("", "t", kind, "device", [[1, 1, 0, 0]]) for kind in kinds], CLUSTER)
        found = [o.sharding_type for o in tables[0].options]
        self.assertEqual(found, ["table_wise", "column_wise", "data_parallel", "a_new_type"])

    def test_tables_of_one_name_in_two_modules_are_two(self) -> None:
        tables, _ = tables_of(options_of(recorded("two-collections")), CLUSTER)
        self.assertEqual([t.name for t in tables], ["items.id", "items.words", "users.country", "users.id"])

    def test_names_that_join_alike_are_told_apart(self) -> None:
        one = option("a.b", "c", "table_wise", "device", [[1, 1, 0, 0]])
        two = option("a", "b.c", "table_wise", "device", [[1, 1, 0, 0]])
        tables, _ = tables_of([one, two], CLUSTER)
        self.assertEqual([(t.name, t.options[0].path) for t in tables], [("a.b.c", "a"), ("a.b.c (2)", "a.b")])

    def test_the_root_module_has_no_path(self) -> None:
        tables, _ = tables_of([option("", "t", "table_wise", "device", [[1, 1, 0, 0]])], CLUSTER)
        self.assertEqual([t.name for t in tables], ["t"])

    def test_rows_cut_by_the_ranks_memory_are_left_out(self) -> None:
        def cut(rows: list, kernel: str = "fused") -> object:
            found = option("m", "t", "row_wise", "uniform", [[1, 1, 0, 0]] * 4, compute_kernel=kernel)
            for shard, count in zip(found.shards, rows):
                shard.size = [count, 8]
            return found

        whole = option("m", "t", "table_wise", "device", [[1, 1, 0, 0]])
        unlike = Cluster(2, (Rank(1, 0), Rank(2, 0), Rank(1, 0), Rank(2, 0)))
        for rows, kernel, kept in (
            ([3, 3, 3, 1], "fused", 2),
            ([2, 2, 1, 0], "fused", 2),
            ([2, 3, 2, 3], "fused", 1),
            ([2, 3, 2, 3], "quant", 2),
        ):
            tables, left_out = tables_of([cut(rows, kernel), whole], unlike)
            self.assertEqual((len(tables[0].options), left_out), (kept, ["m.t"] * (2 - kept)), rows)
        self.assertEqual(len(tables_of([cut([2, 3, 2, 3])], unlike)[0][0].options), 1)

    def test_costs_that_are_no_numbers_are_refused(self) -> None:
        tables, _ = tables_of([option("m", "t", "table_wise", "device", [[float("nan"), 1, 0, 0]])], CLUSTER)
        with self.assertRaisesRegex(NotInstance, "not a finite number"):
            instance_of(two_ranks(), tables)

    def test_ranks_that_are_not_whole_hosts_are_refused(self) -> None:
        with self.assertRaisesRegex(NotInstance, "3 ranks are not whole hosts of 2 ranks"):
            instance_of(Cluster(2, (Rank(1, 1),) * 3), [])

    def test_the_hash_is_of_all_that_counts(self) -> None:
        file = recorded("towers")

        def hashed() -> str:
            return digest(instance_of(cluster_of(file), tables_of(options_of(file), CLUSTER)[0]))

        first = hashed()
        self.assertEqual(first, hashed())
        file["options"][0]["shards"][0][0] *= 1 + 2**-52
        self.assertNotEqual(first, hashed())


class Choices(unittest.TestCase):
    def test_recorded_plans_rate_as_torchrec_rated_them(self) -> None:
        for name in PLANNED:
            file = recorded(name)
            cluster, (tables, _) = cluster_of(file), tables_of(options_of(file), CLUSTER)
            choices = choices_of(plan_file(file), cluster, tables)
            self.assertEqual(rating(choices, cluster), file["rating"])
            self.assertAlmostEqual(file["rating"], file["plan"]["objective"]["value"], delta=1e-12 * file["rating"])
            self.assertGreaterEqual(file["default"], file["plan"]["objective"]["bound"] * (1 - 1e-12))
            self.assertIsNone(overfull(choices, cluster))
            self.assertEqual(scattered(choices, cluster), [])

    def test_a_plan_that_breaks_a_rule_is_an_error(self) -> None:
        file = recorded("two-collections")
        cluster, (tables, _) = cluster_of(file), tables_of(options_of(file), CLUSTER)

        at = 1

        def broken(**changed: object) -> dict:
            plan = plan_file(file)
            plan["tables"][at].update(changed)
            return plan

        self.assertEqual([t["shardingType"] for t in file["plan"]["tables"]].index("grid_shard"), at)
        for changed in (
            {"ranks": [0, 1, 2, 9]},
            {"ranks": [1, 0, 2, 3]},
            {"ranks": []},
            {"name": "another"},
            {"kernel": "imagined"},
        ):
            with self.assertRaises(ShardproofError, msg=str(changed)):
                choices_of(broken(**changed), cluster, tables)

    def test_shards_of_a_host_are_on_one_host_and_in_order(self) -> None:
        cases = {
            ("table_row_wise", "host", 2): ([[0, 1], [2, 3]], [[1, 2], [1, 0], [0, 0]]),
            ("table_column_wise", "host", 2): ([[0, 1], [3, 2], [2, 2]], [[1, 2]]),
            ("grid_shard", "multi_host", 4): ([[0, 1, 2, 3], [2, 3, 0, 1], [0, 1, 0, 1]], [[0, 2, 1, 3], [1, 2, 3, 0]]),
            ("row_wise", "uniform", 4): ([[0, 1, 2, 3]], [[3, 2, 1, 0]]),
            ("column_wise", "device", 2): ([[0, 3], [1, 1]], [[0, 4], [-1, 0]]),
        }
        for (kind, partition, count), (right, wrong) in cases.items():
            tables, _ = tables_of([option("", "t", kind, partition, [[1, 1, 0, 0]] * count)], CLUSTER)
            for ranks in [*right, *wrong]:
                written = {"name": "t", "option": 0, "shardingType": kind, "kernel": "fused", "ranks": ranks}
                if ranks in right:
                    choices_of({"tables": [written]}, two_ranks(2), tables)
                else:
                    with self.assertRaises(ShardproofError, msg=f"{kind} {ranks}"):
                        choices_of({"tables": [written]}, two_ranks(2), tables)

    def test_an_option_is_found_though_the_index_is_of_another_list(self) -> None:
        options = [option("", "t", kind, "device", [[1, 1, 0, 0]]) for kind in ("table_wise", "column_wise")]
        tables, _ = tables_of(options, CLUSTER)
        written = {"name": "t", "option": 0, "shardingType": "column_wise", "kernel": "fused", "ranks": [1]}
        self.assertIs(choices_of({"tables": [written]}, two_ranks(), tables)[0].option, options[1])

    def test_of_options_that_are_alike_the_index_decides(self) -> None:
        options = [option("", "t", "table_wise", "device", [[cost, 1, 0, 0]]) for cost in (1, 2)]
        tables, _ = tables_of(options, CLUSTER)
        for index in (0, 1):
            written = {"name": "t", "option": index, "shardingType": "table_wise", "kernel": "fused", "ranks": [1]}
            self.assertIs(choices_of({"tables": [written]}, two_ranks(), tables)[0].option, options[index])

    def test_a_published_methods_plan_is_taken_where_it_is_better(self) -> None:
        tables, _ = tables_of([option("", name, "table_wise", "device", [[1, 60, 0, 0]]) for name in "ab"], CLUSTER)
        written = [
            {"name": name, "option": 0, "shardingType": "table_wise", "kernel": "fused", "ranks": [0]} for name in "ab"
        ]
        plan = {"objective": {"value": 2}, "tables": written, "baseline": []}
        apart = {"method": "torchrec-greedy", "value": 1, "choices": [[0, [0]], [0, [1]]]}
        self.assertIsNone(better_baseline(plan, two_ranks(), tables))
        none = {"method": "x", "value": None, "choices": None}
        found = better_baseline({**plan, "baseline": [none, apart]}, two_ranks(), tables)
        self.assertEqual((found or ("", []))[0], "torchrec-greedy")
        self.assertEqual([choice.ranks for choice in (found or ("", []))[1]], [(0,), (1,)])
        # As good, of another cost than it says, too full, of an option that is not there.
        full, unknown = [[0, [0]], [0, [0]]], [[0, [0]], [1, [1]]]
        for changed in ({"value": 2}, {"value": 0.5}, {"choices": full}, {"choices": unknown}):
            self.assertIsNone(better_baseline({**plan, "baseline": [{**apart, **changed}]}, two_ranks(), tables))

    def test_memory_of_all_three_kinds(self) -> None:
        for tier, need in enumerate(([101, 0, 0], [0, 11, 0], [0, 0, 6])):
            tables, _ = tables_of([option("", "t", "table_wise", "device", [[1, *need]])], CLUSTER)
            written = {"name": "t", "option": 0, "shardingType": "table_wise", "kernel": "fused", "ranks": [1]}
            cluster = two_ranks(ssd=5)
            found = overfull(choices_of({"tables": [written]}, cluster, tables), cluster)
            self.assertRegex(found or "", f"rank 1 would hold .* bytes of {('HBM', 'DDR', 'SSD')[tier]}")


@needs_shardproof
class Solved(unittest.TestCase):
    """With the program itself."""

    def test_recorded_options_give_the_recorded_optimum(self) -> None:
        for name in PLANNED:
            file = recorded(name)
            choices, answer = solve(options_of(file), cluster_of(file), Request(command=real_command()))
            self.assertEqual(answer.status, "proved")
            self.assertAlmostEqual(answer.value or 0, file["rating"], delta=1e-9 * file["rating"])
            self.assertAlmostEqual(rating(choices, cluster_of(file)), file["rating"], delta=1e-9 * file["rating"])
            self.assertIn("torchrec-greedy", answer.baselines)

    def test_what_does_not_fit_is_proved_not_to_in_the_products_words(self) -> None:
        file = recorded("too-large")
        self.assertEqual(file["error"][0], Infeasible.kind)
        with self.assertRaisesRegex(Infeasible, "proved: no plan fits: .* at least [\\d.]+ MiB .\\d+ bytes. more"):
            solve(options_of(file), cluster_of(file), Request(command=real_command()))

    def test_a_tower_is_on_one_host_and_the_bound_holds_for_all_plans(self) -> None:
        def table(name: str, tower: str) -> object:
            return option("m", name, "table_column_wise", "host", [[3, 60, 0, 0]], dependency=f"m.{tower}")

        # Four tables, four ranks: apart is best, and each tower's two tables fit into one host.
        options = [table("a", "tower_0"), table("b", "tower_0"), table("c", "tower_1"), table("d", "tower_1")]
        big = option("m", "z", "table_wise", "device", [[1, 40, 0, 0]])
        choices, answer = solve([*options, big], two_ranks(2), Request(command=real_command()))
        self.assertEqual(scattered(choices, two_ranks(2)), [])
        self.assertEqual((answer.value, answer.bound, answer.status), (4, 4, "proved"))

    def test_ssds_hold_what_they_have(self) -> None:
        needs = [[1, 1, 0, 5]]
        held = [option("", f"t{i}", "table_wise", "device", needs, compute_kernel="key_value") for i in range(4)]
        choices, answer = solve(held, two_ranks(ssd=10), Request(command=real_command()))
        self.assertEqual((answer.value, answer.plan_file["memory"]["deviceSsdBytes"]), (2, [10, 10]))
        with self.assertRaisesRegex(Infeasible, "all tables need 20 bytes of SSD memory; the 2 devices have 18"):
            solve(held, two_ranks(ssd=9), Request(command=real_command()))
        # Dearer in HBM than on an SSD that is full.
        either = [
            made
            for i in range(4)
            for made in (held[i], option("", f"t{i}", "table_wise", "device", [[3, 1, 0, 0]], compute_kernel="fused"))
        ]
        choices, answer = solve(either, two_ranks(ssd=9), Request(command=real_command()))
        self.assertEqual((answer.value, answer.status), (4, "proved"))
        self.assertEqual(overfull(choices, two_ranks(ssd=9)), None)

    def test_what_the_instance_leaves_out_is_said_beside(self) -> None:
        # Three grid shards are no whole groups of two ranks.
        odd = option("", "t", "grid_shard", "multi_host", [[1, 1, 0, 0]] * 3)
        plain = option("", "t", "table_wise", "device", [[2, 1, 0, 0]])
        _, answer = solve([plain, odd], two_ranks(2), Request(command=real_command()))
        self.assertEqual(
            answer.left_out, ("1 option of t: a number of shards for which the devices have no places",)
        )
        self.assertRegex(str(answer), "proved optimal, among the options but 1 option of t")
        # Beside what is left out before the instance.
        unlike = Cluster(2, (Rank(100, 10), Rank(50, 10)))
        rows = option("", "t", "row_wise", "uniform", [[1, 1, 0, 0]] * 2)
        for shard, part in zip(rows.shards, (7, 3)):
            shard.size = [part, 8]
        _, answer = solve([plain, odd, rows], unlike, Request(command=real_command()))
        self.assertEqual(len(answer.left_out), 2)

    def test_without_ssd_bytes_an_instance_says_nothing_of_them(self) -> None:
        tables, _ = tables_of([option("", "t", "table_wise", "device", [[1, 1, 0, 0]])], two_ranks(ssd=9))
        self.assertNotIn(b"ssd", instance_of(two_ranks(ssd=9), tables))


class Towers(unittest.TestCase):
    def test_towers_get_hosts_costliest_first(self) -> None:
        options = [
            option("m", name, "table_column_wise", "host", [[cost, 1, 0, 0]], dependency=f"m.{tower}")
            for name, cost, tower in (("a", 1, "x"), ("b", 1, "x"), ("c", 5, "y"), ("d", 1, "w"))
        ]
        tables, _ = tables_of(options, CLUSTER)
        written = [
            {"name": f"m.{o.name}", "option": 0, "shardingType": o.sharding_type, "kernel": "fused", "ranks": [rank]}
            for o, rank in zip(options, (0, 2, 1, 3))
        ]
        choices = choices_of({"tables": written}, two_ranks(2), tables)
        self.assertEqual(scattered(choices, two_ranks(2)), ["m.x"])
        pins = pins_of(choices, tables, two_ranks(2))
        self.assertEqual(pins, {"m.c": [0, 1], "m.a": [2, 3], "m.b": [2, 3], "m.d": [2, 3]})
        instance = json.loads(instance_of(two_ranks(2), tables, pins))
        self.assertEqual([each["devices"] for each in instance["tables"]], [[2, 3], [2, 3], [0, 1], [2, 3]])


@needs_shardproof
class GoalsAndMoves(unittest.TestCase):
    """With the program itself."""

    def test_goals_in_order_each_with_its_bound(self) -> None:
        # At a cost of 4 one rank may hold two of the large tables; at 5 each has one.
        options = [
            option("", name, "table_wise", "device", [[cost, hbm, 0, 0]])
            for name, cost, hbm in (("a", 1, 30), ("b", 3, 30), ("c", 2, 1), ("d", 2, 1))
        ]
        with tempfile.TemporaryDirectory() as folder:
            goals = ({"minimize": "largest-cost", "allow": "30 %"}, {"minimize": "largest-hbm"})
            request = Request(command=real_command(), goals=goals, cache=Path(folder))
            choices, answer = solve(options, two_ranks(), request)
            self.assertEqual((answer.status, answer.value), ("proved", 5))
            self.assertEqual([(g.minimize, g.value, g.best, g.bound) for g in answer.goals], GOALS)
            self.assertRegex(str(answer), "; largest-hbm 31 bytes .no less than 31 bytes.")
            self.assertTrue(solve(options, two_ranks(), request)[1].cached)
        memory = Request(command=real_command(), goals=({"minimize": "largest-hbm"}, {"minimize": "largest-cost"}))
        choices, answer = solve(options, two_ranks(), memory)
        self.assertEqual((answer.value, answer.bound), (rating(choices, two_ranks()), None))

    def test_a_goal_that_there_is_not_is_refused_in_one_line(self) -> None:
        options = [option("", "a", "table_wise", "device", [[1, 1, 0, 0]])]
        with self.assertRaisesRegex(ShardproofError, "it refused the options: .*largest-hbm"):
            solve(options, two_ranks(), Request(command=real_command(), goals=({"minimize": "hbm"},)))

    def test_a_plan_of_torchrecs_that_tables_move_from(self) -> None:
        options = [option("m", name, "table_wise", "device", [[2, 2**20, 0, 0]]) for name in "abcd"]
        now = {"sharding_type": "table_wise", "compute_kernel": "fused", "ranks": [0]}
        request = Request(command=real_command(), current={("m", name): now for name in "abcd"}, most_moved=1)
        big = two_ranks(hbm=2**23)
        choices, answer = solve(options, big, request)
        self.assertEqual((sorted(c.ranks[0] for c in choices), answer.value), ([0, 0, 0, 1], 6))
        self.assertEqual(answer.moved_bytes, 2**20)
        self.assertRegex(str(answer), "; 1.00 MiB to move$")
        _, answer = solve(options, big, Request(command=real_command(), current=request.current))
        self.assertEqual((answer.value, answer.moved_bytes), (4, 2**21))
        for each in options:
            each.tensor = SimpleNamespace(shape=(256, 1024), dtype="torch.float16")
        _, answer = solve(options, big, request)
        self.assertEqual(answer.moved_bytes, 2**19)
        with self.assertRaisesRegex(NotInstance, "has none of the model's tables"):
            solve(options, big, Request(command=real_command(), current={}))


class OwnRanks(unittest.TestCase):
    """Column-wise shards of key-value tables are on different ranks."""

    def wide(self, shards: int = 2, kernel: str = "key_value") -> SimpleNamespace:
        return option("", "wide", "column_wise", "device", [[2, 1, 0, 0]] * shards, compute_kernel=kernel)

    def test_it_is_said_to_the_search_and_held_afterwards(self) -> None:
        for kernel in ("key_value", "dram_virtual_table"):
            [table] = tables_of([self.wide(kernel=kernel)], two_ranks())[0]
            written = json.loads(instance_of(two_ranks(), [table]))["tables"][0]["options"][0]
            self.assertTrue(written["distinctDevices"])
            self.assertFalse(has_place(Choice(self.wide(kernel=kernel), (0, 0)), two_ranks()))
            self.assertTrue(has_place(Choice(self.wide(kernel=kernel), (1, 0)), two_ranks()))
        [plain] = tables_of([self.wide(kernel="fused")], two_ranks())[0]
        self.assertNotIn("distinctDevices", json.loads(instance_of(two_ranks(), [plain]))["tables"][0]["options"][0])

    @needs_shardproof
    def test_the_plan_is_proved_with_them(self) -> None:
        # On one rank both shards would be as good as the other table: 4 ms.
        big = option("", "big", "table_wise", "device", [[4, 1, 0, 0]])
        choices, answer = solve([self.wide(), big], two_ranks(), Request(command=real_command()))
        self.assertEqual((answer.value, answer.bound, answer.status), (6, 6, "proved"))
        self.assertEqual(len(set(choices[1].ranks)), 2)


class Runnable(unittest.TestCase):
    """What TorchRec refuses is no option."""

    def sized(self, kind: str, columns: int, shards: int = 1, kernel: str = "fused", **more: object) -> SimpleNamespace:
        made = option("", "t", kind, "device", [[1, 1, 0, 0]] * shards, compute_kernel=kernel)
        for shard in made.shards:
            shard.size = [10, columns]
        for key, value in more.items():
            setattr(made, key, value)
        return made

    def test_what_breaks_a_rule_is_left_out_and_counted(self) -> None:
        good = self.sized("table_wise", 64)
        for bad, rule in (
            (self.sized("table_wise", 10), "multiple of 4"),
            (self.sized("table_wise", 4096), "wider than the 2048"),
            (self.sized("column_wise", 64, 3, "key_value"), "more column shards than ranks"),
            (self.sized("row_wise", 64, 1, "dram_ssd_virtual_table", is_pooled=True), "sequences alone"),
            (self.sized("table_wise", 64, 1, "fused_uvm_caching", cache_load_factor=1.0), "load factor"),
        ):
            [table], left_out = runnable([Table("t", (good, bad))], two_ranks())
            self.assertEqual(table.options, (good,))
            [(said, (count, names))] = left_out.items()
            self.assertEqual((rule in said, count, names), (True, 1, ["t"]))
            if rule in ("multiple of 4", "wider than the 2048"):
                # The kernels' own limits, which differ from build to build.
                with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
                    self.assertEqual(runnable([Table("t", (bad,))], two_ranks()), ([Table("t", (bad,))], {}))
                self.assertRegex(logged.output[0], f"t: FBGEMM's kernels may run none of its options: .*{rule}")
                continue
            with self.assertRaisesRegex(Refused, f"t: TorchRec can run none of its options: .*{rule}"):
                runnable([Table("t", (bad,))], two_ranks())

    def test_virtual_tables_need_buckets_where_the_module_says_of_them(self) -> None:
        def held(**config: object) -> SimpleNamespace:
            configs = [SimpleNamespace(name="t", **config)]
            module = ("m", SimpleNamespace(embedding_bag_configs=lambda: configs))
            return self.sized("row_wise", 64, 1, "ssd_virtual_table", module=module)

        for none in (None, 0):
            with self.assertRaisesRegex(Refused, "dealt by buckets, and total_num_buckets is missing"):
                runnable([Table("t", (held(total_num_buckets=none, num_embeddings=1000),))], two_ranks())
        with self.assertRaisesRegex(Refused, "or does not divide the rows"):
            runnable([Table("t", (held(total_num_buckets=8, num_embeddings=1001),))], two_ranks())
        for fine in (held(total_num_buckets=8), self.sized("row_wise", 64, 1, "ssd_virtual_table")):
            self.assertEqual(runnable([Table("t", (fine,))], two_ranks())[1], {})

    def test_what_cannot_be_run_is_said_in_the_answer(self) -> None:
        bad = self.sized("table_wise", 10)
        good = self.sized("data_parallel", 64, 2, kernel="dense")
        words = real_command()
        if words is None:
            self.skipTest("needs Node and the built program")
        with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
            _, answer = solve([bad, good], two_ranks(), Request(command=words))
        self.assertRegex(answer.not_run[0], "^1 option of t: a rank's columns are no multiple of 4")
        self.assertRegex(logged.output[0], "left out, as TorchRec cannot run them: 1 option of t")

    def test_where_what_is_left_does_not_fit_the_rule_is_said(self) -> None:
        words = real_command()
        if words is None:
            self.skipTest("needs Node and the built program")
        bad = self.sized("table_wise", 10)
        large = self.sized("data_parallel", 64, 2, kernel="dense")
        for shard in large.shards:
            shard.storage.hbm = 10**15
        said = "proved: no plan fits: .*; left out, as TorchRec cannot run them: 1 option of t: a rank's columns are no multiple"
        with self.assertLogs("shardproof_torchrec", "WARNING"), self.assertRaisesRegex(Infeasible, said):
            solve([bad, large], two_ranks(), Request(command=words))

    def test_what_it_runs_stays(self) -> None:
        fine = [
            self.sized("table_wise", 10, kernel="dense"),
            self.sized("table_wise", 2048),
            self.sized("row_wise", 64, 1, "dram_ssd_virtual_table", is_pooled=False),
            self.sized("table_wise", 64, 1, "fused_uvm_caching", cache_load_factor=None),
        ]
        self.assertEqual(runnable([Table("t", tuple(fine))], two_ranks()), ([Table("t", tuple(fine))], {}))


class Words(unittest.TestCase):
    def test_bytes_have_units_and_what_is_enough_stays_exact(self) -> None:
        said = in_units("table t10000000 has a shard of 3221225472 bytes of device memory, the device has 1048576; 2459691923 bytes more")
        self.assertEqual(
            said,
            "table t10000000 has a shard of 3.00 GiB of device memory, the device has 1.00 MiB; 2.29 GiB (2459691923 bytes) more",
        )
        self.assertEqual([amount(each) for each in (1, 20, 2**20, 2**41)], ["1 byte", "20 bytes", "1.00 MiB", "2.00 TiB"])

    def test_of_many_tables_that_are_too_much_the_first_are_named(self) -> None:
        why = {"explanation": "they do not fit", "conflict": [f"t{i}" for i in range(10)]}
        said = command.infeasibility({"infeasibility": why})
        self.assertEqual(said, "they do not fit (too much together: t0, t1, t2, t3, t4, t5, t6, t7 and 2 more)")


if __name__ == "__main__":
    unittest.main()
