"""
Towers, hosts and tables together: DMT's exchange (section 3.1), counted message by message.

G GPUs, L on a host, M = K·L in a tower, T = G/M towers; GPU g is slot g mod M of tower g div M. Forward: ids to the owners
(a; fetched ahead, not exposed), inside a tower every GPU sends what it looked up to the tower's slots (d), and slots of equal
number exchange their towers' outputs (f). Backward the same steps the other way. A step waits for its busiest GPU on either
kind of link, the slower of both.

With hot rows every GPU of a tower has the hottest rows of a table: samples whose ids are all hot send no vector of the others,
and their gradients are added up over the tower by a ring. With caches the other rows may be in the host's memory: what a batch
reads and the cache has not is read first. Towers wait for one another at f alone.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, expm1, floor, log1p, log2

from row_tiers import BYTES
from towers import Partition, groups_of

# DMT, table 1: bytes per second of one GPU in one direction, (across hosts, inside a host).
HARDWARE = {"V100": (12.5e9, 150e9), "A100": (25e9, 300e9), "H100": (50e9, 450e9)}
MAX_PLACED = 3_000


class Joint:
    def __init__(self, instance, matrix):
        self.instance, self.matrix = instance, matrix
        cluster, training = instance["cluster"], instance["training"]
        self.nodes, self.per_host = cluster["nodes"], cluster["gpusPerNode"]
        self.gpus = self.nodes * self.per_host
        self.memory = None if cluster.get("hbmBytesPerGpu") is None else int(cluster["hbmBytesPerGpu"])
        self.batch = training["batchPerGpu"]
        self.wire = BYTES[training.get("wireDataType", "fp32")]
        by_name = {table["name"]: table for table in instance["tables"]}
        self.tables = [by_name[name] for name in instance["features"]]
        self.modules = instance.get("towerModules")
        self.links = self.links_of(cluster)

    @staticmethod
    def links_of(cluster):
        across, inside = HARDWARE.get(cluster.get("hardware"), (None, None))
        given, latency = cluster.get("bandwidth", {}), cluster.get("latency", {})

        def link(name, default):
            value = given.get(name, default)
            points = value if isinstance(value, list) else [[1, value]]
            return points, Fraction(latency.get(name, 0))

        return {"insideHost": link("insideHost", inside), "acrossHosts": link("acrossHosts", across)}

    def seconds(self, name, world, size):
        if size == 0:
            return Fraction(0)
        points, latency = self.links[name]
        return latency + size / bandwidth_at(points, world)

    def bytes_of(self, feature):
        table = self.tables[feature]
        return table["rows"] * table["dim"] * BYTES[table.get("dataType", "fp32")]

    def step(self, world, messages):
        """Seconds of a step in which GPU `a` sends GPU `b` messages[a, b] bytes."""
        sent = {name: [Fraction(0)] * self.gpus for name in self.links}
        received = {name: [Fraction(0)] * self.gpus for name in self.links}
        for (a, b), size in messages.items():
            if a != b:
                name = "insideHost" if a // self.per_host == b // self.per_host else "acrossHosts"
                sent[name][a] += size
                received[name][b] += size
        return max(self.seconds(name, world, max(sent[name] + received[name])) for name in self.links)

    def exposed(self, groups, widths, hosts, more=None):
        """`widths`: elements of a sample that each GPU looks up. Steps d and f, both passes."""
        slots = hosts * self.per_host
        towers = len(groups)
        if more is not None:
            return self.exposed_by_tower(groups, widths, hosts, more)
        inside = {}
        for a in range(self.gpus):
            for b in range(a // slots * slots, (a // slots + 1) * slots):
                # A slot of the tower stands for its peers in all towers: T of their batches.
                inside[a, b] = Fraction(towers * self.batch * self.wire) * widths[a]
        peers = {}
        for a in range(self.gpus):
            out = self.output(groups[a // slots]) * self.batch * self.wire
            for tower in range(towers):
                peers[a, tower * slots + a % slots] = Fraction(out)
        forward = self.step(slots, inside) + self.step(towers, peers)
        backward = self.step(slots, back(inside)) + self.step(towers, back(peers))
        return forward + backward

    def exposed_by_tower(self, groups, widths, hosts, more):
        """`more`: for each tower the seconds of misses and of synchronising hot rows."""
        slots = hosts * self.per_host
        each = []
        for tower in range(len(groups)):
            own = [width if rank // slots == tower else 0 for rank, width in enumerate(widths)]
            each.append(self.exposed(groups, own, hosts) + more[tower])
        f = self.exposed(groups, [0] * self.gpus, hosts)
        return f + max(seconds - f for seconds in each)

    def slowest(self, slots):
        """The kind of link on which a byte to every other GPU of a tower takes longest."""
        others = {"insideHost": self.per_host - 1, "acrossHosts": slots - self.per_host}
        return max(reversed(others), key=lambda name: Fraction(others[name]) / bandwidth_at(self.links[name][0], slots))

    def sync(self, slots, copied):
        if slots == 1:
            return Fraction(0)
        return Fraction(2 * (slots - 1) * copied, slots) / bandwidth_at(self.links[self.slowest(slots)][0], slots)

    def output(self, group):
        if self.modules is None:
            return sum(self.tables[f]["dim"] for f in group)
        return self.modules["width"] * (self.modules.get("perFeature", 0) * len(group) + self.modules.get("perTower", 0))

    def flat(self, widths):
        messages = {
            (a, b): Fraction(self.batch * self.wire) * widths[a] for a in range(self.gpus) for b in range(self.gpus)
        }
        return self.step(self.gpus, messages) + self.step(self.gpus, back(messages))

    def places(self, feature, slots):
        """Every way to lay a table on the GPUs of a tower, as lists of (slot, elements, bytes)."""
        table = self.tables[feature]
        rows, dim, element = table["rows"], table["dim"], BYTES[table.get("dataType", "fp32")]
        for parts in [2**k for k in range(int(log2(max(1, min(slots, dim)))) + 1)]:
            sizes = even(dim, parts)
            # Columns of one width are alike: their order on the GPUs is all the same.
            chosen = combinations_with_replacement if len(set(sizes)) == 1 else lambda all_, n: product(all_, repeat=n)
            for where in chosen(range(slots), parts):
                yield [(slot, size, rows * size * element) for slot, size in zip(where, sizes)]
        if slots > 1 and rows >= slots:
            yield [(slot, dim, size * dim * element) for slot, size in enumerate(even(rows, slots))]

    def least_width(self, group, hosts):
        """(whether everything was tried, least elements on the busiest GPU or None where nothing fits)."""
        slots = hosts * self.per_host
        if "splits" in self.instance or "caches" in self.instance:
            return False, None
        ways = [list(self.places(feature, slots)) for feature in group]
        total = 1
        for each in ways:
            total *= len(each)
        if total > MAX_PLACED:
            return False, None
        best = None
        for choice in product(*ways):
            widths, sizes = [0] * slots, [0] * slots
            for slot, elements, size in (shard for table in choice for shard in table):
                widths[slot] += elements
                sizes[slot] += size
            if (self.memory is None or max(sizes) <= self.memory) and (best is None or max(widths) < best):
                best = max(widths)
        return True, best


def back(messages):
    return {(b, a): size for (a, b), size in messages.items()}


def even(whole, parts):
    return [whole // parts + (1 if k < whole % parts else 0) for k in range(parts)]


def bandwidth_at(points, world):
    """Between the given worlds on a straight line over log2 of the ranks; beyond them constant."""
    points = sorted(points)
    if world <= points[0][0]:
        return Fraction(points[0][1])
    for (low, slow), (high, fast) in zip(points, points[1:]):
        if world == high:
            return Fraction(fast)
        if world < high:
            part = Fraction(log2(world / low) / log2(high / low))
            return Fraction(slow) + part * (Fraction(fast) - Fraction(slow))
    return Fraction(points[-1][1])


def check(instance, plan, matrix, findings):
    model = Joint(instance, matrix)
    joint = plan["joint"]
    chosen = joint["chosen"]
    if chosen is not None:
        check_chosen(model, plan, chosen, findings)
    return check_rows(model, plan, findings)


def check_chosen(model, plan, chosen, findings):
    joint, features = plan["joint"], model.instance["features"]
    slots = chosen["hostsPerTower"] * model.per_host
    place = {name: f for f, name in enumerate(features)}
    groups = [[place[name] for name in tower] for tower in plan["towers"]]
    partition = Partition(model.instance, model.matrix, chosen["towers"])
    for violation in partition.violations(groups):
        findings.holds(f"limit broken: {violation}", False)
    findings.exact("objective", partition.value(groups), plan["exact"]["value"])
    for what, exact in (("objective", plan["exact"]), ("seconds", joint["seconds"]["exact"])):
        is_below = exact["bound"] is None or Fraction(exact["bound"]) <= Fraction(exact["value"])
        findings.holds(f"bound of the {what} above its value", is_below)
    widths, sizes, hosted = [0] * model.gpus, [0] * model.gpus, [0] * model.gpus
    fetched, copied = [Fraction(0)] * model.gpus, [0] * chosen["towers"]
    for table in joint["tables"]:
        feature = place[table["name"]]
        own = model.tables[feature]
        element = BYTES[own.get("dataType", "fp32")]
        tower = next(t for t, group in enumerate(groups) if feature in group)
        findings.holds(f"{table['name']} is in its tower", all(rank // slots == tower for rank in table["ranks"]))
        hot = table.get("hotRows", 0)
        rows, share, classes = rest_of(own, hot)
        vectors = min(1, Fraction(own.get("poolingFactor", 1)) * (1 - share)) if hot else 1
        load = table.get("cacheLoadFactor")
        cached = rows if load is None else floor(load * rows + 1e-6)
        if load is not None:
            lookups = own.get("poolingFactor", 1) * model.batch * model.gpus * float(1 - share)
            missed = distinct(classes, lookups, cached)
        for rank in range(tower * slots, (tower + 1) * slots):
            sizes[rank] += hot * own["dim"] * element
        copied[tower] += hot * own["dim"] * element
        whole = rows if table["shardingType"] == "row_wise" else own["dim"]
        findings.holds(f"{table['name']} is whole", sum(table["sizes"]) == whole and len(table["sizes"]) == len(table["ranks"]))
        for rank, size in zip(table["ranks"], table["sizes"]):
            is_by_rows = table["shardingType"] == "row_wise"
            here, columns = (size, own["dim"]) if is_by_rows else (rows, size)
            widths[rank] += columns * vectors
            sizes[rank] += (here if load is None else ceil(cached * here / rows)) * columns * element
            if load is not None:
                hosted[rank] += here * columns * element
                speed = model.instance["cluster"]["bandwidth"]["hostMemory"]
                fetched[rank] += Fraction(missed * here / rows * columns * element) / Fraction(speed)
    findings.holds("every table once", sorted(t["name"] for t in joint["tables"]) == sorted(features))
    findings.holds("bytes of the GPUs", sizes == joint["deviceBytes"])
    is_free = "splits" in model.instance or "caches" in model.instance
    near = [abs(a - b) <= (1e-9 if is_free else 0) for a, b in zip(widths, joint["deviceElements"])]
    findings.holds("elements of the GPUs", all(near))
    findings.holds("bytes of the hosts", hosted == joint.get("deviceHostBytes", hosted))
    more = [
        max(fetched[tower * slots : (tower + 1) * slots]) + model.sync(slots, copied[tower])
        for tower in range(chosen["towers"])
    ]
    findings.holds("over the memory", model.memory is None or max(sizes) <= model.memory)
    findings.near("seconds", model.exposed(groups, widths, chosen["hostsPerTower"], more if is_free else None), joint["seconds"]["exact"]["value"], Fraction(1, 10**12))


def rest_of(table, hot):
    """Rows that are left without the hottest ones, the share of ids that those take, and how often each of the others is read."""
    if "access" not in table:
        return table["rows"], Fraction(0), []
    pairs = sorted(((n, Fraction(p)) for n, p in table["access"]["histogram"]), key=lambda pair: -pair[1])
    total, left, taken, rest = sum(n * p for n, p in pairs), hot, Fraction(0), []
    for count, p in pairs:
        away = min(left, count)
        left -= away
        taken += away * p
        if count > away:
            rest.append((count - away, p))
    return table["rows"] - hot, (taken / total if total else Fraction(0)), rest


def distinct(classes, lookups, first):
    """Distinct rows that so many look-ups are expected to read of those after the hottest `first`."""
    total, found = float(sum(n * p for n, p in classes)), 0.0
    for count, p in classes:
        beyond = count - min(first, count)
        first -= min(first, count)
        if beyond:
            found += beyond * -expm1(lookups * log1p(-float(p) / total))
    return found


def check_rows(model, plan, findings):
    """Small ones: the best partition of each row with a place for every table, and its least width, by trying all."""
    if len(model.tables) > 6:
        return False
    tried, gap = True, Fraction(str(plan["request"]["gap"]))
    for row in plan["joint"]["rows"]:
        partition = Partition(model.instance, model.matrix, row["towers"])
        of_row, best = best_of_row(model, partition, row["hostsPerTower"])
        tried = tried and of_row
        if not of_row:
            continue
        what = f"row of {row['towers']} towers"
        if best is None:
            findings.holds(f"{what} has a plan though none exists", row["seconds"]["exact"]["value"] is None)
            continue
        findings.holds(f"{what} is called infeasible though a plan exists", row["status"] != "infeasible")
        if row["status"] == "proved":
            findings.within_gap(f"{what}: objective", best, row["partition"]["exact"]["value"], gap)
            groups = groups_of(row["partition"]["numbering"], row["towers"])
            widths = [model.least_width(group, row["hostsPerTower"])[1] for group in groups]
            findings.within_gap(f"{what}: elements of the busiest GPU", Fraction(max(widths)), row["largestElements"], gap)
    return tried


def best_of_row(model, partition, hosts):
    known, best = {}, None
    for groups in partition.groupings():
        value = partition.value(groups)
        if best is not None and value >= best:
            continue
        widths = []
        for group in groups:
            key = tuple(group)
            if key not in known:
                known[key] = model.least_width(group, hosts)
            widths.append(known[key])
        if any(not tried for tried, _ in widths):
            return False, None
        if all(width is not None for _, width in widths):
            best = value
    return True, best
