"""What a recomputation says of a plan: which of its numbers were compared, and where they differ."""

from fractions import Fraction


class Findings:
    def __init__(self):
        self.compared = 0
        self.differences = []

    def exact(self, name, ours, written):
        """`written` is an integer or a fraction as text, a double, or None; equal as rationals."""
        self.compared += 1
        theirs = None if written is None else Fraction(written)
        if ours != theirs:
            self.differences.append(f"{name}: the plan has {show(theirs)}, recomputed {show(ours)}")

    def within_gap(self, name, best, written, gap):
        """`written` is the best or above it by at most the gap, relative to itself, that the plan was asked for."""
        self.compared += 1
        theirs = None if written is None else Fraction(written)
        if theirs is None or not theirs * (1 - gap) <= best <= theirs:
            self.differences.append(f"{name}: the plan has {show(theirs)}, the best is {show(best)}")

    def near(self, name, ours, written, relative):
        """Equal within a relative distance, where the formula has logarithms or sums of doubles in some order."""
        self.compared += 1
        theirs = Fraction(written)
        if abs(Fraction(ours) - theirs) > Fraction(relative) * max(abs(theirs), abs(Fraction(ours))):
            self.differences.append(f"{name}: the plan has {float(theirs)!r}, recomputed {float(ours)!r}")

    def rounded(self, name, ours, written):
        """`written` is the double nearest to ours."""
        self.compared += 1
        if float(ours) != written:
            self.differences.append(f"{name}: the plan has {written!r}, recomputed {float(ours)!r}")

    def holds(self, name, is_so):
        self.compared += 1
        if not is_so:
            self.differences.append(name)


def show(value):
    return "none" if value is None else f"{value} ({float(value)!r})"


def between(findings, plan_exact, status, optimum):
    """An optimum found by trying everything lies between the plan's bound and value; infeasible is so of no plan alone."""
    value, bound = plan_exact.get("value"), plan_exact.get("bound")
    if optimum is None:
        findings.holds(f"status {status} though no plan exists", status in ("infeasible", "unknown"))
        findings.holds("a plan is written though none exists", value is None)
        return
    findings.holds("infeasible though a plan exists", status != "infeasible")
    if bound is not None:
        findings.holds(f"bound {bound} above the optimum {show(optimum)}", Fraction(bound) <= optimum)
    if value is not None:
        findings.holds(f"value {value} below the optimum {show(optimum)}", Fraction(value) >= optimum)
