"""
Row tiers from FlexShard's tables 2 and 3, row by row and in fractions.

R: bytes of the parameters of a set of rows; S: bytes of them that a sample reads. Per GPU and iteration,

  row_wise, column_wise   memory R/U + 2BS    all-to-all over all GPUs 2BS, both passes
  data_parallel           memory kR + BS      all-reduce over all GPUs R, backward
  flex                    memory kR/W + 2BS   all-to-all in the node 2BS, both passes; all-reduce across nodes R/W, backward
  host                    memory 2BS, R/N bytes on each host; 2BS over the host link and over all GPUs, both passes
"""

from fractions import Fraction
from itertools import product
from math import comb, lcm

from access_curves import Histogram, curve_of
from findings import between

BYTES = {"fp32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
PASSES = {"allToAllGlobal": 2, "allToAllIntra": 2, "allReduceGlobal": 1, "allReduceCross": 1, "hostToDevice": 2}
SUMS = {
    "serial": [["allToAllGlobal", "allToAllIntra", "allReduceGlobal", "allReduceCross", "hostToDevice"]],
    "exposed": [["allToAllGlobal", "allReduceGlobal", "hostToDevice"]],
    "channels": [["allToAllGlobal", "allReduceGlobal", "allReduceCross", "hostToDevice"], ["allToAllIntra"]],
}
MAX_TRIED = 60_000


class Model:
    def __init__(self, instance, read_file):
        cluster, training = instance["cluster"], instance["training"]
        self.nodes, self.per_node = cluster["nodes"], cluster["gpusPerNode"]
        self.gpus = self.nodes * self.per_node
        self.batch = Fraction(training["batchPerGpu"])
        self.replica = Fraction(training["replicaMemoryFactor"])
        self.bandwidth = {k: Fraction(v) for k, v in cluster.get("bandwidth", {}).items()}
        self.latency = {k: Fraction(v) for k, v in cluster.get("latency", {}).items()}
        self.tiers = instance.get("tiers", ["data_parallel", "flex", "row_wise"])
        self.objective = instance.get("objective", "serial")
        self.block = instance.get("granularity", 1)
        self.curves = [curve_of(table, read_file) for table in instance["tables"]]
        self.row_bytes = [table["dim"] * BYTES[table.get("dataType", "fp32")] for table in instance["tables"]]
        self.rows = [table["rows"] for table in instance["tables"]]
        self.host_budget = cluster.get("hostBytesPerNode")
        self.budget = self.budget_of(instance, cluster)
        self.relative = max(curve.relative for curve in self.curves)

    def budget_of(self, instance, cluster):
        budget = instance.get("budget", "memory-neutral")
        if isinstance(budget, dict) and "bytesPerGpu" in budget:
            return Fraction(budget["bytesPerGpu"])
        neutral = sum(self.memory("row_wise", *self.read(t, 0, rows)) for t, rows in enumerate(self.rows))
        return neutral + (Fraction(budget["extraBytesPerGpu"]) if isinstance(budget, dict) else 0)

    def read(self, table, start, end):
        """(R, S) of the rows from start to end, by falling access."""
        size = self.row_bytes[table]
        return (end - start) * Fraction(size), self.curves[table].sum_of(start, end) * size

    def memory(self, tier, r, s):
        exchanged = 2 * self.batch * s
        if tier == "data_parallel":
            return self.replica * r + self.batch * s
        if tier == "flex":
            return self.replica * r / self.per_node + exchanged
        return exchanged if tier == "host" else r / self.gpus + exchanged

    def bytes(self, tier, r, s):
        exchanged = 2 * self.batch * s
        if tier == "data_parallel":
            return {"allReduceGlobal": r}
        if tier == "flex":
            return {"allToAllIntra": exchanged, "allReduceCross": r / self.per_node}
        if tier == "host":
            return {"hostToDevice": exchanged, "allToAllGlobal": exchanged}
        return {"allToAllGlobal": exchanged}

    def evaluate(self, sums):
        """`sums`: (R, S) by tier. Memory per GPU, bytes per host, seconds of each collective, the objective."""
        memory = sum(self.memory(tier, r, s) for tier, (r, s) in sums.items())
        host = sums.get("host", (Fraction(0), 0))[0] / self.nodes
        moved = {}
        for tier, (r, s) in sums.items():
            for name, size in self.bytes(tier, r, s).items():
                moved[name] = moved.get(name, 0) + size
        seconds = {
            name: size / self.bandwidth[name] + PASSES[name] * self.latency.get(name, 0) if size > 0 else Fraction(0)
            for name, size in moved.items()
        }
        value = max(sum(seconds.get(name, 0) for name in each) for each in SUMS[self.objective])
        return memory, host, seconds, value

    def is_within(self, memory, host):
        return memory <= self.budget and (self.host_budget is None or host <= Fraction(self.host_budget))

    def sums_of(self, runs):
        sums = {}
        for table, of_table in enumerate(runs):
            at = 0
            for count, tier in of_table:
                r, s = self.read(table, at, at + count)
                before = sums.get(tier, (Fraction(0), Fraction(0)))
                sums[tier] = (before[0] + r, before[1] + s)
                at += count
        return sums

    def optimum(self):
        """Every way to put the units of equal bytes into tiers; (False, None) where these are too many to try."""
        units = {}
        for table, curve in enumerate(self.curves):
            if not isinstance(curve, Histogram) or self.rows[table] > 5000:
                return False, None
            for start in range(0, self.rows[table], self.block):
                key = self.read(table, start, min(start + self.block, self.rows[table]))
                units[key] = units.get(key, 0) + 1
        ways = 1
        for count in units.values():
            ways *= comb(count + len(self.tiers) - 1, len(self.tiers) - 1)
        if ways > MAX_TRIED:
            return False, None
        choices = [
            [self.parts(split, r, s) for split in compositions(count, len(self.tiers))] for (r, s), count in units.items()
        ]
        return True, self.least(scaled(choices))

    def parts(self, split, r, s):
        """What units of one size add: memory, host bytes, seconds of each objective sum, and the collectives they use."""
        memory, host, used = Fraction(0), Fraction(0), frozenset()
        seconds = [Fraction(0) for _ in SUMS[self.objective]]
        for tier, n in zip(self.tiers, split):
            memory += self.memory(tier, n * r, n * s)
            host += n * r / self.nodes if tier == "host" else 0
            for name, size in self.bytes(tier, n * r, n * s).items():
                used |= {name} if size > 0 else frozenset()
                for k, names in enumerate(SUMS[self.objective]):
                    seconds[k] += size / self.bandwidth[name] if name in names and size > 0 else 0
        return memory, host, seconds, used

    def least(self, choices_and_units):
        choices, (memory_unit, host_unit, second_unit) = choices_and_units
        room = self.budget * memory_unit
        host_room = None if self.host_budget is None else Fraction(self.host_budget) * host_unit
        best, waits = None, {}
        for choice in product(*choices):
            if sum(part[0] for part in choice) > room:
                continue
            if host_room is not None and sum(part[1] for part in choice) > host_room:
                continue
            used = frozenset().union(*(part[3] for part in choice)) if self.latency else None
            if used not in waits:
                waits[used] = [
                    sum((PASSES[name] * self.latency.get(name, 0) for name in names if used and name in used), Fraction(0))
                    * second_unit
                    for names in SUMS[self.objective]
                ]
            value = max(sum(part[2][k] for part in choice) + wait for k, wait in enumerate(waits[used]))
            if best is None or value < best:
                best = value
        return None if best is None else Fraction(best) / second_unit


def scaled(choices):
    """The same as integers, over a common denominator of each kind of quantity."""
    parts = [part for of_unit in choices for part in of_unit]
    units = (
        lcm(*(part[0].denominator for part in parts)),
        lcm(*(part[1].denominator for part in parts)),
        lcm(*(each.denominator for part in parts for each in part[2])),
    )
    integers = [
        [(int(m * units[0]), int(h * units[1]), [int(each * units[2]) for each in s], used) for m, h, s, used in of_unit]
        for of_unit in choices
    ]
    return integers, units


def compositions(total, parts):
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def check(instance, plan, read_file, findings):
    model = Model(instance, read_file)
    exact = plan["exact"]
    compare = findings.exact if model.relative == 0 else lambda *args: findings.near(*args, model.relative)
    compare("budget of memory per GPU", model.budget, exact["budgetBytesPerGpu"])
    tried, optimum = model.optimum()
    if tried:
        between(findings, exact, plan["status"], optimum)
    if exact["value"] is not None:
        check_runs(model, [table["runs"] for table in plan["tables"]], findings)
        memory, host, seconds, value = model.evaluate(model.sums_of([table["runs"] for table in plan["tables"]]))
        compare("seconds", value, exact["value"])
        compare("bytes per GPU", memory, exact["bytesPerGpu"])
        findings.holds("over the budget", model.is_within(memory * (1 - model.relative), host))
        if "hostBytesPerNode" in exact:
            findings.exact("bytes of host memory per node", host, exact["hostBytesPerNode"])
        for name, written in plan["collectives"].items():
            ours = seconds.get(name, Fraction(0))
            findings.near(f"seconds of {name}", ours, written, max(model.relative, Fraction(1, 10**14)))
        if exact["bound"] is not None:
            findings.holds("bound above the value", Fraction(exact["bound"]) <= Fraction(exact["value"]))
    for baseline in plan.get("baseline", []):
        if baseline.get("value") is None or baseline.get("runs") is None:
            continue
        memory, host, _, value = model.evaluate(model.sums_of(baseline["runs"]))
        slack = max(model.relative, Fraction(1, 10**14))
        findings.near(f"seconds of {baseline['method']}", value, baseline["value"], slack)
        findings.near(f"bytes of {baseline['method']}", memory, baseline["bytesPerGpu"], slack)
        if tried and optimum is not None and model.is_within(memory, host):
            findings.holds(f"{baseline['method']} below the optimum", value >= optimum)
    return tried


def check_runs(model, runs, findings):
    for table, of_table in enumerate(runs):
        counts = [count for count, _ in of_table]
        findings.holds(f"rows of table {table}", sum(counts) == model.rows[table] and all(n > 0 for n in counts))
        findings.holds(f"tiers of table {table}", all(tier in model.tiers for _, tier in of_table))
        ends = [sum(counts[: k + 1]) for k in range(len(counts) - 1)]
        findings.holds(f"blocks of table {table}", all(end % model.block == 0 for end in ends))
