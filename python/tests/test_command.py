"""Finding, running and stopping the program, with scripts that pose as it. Needs nothing but Python."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support import HERE, cluster_of, needs_shardproof, option, options_of, plan_file, posing, real_command, recorded

from shardproof_torchrec import command
from shardproof_torchrec.cache import Cache
from shardproof_torchrec.errors import Infeasible, NoPlan, OutOfTime, ShardproofError
from shardproof_torchrec.instance import Cluster, Rank, digest
from shardproof_torchrec.plan_digest import plan_digest
from shardproof_torchrec.rules import rating
from shardproof_torchrec.solve import Request, solve

FILE = recorded("two-collections")
ANSWER = f"sys.stdin.read(); print({json.dumps(plan_file(FILE))!r})"
#: Seconds in which the program below has begun to listen, on a busy machine too.
STARTED = 6.0
#: Waits for an interrupt, then prints its plan, as the program does with the best so far.
PATIENT = f"""
def stop(*_):
    print({json.dumps({**plan_file(FILE), "status": "feasible"})!r}, flush=True)
    os._exit(3)
signal.signal(signal.SIGINT, stop)
open(os.path.join(os.path.dirname(__file__), "started"), "w").write(str(os.getpid()))
time.sleep(60)
"""


def solved(words: list, **request: object) -> tuple:
    return solve(options_of(FILE), cluster_of(FILE), Request(command=words, **request))  # type: ignore[arg-type]


class Running(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def pid(self) -> int:
        """Of the posing program, once it runs."""
        path = Path(self.folder) / "started"
        for _ in range(400):
            if path.exists() and path.read_text():
                return int(path.read_text())
            time.sleep(0.05)
        raise AssertionError("the command did not start")

    def assertGone(self, pid: int) -> None:
        for _ in range(100):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        self.fail("the command outlived us")

    def test_an_answer(self) -> None:
        choices, answer = solved(posing(self.folder, ANSWER))
        self.assertEqual(answer.status, "proved")
        self.assertEqual(rating(choices, cluster_of(FILE)), FILE["rating"])
        self.assertIn("proved optimal", str(answer))

    def test_what_is_asked(self) -> None:
        body = f"open({self.folder + '/words'!r}, 'w').write(' '.join(sys.argv[1:])); {ANSWER}"
        solved(posing(self.folder, body), time_limit=12.5, gap=0.01, seed=7)
        words = Path(self.folder, "words").read_text()
        self.assertRegex(words, r"^plan - --json --quiet --progress --time-limit 1[12]\.\d+ --gap 0.01 --seed 7$")

    def test_no_plan_fits(self) -> None:
        why = {"explanation": "t needs 9 bytes", "conflict": ["t"]}
        plan = {**plan_file(FILE), "status": "infeasible", "infeasibility": why}
        with self.assertRaisesRegex(Infeasible, "proved: no plan fits: t needs 9 bytes .too much together: t"):
            solved(posing(self.folder, f"print({json.dumps(plan)!r}); sys.exit(4)"))

    def test_no_plan_fits_but_for_options_that_were_left_out(self) -> None:
        cut = option("m", "t", "row_wise", "uniform", [[1, 1, 0, 0]] * 2)
        for shard, rows in zip(cut.shards, (3, 7)):
            shard.size = [rows, 8]
        options = [cut, option("m", "t", "table_wise", "device", [[1, 5, 0, 0]])]
        plan = {**plan_file(FILE), "status": "infeasible", "infeasibility": {"explanation": "t needs 5 bytes"}}
        words = posing(self.folder, f"print({json.dumps(plan)!r}); sys.exit(4)")
        unlike = Cluster(2, (Rank(3, 0), Rank(4, 0)))
        with self.assertLogs("shardproof_torchrec", "WARNING"):
            with self.assertRaisesRegex(NoPlan, "t needs 5 bytes; left out: row_wise of m.t, cut in unequal parts"):
                solve(options, unlike, Request(command=words))
        with self.assertRaises(Infeasible):
            solve(options[1:], unlike, Request(command=words))

    def test_none_found_in_time(self) -> None:
        plan = plan_file(FILE)
        plan["objective"] = {"value": None, "bound": 1, "gap": None}
        plan["status"] = "unknown"
        with self.assertRaisesRegex(NoPlan, "no plan found within 59.5 s, and none proved impossible"):
            solved(posing(self.folder, f"print({json.dumps(plan)!r}); sys.exit(3)"))

    def test_errors_are_one_line(self) -> None:
        cases = {
            "print('bad instance', file=sys.stderr); sys.exit(2)": "it refused the options: bad instance",
            "sys.exit(70)": "it ended with status 70: it said nothing",
            "print('v20.19.0')": "is not shardproof 0.4 or later: it printed no plan file",
            "print('{}')": "it printed no plan file",
        }
        for body, said in cases.items():
            with self.assertRaisesRegex(ShardproofError, said) as caught:
                solved(posing(self.folder, body))
            self.assertNotIn("\n", str(caught.exception))

    def test_a_wrong_path(self) -> None:
        with self.assertRaisesRegex(ShardproofError, "the command '/nowhere/shardproof' is not there; install it"):
            solved(["/nowhere/shardproof"])

    def test_ctrl_c_takes_the_best_so_far(self) -> None:
        words = posing(self.folder, PATIENT)
        pids = []

        def interrupt() -> None:
            pids.append(self.pid())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
            _, answer = solved(words, cache=Path(self.folder) / "cache")
        thread.join()
        self.assertTrue(answer.stopped)
        self.assertEqual(answer.status, "feasible")
        self.assertIn("stopped early", str(answer))
        self.assertRegex(logged.output[0], "interrupted")
        self.assertGone(pids[0])
        self.assertFalse((Path(self.folder) / "cache").exists(), "what was stopped early is not kept")

    def test_past_its_limit_it_is_asked_for_the_best_so_far(self) -> None:
        words = posing(self.folder, PATIENT)
        with self.assertLogs("shardproof_torchrec", "WARNING"):
            _, answer = solved(words, time_limit=STARTED)
        self.assertTrue(answer.stopped)

    def test_what_does_not_stop_is_killed(self) -> None:
        deaf = PATIENT.replace("signal.signal(signal.SIGINT, stop)", "signal.signal(signal.SIGINT, signal.SIG_IGN)")
        words = posing(self.folder, deaf)
        start = time.monotonic()
        with self.assertLogs("shardproof_torchrec", "WARNING"):
            with self.assertRaisesRegex(OutOfTime, "did not end in time"):
                solved(words, time_limit=STARTED)
        self.assertLess(time.monotonic() - start, STARTED + 2)
        self.assertGone(self.pid())

    def test_a_launcher_that_ends_us_ends_it(self) -> None:
        words = posing(self.folder, PATIENT)
        script = f"import sys; sys.path.insert(0, {str(HERE)!r}); import test_command as t; t.solved({words!r})"
        us = subprocess.Popen([sys.executable, "-c", script])
        pid = self.pid()
        us.terminate()
        self.assertEqual(us.wait(20), -signal.SIGTERM)
        self.assertGone(pid)

    def test_the_page_may_fail_and_the_plan_is_there(self) -> None:
        body = f"sys.exit(70) if sys.argv[1] == 'report' else None; {ANSWER}"
        with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
            _, answer = solved(posing(self.folder, body), page=Path(self.folder) / "page.html")
        self.assertIsNone(answer.page)
        self.assertRegex(logged.output[0], "no page was written: its report ended with status 70")

    def test_the_page_is_drawn_within_the_time_limit_and_checked_if_there_is_time(self) -> None:
        page = Path(self.folder) / "page.html"
        for quick, slow, wanted in ((0, 0, "checked"), (0, 60, "drawn"), (60, 0, None)):
            page.unlink(missing_ok=True)
            body = f"""
if sys.argv[1] == "plan":
    {ANSWER}
elif "--no-check" in sys.argv:
    time.sleep({quick}); print("drawn")
else:
    time.sleep({slow}); print("checked")
"""
            start = time.monotonic()
            with self.assertLogs("shardproof_torchrec", "INFO") as logged:
                _, answer = solved(posing(self.folder, body), page=page, time_limit=4.0)
            self.assertLess(time.monotonic() - start, 6.5)
            self.assertEqual(page.read_text().strip() if page.exists() else None, wanted)
            self.assertEqual((answer.page, answer.status), (page if wanted else None, "proved"))
            said = {"checked": "the plan checked again", "drawn": "does not say that the plan was checked", None: "no page was written"}
            self.assertRegex(logged.output[-1], said[wanted])

    def test_what_went_before_counts(self) -> None:
        body = f"open({self.folder + '/words'!r}, 'w').write(' '.join(sys.argv[1:])); {ANSWER}"
        solved(posing(self.folder, body), time_limit=30.0, started=time.monotonic() - 20, page=Path(self.folder) / "p")
        words = Path(self.folder, "words").read_text()
        self.assertTrue(words.startswith("report"), "the page was asked for last")
        solved(posing(self.folder, body), time_limit=30.0, started=time.monotonic() - 20)
        self.assertRegex(Path(self.folder, "words").read_text(), r"--time-limit 9\.")

    def test_progress_is_logged_and_no_part_of_an_error(self) -> None:
        told = "print('1 s  ·  best 3 ms', file=sys.stderr, flush=True)"
        with self.assertLogs("shardproof_torchrec", "INFO") as logged:
            solved(posing(self.folder, f"{told}; time.sleep(1); {told.replace('1 s', '2 s')}; {ANSWER}"))
        lines = [line for line in logged.output if "best 3 ms" in line]
        self.assertEqual(lines, [f"INFO:shardproof_torchrec:shardproof: {k} s  ·  best 3 ms" for k in (1, 2)])
        with self.assertRaisesRegex(ShardproofError, "^it ended with status 70: a fault$"):
            solved(posing(self.folder, f"{told}; print('a fault', file=sys.stderr); sys.exit(70)"))


class Finding(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        environment = mock.patch.dict(os.environ, {"PATH": "/usr/bin:/bin"})
        environment.start()
        self.addCleanup(environment.stop)
        os.environ.pop("SHARDPROOF_COMMAND", None)
        os.chdir(self.folder)

    def test_named_by_argument_or_environment(self) -> None:
        self.assertEqual(command.find_command("env shardproof"), ["env", "shardproof"])
        self.assertEqual(command.find_command(["env", "a b"]), ["env", "a b"])
        os.environ["SHARDPROOF_COMMAND"] = "env 'a b'"
        self.assertEqual(command.find_command(), ["env", "a b"])

    def test_on_the_path(self) -> None:
        words = posing(self.folder, "")
        os.environ["PATH"] = f"{self.folder}:/usr/bin:/bin"
        self.assertEqual(command.find_command(), words)

    def test_in_the_nearest_node_modules(self) -> None:
        bin_folder = Path(self.folder, "node_modules", ".bin")
        below = Path(self.folder, "a", "b")
        bin_folder.mkdir(parents=True)
        below.mkdir(parents=True)
        words = posing(str(bin_folder), "")
        os.chdir(below)
        self.assertEqual(command.find_command(), words)

    def test_nowhere(self) -> None:
        with self.assertRaisesRegex(ShardproofError, "no command shardproof on the PATH, and none in a node_modules"):
            command.find_command()


class Kept(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = Path(folder.name) / "cache"

    def test_a_second_time_nothing_is_run(self) -> None:
        first, answer = solved(posing(self.folder, ANSWER), cache=self.cache)
        self.assertFalse(answer.cached)
        second, again = solved(posing(self.folder, "sys.exit(70)"), cache=self.cache)
        self.assertTrue(again.cached)
        self.assertEqual([c.ranks for c in first], [c.ranks for c in second])
        self.assertEqual((again.value, again.bound, again.seconds), (answer.value, answer.bound, 0))
        self.assertEqual(sorted(p.name.split(".", 1)[1] for p in self.cache.iterdir()), ["instance.json", "plan.json"])

    def test_other_costs_are_another_problem(self) -> None:
        solved(posing(self.folder, ANSWER), cache=self.cache)
        options = options_of(FILE)
        options[0].shards[0].perf.total += 1e-9
        words = posing(self.folder, "sys.exit(70)")
        with self.assertRaises(ShardproofError):
            solve(options, cluster_of(FILE), Request(command=words, cache=self.cache))

    def test_a_file_that_is_none_is_written_again(self) -> None:
        solved(posing(self.folder, ANSWER), cache=self.cache)
        [path] = self.cache.glob("*.plan.json")
        path.write_text("{")
        with self.assertLogs("shardproof_torchrec", "WARNING"):
            _, answer = solved(posing(self.folder, ANSWER), cache=self.cache)
        self.assertFalse(answer.cached)
        self.assertTrue(solved(posing(self.folder, ANSWER), cache=self.cache)[1].cached)

    def test_a_file_that_was_changed_is_not_handed_out(self) -> None:
        kept, plan = Cache(self.cache), plan_file(FILE)

        def cheaper(found: Any) -> Any:
            return {**found, "objective": {**found["objective"], "value": 0.001, "bound": 0.001}}

        def other(found: Any) -> Any:
            moved = {**found, "instance": {"sha256": digest(b"another")}}
            return {**moved, "digest": plan_digest(moved)}

        def open_still(found: Any) -> Any:
            moved = {**found, "objective": {**found["objective"], "bound": 0.001}}
            return {**moved, "digest": plan_digest(moved)}

        def nameless(found: Any) -> Any:
            return {key: value for key, value in found.items() if key != "digest"}

        for change in (cheaper, other, open_still, nameless, lambda found: {**found, "status": "feasible"}):
            kept.put(b"instance", plan)
            self.assertIsNotNone(kept.get(b"instance", 1e-9, 0, 60))
            [path] = self.cache.glob("*.plan.json")
            path.write_text(json.dumps(change(json.loads(path.read_text()))))
            if change is open_still:
                self.assertIsNone(kept.get(b"instance", 1e-9, 0, 60))
                continue
            with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
                self.assertIsNone(kept.get(b"instance", 1e-9, 0, 60))
            self.assertRegex(logged.output[0], "no plan to be trusted")

    @needs_shardproof
    def test_the_digest_is_the_programs(self) -> None:
        options = [option("m", "t", "table_wise", "device", [[cost, 10, 0, 0]]) for cost in (1e-7, 1e21, 0.1 + 0.2)]
        _, answer = solve(options, Cluster(1, (Rank(100, 0, 0),)), Request(command=real_command(), cache=self.cache))
        self.assertEqual(plan_digest(json.loads(json.dumps(answer.plan_file))), answer.plan_file["digest"])
        self.assertTrue(
            solve(options, Cluster(1, (Rank(100, 0, 0),)), Request(command=["/nowhere"], cache=self.cache))[1].cached
        )

    def test_two_hosts_with_one_process_number_write_apart(self) -> None:
        written = []
        with mock.patch("os.getpid", return_value=1), mock.patch("os.replace", lambda a, b: written.append(a)):
            for _ in range(2):
                Cache(self.cache).put(b"instance", plan_file(FILE))
        self.assertEqual(len(set(written)), 4)

    def test_what_was_not_proved_is_taken_where_no_more_is_asked(self) -> None:
        plan, kept = plan_file(FILE), Cache(self.cache)
        plan["status"], plan["objective"]["gap"] = "unknown", 0.02
        kept.put(b"instance", plan)
        self.assertIsNotNone(kept.get(b"instance", 1e-9, 0, 60))
        self.assertIsNone(kept.get(b"instance", 1e-9, 0, 120), "more time may find more")
        self.assertIsNone(kept.get(b"instance", 1e-9, 1, 60))
        plan["status"] = "proved"
        kept.put(b"instance", plan)
        self.assertIsNotNone(kept.get(b"instance", 0.02, 1, 900))
        self.assertIsNone(kept.get(b"instance", 0.01, 0, 900))

    def test_a_folder_that_cannot_be_written_is_a_warning(self) -> None:
        Path(self.folder, "file").write_text("")
        with self.assertLogs("shardproof_torchrec", "WARNING") as logged:
            _, answer = solved(posing(self.folder, ANSWER), cache=Path(self.folder, "file"))
        self.assertEqual(answer.status, "proved")
        self.assertRegex(logged.output[-1], "the plan is not kept")


if __name__ == "__main__":
    unittest.main()
