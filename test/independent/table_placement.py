"""
Tables on devices: which option each table takes, where its shards lie, what the devices then cost and hold.

An option is (sharding type, kernel, partition rule, shards); a shard is (cost, HBM bytes, host bytes, SSD bytes, costs by phase).
"""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from math import log10

from findings import between
from learned_costs import Network
from row_tiers import BYTES
from torchrec_costs import torchrec_options

PHASES = ["forwardCompute", "backwardCompute", "forwardComms", "backwardComms", "prefetch"]
MAX_TRIED = 150_000


class Placement:
    """An instance as numbers."""

    def __init__(self, instance, read_json):
        cluster = instance.get("cluster", {})
        self.nodes, self.per_node = cluster.get("nodes", 1), cluster.get("gpusPerNode", 1)
        self.devices = self.nodes * self.per_node
        self.tables = instance["tables"]
        self.names = [table["name"] for table in self.tables]
        self.hbm = per_device(cluster.get("hbmBytesPerGpu"), self.devices)
        self.host_pool = cluster.get("hostBytesPerNode")
        self.host = per_device(cluster.get("hostBytesPerGpu"), self.devices)
        self.ssd = per_device(cluster.get("ssdBytesPerGpu"), self.devices)
        self.pooled = cluster.get("hostIsPooled", False) or self.host_pool is not None
        self.together, self.apart = instance.get("together", []), instance.get("apart", [])
        self.objective, self.second = instance.get("objective", "largest"), instance.get("thenMinimize")
        self.goals = instance.get("goals")
        if self.goals is not None:
            self.objective = self.goals[0]["minimize"]
        self.network = None
        # TorchRec's costs are sums of doubles, whose order is not part of the formula.
        self.relative = Fraction(0)
        self.options = self.options_of(instance, read_json)
        start = instance.get("from")
        self.before = read_json(start["plan"])["choices"] if start else None
        self.most_moved = start.get("mostMoved", len(self.tables)) if start else None

    def options_of(self, instance, read_json):
        model = instance["costModel"]
        most = instance.get("splits", {}).get("maxShardsPerTable", 1)
        if isinstance(model, dict):
            self.network = Network(read_json(model["neural"]))
            self.relative = Fraction(1, 10**8)
            return [self.network.options(table, most) for table in self.tables]
        if model == "given":
            return [
                [("table_wise", "fused", "device", [shard(t["cost"], t["bytes"], t.get("hostBytes", 0))])]
                for t in self.tables
            ]
        if model == "options":
            return [[listed(option) for option in table["options"]] for table in self.tables]
        if model == "torchrec":
            self.relative = Fraction(1, 10**12)
            return torchrec_options(instance)
        if model == "size-lookup":
            self.relative = Fraction(1, 10**12)
        return [[by_columns(model, table, parts) for parts in cuts(table["dim"], most)] for table in self.tables]

    def option_of(self, table, choice):
        """The option that a written choice names, by its sharding type, kernel and number of shards."""
        for option in self.options[table]:
            named = option[0] == choice["shardingType"] and option[1] == choice["kernel"]
            chosen = (choice.get("hotRows"), choice.get("cacheLoadFactor"))
            if named and beside(option) == chosen and len(cold(option, self.devices)) == len(choice["ranks"]):
                return option
        raise ValueError(f"table {self.names[table]} has no option {choice}")

    def placed_in(self, choices):
        """(option, ranks) by table; copies of hot rows are on every device."""
        for table, name in enumerate(self.names):
            option, ranks = self.option_of(table, choices[name]), choices[name]["ranks"]
            yield option, [*ranks, *range(self.devices)] if beside(option)[0] else ranks

    def loads(self, placed):
        """Costs, costs by phase, HBM, host and SSD bytes of each device; `placed`: (option, ranks) by table."""
        costs = [Fraction(0)] * self.devices
        phases = [[Fraction(0)] * self.devices for _ in PHASES]
        hbm, host, ssd = [0] * self.devices, [0] * self.devices, [0] * self.devices
        parts = [[] for _ in range(self.devices)]
        for table, (option, ranks) in enumerate(placed):
            for (cost, bytes_, host_bytes, ssd_bytes, by_phase, *width), rank in zip(option[3], ranks):
                costs[rank] += cost
                hbm[rank] += bytes_
                host[rank] += host_bytes
                ssd[rank] += ssd_bytes
                parts[rank].append((table, *width))
                for k, each in enumerate(by_phase):
                    phases[k][rank] += each
        if self.network is not None:
            costs = [self.network.cost(self.tables, of_device) for of_device in parts]
        return costs, phases, hbm, host, ssd

    def value(self, placed, loads):
        return self.goal_value(self.objective, placed, loads)

    def goal_value(self, goal, placed, loads):
        """What a goal comes to; None for one that is not computed here."""
        costs, phases, hbm, host, _ = loads
        if goal == "phases":
            return sum(max(each) for each in phases)
        if goal == "largest-hbm":
            return Fraction(max(hbm))
        if goal == "largest-host":
            size = self.per_node if self.pooled else 1
            return Fraction(max(sum(host[k : k + size]) for k in range(0, len(host), size)))
        if goal in ("sum", "second-largest"):
            return second_goal(goal, costs)
        if goal == "moved-tables":
            return Fraction(sum(self.moved(placed)))
        return None if goal == "moved-bytes" else max(costs)

    def in_order(self, mosts):
        """The least of each goal where those before it are at most `mosts`; None where there are too many placements."""
        sites, ways = [], 1
        for options in self.options:
            of_table = ((option, ranks) for option in options for ranks in places(option, self.per_node, self.devices))
            sites.append(list(islice(of_table, MAX_TRIED + 1)))
            ways *= len(sites[-1])
            if ways > MAX_TRIED:
                return None
        least = [None] * len(self.goals)
        for placed in product(*sites):
            loads = self.loads(placed)
            if self.violations(placed, *loads[2:]):
                continue
            for k, goal in enumerate(self.goals):
                value = self.goal_value(goal["minimize"], placed, loads)
                if value is None:
                    break
                least[k] = value if least[k] is None else min(least[k], value)
                if k < len(mosts) and value > mosts[k]:
                    break
        return least

    def violations(self, placed, hbm, host, ssd):
        found = []
        for device in range(self.devices):
            if self.hbm is not None and hbm[device] > self.hbm[device]:
                found.append(f"device {device} holds {hbm[device]} of {self.hbm[device]} bytes")
            if self.ssd is not None and ssd[device] > self.ssd[device]:
                found.append(f"the SSD of device {device} holds {ssd[device]} of {self.ssd[device]} bytes")
        if self.pooled:
            for node in range(self.nodes):
                of_node = range(node * self.per_node, (node + 1) * self.per_node)
                room = Fraction(self.host_pool) if self.host_pool is not None else sum(self.host[d] for d in of_node)
                if sum(host[d] for d in of_node) > room:
                    found.append(f"the host memory of node {node}")
        elif self.host is not None:
            found += [f"the host memory of device {d}" for d in range(self.devices) if host[d] > self.host[d]]
        where = {name: set(ranks) for name, (_, ranks) in zip(self.names, placed)}
        for table, (option, ranks) in zip(self.tables, placed):
            if not follows(option, ranks, self.per_node, self.devices):
                found.append(f"{table['name']} on {ranks} breaks {option[2]}")
            if "devices" in table and not set(ranks) <= set(table["devices"]):
                found.append(f"{table['name']} is not on its devices")
        for group in self.together:
            if len(set().union(*(where[name] for name in group))) > 1:
                found.append(f"{group} are not together")
        for group in self.apart:
            if any(where[a] & where[b] for a, b in combinations(group, 2)):
                found.append(f"{group} are not apart")
        if self.before is not None and sum(self.moved(placed)) > self.most_moved:
            found.append("too many tables move")
        return found

    def moved(self, placed):
        def home(option, ranks):
            return sorted((rank, shard_) for rank, shard_ in zip(ranks, option[3]))

        for table, (option, ranks) in enumerate(placed):
            old = self.before[self.names[table]]
            same = (old["shardingType"], old["kernel"], len(old["ranks"])) == (option[0], option[1], len(ranks))
            yield not (same and home(option, old["ranks"]) == home(option, ranks))

    def optimum(self):
        """(whether everything was tried, the least value or None, the least second goal)."""
        if self.goals is not None:
            least = self.in_order([])
            return least is not None, least[0] if least else None, None
        sites, ways = [], 1
        for options in self.options:
            of_table = ((option, ranks) for option in options for ranks in places(option, self.per_node, self.devices))
            sites.append(list(islice(of_table, MAX_TRIED + 1)))
            ways *= len(sites[-1])
            if ways > MAX_TRIED:
                return False, None, None
        best, second = None, None

        def try_from(table, placed, hbm, costs):
            nonlocal best, second
            if table == len(sites):
                loads = self.loads(placed)
                costs, memory, value = loads[0], loads[2:], self.value(placed, loads)
                if best is not None and value > best or self.violations(placed, *memory):
                    return
                goal = second_goal(self.second, costs)
                if best is None or value < best or (goal is not None and goal < second):
                    best, second = value, goal
                return
            for option, ranks in sites[table]:
                held, paid = list(hbm), list(costs)
                for (cost, size, *_), rank in zip(option[3], ranks):
                    held[rank] += size
                    paid[rank] += cost
                fits = self.hbm is None or all(used <= room for used, room in zip(held, self.hbm))
                # What a device has only grows. A learned cost is no sum, and the shards' own here are 0.
                if fits and (best is None or self.objective == "phases" or max(paid) <= best):
                    try_from(table + 1, placed + [(option, ranks)], held, paid)

        try_from(0, [], [0] * self.devices, [Fraction(0)] * self.devices)
        return True, best, second


def beside(option):
    """The hot rows and the load factor that an option chooses."""
    return tuple(option[4:6]) if len(option) > 4 else (None, None)


def cold(option, devices):
    return option[3][:-devices] if beside(option)[0] else option[3]


def second_goal(goal, costs):
    if goal is None:
        return None
    return sum(costs) if goal == "sum" else sorted(costs)[-2] if len(costs) > 1 else Fraction(0)


def per_device(value, devices):
    if value is None:
        return None
    return [int(each) for each in value] if isinstance(value, list) else [int(value)] * devices


def shard(cost, hbm, host=0, ssd=0, phases=()):
    return (Fraction(cost), hbm, host, ssd, tuple(Fraction(each) for each in phases))


def listed(option):
    shards = []
    for count, need in option["shards"]:
        by_phase = [need.get("phases", {}).get(name, 0) for name in PHASES]
        memory = [need.get(name, 0) for name in ("hbmBytes", "hostBytes", "ssdBytes")]
        shards += [shard(need["cost"], *memory, by_phase)] * count
    return (option["shardingType"], option.get("kernel", "fused"), option["partitionBy"], shards)


def cuts(dim, most):
    return [1] + [parts for parts in range(2, most + 1) if dim % (4 * parts) == 0]


def by_columns(model, table, parts):
    """AutoShard's and NeuroShard's rules of a table's weight; a part of the columns weighs what its own width says."""
    width, rows, pooling = table["dim"] // parts, table["rows"], table.get("poolingFactor", 0)
    size = rows * width * BYTES[table.get("dataType", "fp32")]
    cost = {
        "size": lambda: Fraction(size, 2**30),
        "dim": lambda: Fraction(width),
        "lookup": lambda: Fraction(width * pooling),
        "size-lookup": lambda: Fraction(width * pooling * log10(rows)),
    }[model]()
    kind = "table_wise" if parts == 1 else "column_wise"
    return (kind, "fused", "device", [(cost, size, 0, 0, ())] * parts)


def follows(option, ranks, per_node, devices):
    """Whether shards on these ranks keep the option's partition rule."""
    if beside(option)[0]:
        rest = (*option[:3], cold(option, devices))
        return list(ranks[-devices:]) == list(range(devices)) and follows(rest, ranks[:-devices], per_node, devices)
    kind, _, rule, shards = option[:4]
    if len(ranks) != len(shards) or any(not 0 <= rank < devices for rank in ranks):
        return False
    if rule == "device":
        return True
    if rule == "uniform":
        return list(ranks) == list(range(len(ranks)))
    nodes = [rank // per_node for rank in ranks]
    if rule == "host":
        in_order = kind != "table_row_wise" or [rank % per_node for rank in ranks] == list(range(len(ranks)))
        return len(set(nodes)) == 1 and in_order
    groups = [ranks[k : k + per_node] for k in range(0, len(ranks), per_node)]
    hosts = [group[0] // per_node for group in groups]
    return len(set(hosts)) == len(hosts) and all(
        list(group) == [host * per_node + k for k in range(per_node)] for group, host in zip(groups, hosts)
    )


def places(option, per_node, devices):
    if beside(option)[0]:
        rest = (*option[:3], cold(option, devices))
        return ((*ranks, *range(devices)) for ranks in places(rest, per_node, devices))
    kind, _, rule, shards = option[:4]
    count, nodes = len(shards), devices // per_node
    if rule == "uniform":
        return [tuple(range(count))] if count <= devices else []
    if rule == "multi_host":
        groups = count // per_node
        return (
            tuple(node * per_node + k for node in chosen for k in range(per_node))
            for chosen in permutations(range(nodes), groups)
        )
    if rule == "host":
        starts = [node * per_node for node in range(nodes)]
        if kind == "table_row_wise":
            return [tuple(start + k for k in range(count)) for start in starts]
        return (tuple(start + k for k in each) for start in starts for each in product(range(per_node), repeat=count))
    if len(set(shards)) == 1:
        # Alike shards: who of them lies where is all the same.
        return combinations_with_replacement(range(devices), count)
    return product(range(devices), repeat=count)


def check(instance, plan, read_json, findings):
    problem = Placement(instance, read_json)
    exact = plan["exact"]

    def compare(name, ours, written):
        if problem.relative == 0:
            findings.exact(name, ours, written)
        else:
            findings.near(name, ours, written, problem.relative)

    tried, optimum, second = problem.optimum()
    if problem.goals is not None:
        if exact["value"] is None:
            findings.holds("no plan although there is one", not tried or optimum is None)
        elif problem.relative == 0:
            check_stages(problem, plan, findings)
    elif tried and problem.relative == 0:
        between(findings, exact, plan["status"], optimum)
    elif tried and exact["value"] is not None:
        findings.near("the optimum", optimum, exact["value"], Fraction(1, 10**8))
    if exact["value"] is not None:
        check_placed(problem, plan, compare, findings, second if tried else None)
        if exact["bound"] is not None:
            findings.holds("bound above the value", Fraction(exact["bound"]) <= Fraction(exact["value"]))
    for baseline in plan.get("baseline", []):
        if baseline.get("choices") is None:
            continue
        placed = [(problem.options[table][k] if problem.relative == 0 else None, ranks) for table, (k, ranks) in enumerate(baseline["choices"])]
        if any(option is None for option, _ in placed):
            continue
        loads = problem.loads(placed)
        memory = loads[2:]
        findings.near(f"cost of {baseline['method']}", problem.value(placed, loads), baseline["value"], Fraction(1, 10**14))
        # Published methods know memory, and no pinned tables, no company and no plan to stay near.
        broken = [each for each in problem.violations(placed, *memory) if "memory" in each or "bytes" in each or "breaks" in each]
        findings.holds(f"{baseline['method']} breaks a limit: {broken[:1]}", not broken)
    return tried


def check_stages(problem, plan, findings):
    """Every stage's own placement, what it allows, and that no placement within that has less than its bound."""
    choices = plan["choices"]
    of_plan = list(problem.placed_in(choices))
    mosts, stages = [], plan["stages"]
    for k, (goal, stage) in enumerate(zip(problem.goals, stages)):
        name = goal["minimize"]
        value = problem.goal_value(name, of_plan, problem.loads(of_plan))
        if value is not None:
            findings.exact(f"goal {k + 1}", value, stage["exact"]["value"])
        if stage["best"] is None:
            break
        written = stage["choices"]
        placed = of_plan if written is None else [(problem.options[t][o], ranks) for t, (o, ranks) in enumerate(written)]
        loads = problem.loads(placed)
        findings.holds(f"a limit is broken in stage {k + 1}", not problem.violations(placed, *loads[2:]))
        best, bound, most = (Fraction(stage["exact"][key]) for key in ("best", "bound", "most"))
        own = problem.goal_value(name, placed, loads)
        if own is not None:
            findings.exact(f"best of goal {k + 1}", own, stage["exact"]["best"])
        findings.holds(f"bound above the best of goal {k + 1}", bound <= best)
        findings.holds(f"allowance of goal {k + 1}", most == allowed(goal.get("allow", 0), best))
        for before, cap in zip(problem.goals, mosts):
            had = problem.goal_value(before["minimize"], placed, loads)
            findings.holds(f"stage {k + 1} breaks {before['minimize']}", had is None or had <= cap)
        findings.holds(f"the plan breaks goal {k + 1}", Fraction(stage["exact"]["value"]) <= most)
        mosts.append(most)
    least = problem.in_order(mosts)
    for k, stage in enumerate(stages if least is not None else []):
        if least[k] is not None and stage["best"] is not None:
            bound, best = Fraction(stage["exact"]["bound"]), Fraction(stage["exact"]["best"])
            findings.holds(f"goal {k + 1} has a plan below its bound", bound <= least[k] <= best)


def allowed(allow, best):
    if isinstance(allow, str):
        return best + abs(best) * Fraction(float(allow.rstrip(" %"))) / 100
    return best + Fraction(allow)


def check_placed(problem, plan, compare, findings, second):
    choices = plan["choices"]
    placed = list(problem.placed_in(choices))
    loads = problem.loads(placed)
    costs, phases, hbm, host, ssd = loads
    for violation in problem.violations(placed, hbm, host, ssd):
        findings.holds(f"limit broken: {violation}", False)
    if problem.objective != "moved-bytes":
        compare("the first goal", problem.value(placed, loads), plan["exact"]["value"])
    for device, ours in enumerate(costs):
        compare(f"cost of device {device}", ours, plan["exact"]["deviceCosts"][device])
        findings.exact(f"bytes of device {device}", Fraction(hbm[device]), plan["deviceBytes"][device])
    if plan["memory"].get("deviceHostBytes") is not None:
        findings.holds("bytes of host memory", plan["memory"]["deviceHostBytes"] == host)
    findings.holds("bytes on SSD", plan["memory"].get("deviceSsdBytes", [0] * problem.devices) == ssd)
    if plan.get("phases"):
        for k, phase in enumerate(plan["phases"]):
            findings.rounded(f"phase {phase['phase']}", max(phases[k]), phase["cost"])
    names, known = [[] for _ in range(problem.devices)], set()
    for name, (option, ranks) in zip(problem.names, placed):
        for k, rank in enumerate(ranks):
            is_copy = k >= len(cold(option, problem.devices))
            names[rank].append(f"{name}_{'hot' if is_copy else 'cold'}" if beside(option)[0] else name)
            known.add(names[rank][-1])
    names = [sorted(of) for of in names]
    written = [sorted(name if name in known else name.rsplit("#", 1)[0] for name in of) for of in plan["devices"]]
    findings.holds("shards by device", names == written)
    if plan.get("second"):
        exact = plan["second"]["exact"]
        findings.exact("second goal", second_goal(problem.second, costs), exact["value"])
        if second is not None and problem.relative == 0:
            findings.holds("second goal above its optimum by more than its gap", Fraction(exact["bound"]) <= second <= Fraction(exact["value"]))
    if plan.get("moves"):
        moved = [name for name, is_moved in zip(problem.names, problem.moved(placed)) if is_moved]
        findings.holds("tables that move", moved == plan["moves"]["moved"])
