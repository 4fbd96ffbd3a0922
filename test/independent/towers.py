"""
Features in towers. Distance of two features: 1 - interaction (coherent) or the interaction (diverse); a tower comes to the
sum of its pairs' distances (pairwise), or to the sum of their squares over its size (kmeans).
"""

from fractions import Fraction

from findings import between

MAX_FEATURES = 9


class Partition:
    def __init__(self, instance, matrix, towers):
        self.towers, self.features = towers, instance["features"]
        count = len(self.features)
        self.distance = [[self.of(instance, matrix, i, j) for j in range(count)] for i in range(count)]
        self.objective = instance.get("objective", "pairwise")
        self.ratio = decimal(instance.get("sizeRatio", 1))
        weights = instance.get("load")
        self.weights = None if weights is None else [decimal(each) for each in weights]
        ratio = instance.get("loadRatio")
        self.most = None if ratio is None or weights is None else decimal(ratio) * sum(self.weights) / towers

    @staticmethod
    def of(instance, matrix, i, j):
        # Halves that differ by the rounding of single precision count with their mean, entries beyond 1 by it as 1.
        interaction = Fraction(min(1.0, (matrix[i][j] + matrix[j][i]) / 2))
        return interaction if instance.get("strategy", "coherent") == "diverse" else 1 - interaction

    def cost(self, members):
        pairs = [self.distance[i][j] for k, i in enumerate(members) for j in members[k + 1 :]]
        if self.objective == "pairwise":
            return sum(pairs, Fraction(0))
        return sum((d * d for d in pairs), Fraction(0)) / len(members)

    def load(self, members):
        return sum((self.weights[f] for f in members), Fraction(0))

    def violations(self, groups):
        sizes = [len(group) for group in groups]
        found = []
        if len(groups) != self.towers or 0 in sizes:
            found.append("towers")
        # Sizes that differ by at most one are always within the ratio 1: it asks for no more than that.
        elif max(sizes) > max(self.ratio * min(sizes), 0) and not (self.ratio == 1 and max(sizes) - min(sizes) <= 1):
            found.append(f"sizes {sizes}")
        if self.most is not None and any(self.load(group) > self.most for group in groups):
            found.append("loads")
        return found

    def groupings(self):
        """All partitions into so many groups that keep the limits."""
        count = len(self.features)

        def extend(feature, groups):
            if len(groups) + count - feature < self.towers:
                return
            if feature == count:
                if len(groups) == self.towers and not self.violations(groups):
                    yield [list(group) for group in groups]
                return
            for group in groups:
                group.append(feature)
                yield from extend(feature + 1, groups)
                group.pop()
            if len(groups) < self.towers:
                yield from extend(feature + 1, groups + [[feature]])

        return extend(0, [])

    def value(self, groups):
        return sum((self.cost(group) for group in groups), Fraction(0))


def decimal(number):
    """Weights and ratios are the decimal numbers that were written: 0.1 is a tenth."""
    return Fraction(repr(number))


def groups_of(numbering, towers):
    return [[f for f, tower in enumerate(numbering) if tower == t] for t in range(towers)]


def check(instance, plan, matrix, findings):
    problem = Partition(instance, matrix, instance["towers"])
    exact = plan["exact"]
    tried = len(problem.features) <= MAX_FEATURES
    if tried:
        between(findings, exact, plan["status"], min(map(problem.value, problem.groupings()), default=None))
    if exact["value"] is not None:
        place = {name: f for f, name in enumerate(problem.features)}
        groups = [[place[name] for name in tower] for tower in plan["towers"]]
        findings.holds("every feature once", sorted(f for group in groups for f in group) == list(range(len(place))))
        for violation in problem.violations(groups):
            findings.holds(f"limit broken: {violation}", False)
        findings.exact("value", problem.value(groups), exact["value"])
        for tower, group in enumerate(groups):
            findings.rounded(f"cost of tower {tower}", problem.cost(group), plan["towerCosts"][tower])
            if plan.get("loads") is not None:
                findings.rounded(f"load of tower {tower}", problem.load(group), plan["loads"][tower])
        if exact["bound"] is not None:
            findings.holds("bound above the value", Fraction(exact["bound"]) <= Fraction(exact["value"]))
    for baseline in plan.get("baseline", []):
        if baseline.get("numbering") is not None:
            groups = groups_of(baseline["numbering"], problem.towers)
            findings.rounded(f"value of {baseline['method']}", problem.value(groups), baseline["value"])
    return tried
