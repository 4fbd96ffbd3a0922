"""
How often the rows of a table are read, hottest first, as [(rows, appearances of each in one sample)].

A coverage curve is rebuilt from its published definition: a falling density of power laws through the points (FlexShard,
table 5), p(t) = c·t^-b on every piece; see docs of `access.coverage`. It is integrated over whole runs, without classes of
rows, so that it agrees with a planner that cuts it into classes only up to their width.
"""

from fractions import Fraction
from math import exp, expm1, log


class Histogram:
    relative = Fraction(0)

    def __init__(self, pairs):
        self.pairs = sorted(((n, Fraction(p)) for n, p in pairs), key=lambda pair: -pair[1])
        self.rows = sum(n for n, _ in self.pairs)

    def sum_of(self, start, end):
        total, at = Fraction(0), 0
        for count, p in self.pairs:
            taken = min(end, at + count) - max(start, at)
            if taken > 0:
                total += taken * p
            at += count
        return total

    def is_read(self, start, end):
        return self.sum_of(start, end) > 0


class Coverage:
    # A planner's class of rows is at most 0.1 % wide, and a run may end inside one.
    relative = Fraction(1, 10**6)

    def __init__(self, rows, mean_length, points):
        self.rows = rows
        marks = [(r, share) for r, share, *_ in points]
        given = [list(point[2:])[0] if len(point) > 2 else None for point in points] + [None]
        if marks[-1][0] < rows:
            marks.append((rows, 1.0))
        spans, at, share = [], 0, 0.0
        for end, to in marks:
            spans.append((at, end, mean_length * (to - share) / (end - at)))
            at, share = end, to
        knots = []
        for k, (_, _, mean) in enumerate(spans):
            after = spans[k + 1][2] if k + 1 < len(spans) else 0.0
            knots.append(given[k] if given[k] is not None else ((mean * after) ** 0.5 if after > 0 else None))
        last = max(k for k, (_, _, mean) in enumerate(spans) if mean > 0)
        self.pieces = []
        for k, (start, end, mean) in enumerate(spans):
            self.pieces += piece_of(start, end, mean, knots[k - 1] if k > 0 else None, knots[k], k == last)

    def sum_of(self, start, end):
        return Fraction(sum(integral(piece, max(start, piece[0]), min(end, piece[1])) for piece in self.pieces))

    def is_read(self, start, end):
        return self.sum_of(start, end) > 0


class ZipfMandelbrot:
    """p_r = min(1, c·(r + shift)^-exponent), with the c that makes them add up to the mean length."""

    relative = Fraction(1, 10**6)

    def __init__(self, rows, mean_length, exponent, shift):
        self.rows, self.exponent, self.shift = rows, exponent, shift
        self.capped = 0
        while True:
            self.c = (mean_length - self.capped) / self.powers(self.capped, rows)
            if self.c * (self.capped + 1 + shift) ** -exponent <= 1:
                break
            self.capped += 1

    def powers(self, start, end):
        """Σ (r + shift)^-exponent over start < r <= end: the first terms one by one, the rest by Euler and Maclaurin."""
        s, e = self.exponent, self.shift
        direct = min(end, start + 100_000)
        total = sum((r + e) ** -s for r in range(direct, start, -1))
        if direct == end:
            return total
        low, high = direct + 0.5 + e, end + 0.5 + e
        between = log(high / low) if s == 1 else (high ** (1 - s) - low ** (1 - s)) / (1 - s)
        # The midpoint rule's first correction.
        return total + between - (s / 24) * (low ** (-s - 1) - high ** (-s - 1))

    def sum_of(self, start, end):
        ones = max(0, min(end, self.capped) - start)
        first = max(start, self.capped)
        return Fraction(ones + (self.c * self.powers(first, end) if end > first else 0.0))

    def is_read(self, start, end):
        return end > start


def integral(piece, start, end):
    low, high, anchor, density, b = piece
    if end <= start:
        return 0.0
    if b == 0:
        return density * (end - start)
    if start == 0:
        return density * anchor**b * end ** (1 - b) / (1 - b)
    ratio = log(end / start)
    return density * (start / anchor) ** -b * start * (ratio if b == 1 else expm1((1 - b) * ratio) / (1 - b))


def constant(start, end, mean):
    return (start, end, end, mean, 0.0)


def piece_of(start, end, mean, left, right, is_last):
    """Power laws over (start, end] of that mean, from the density `left` to `right`."""
    if mean == 0:
        return [constant(start, end, 0.0)]
    if left is None:
        if right is None or right >= mean:
            return [constant(start, end, mean)]
        return [(start, end, end, right, 1 - right / mean)]
    if left <= mean * (1 + 1e-12) or (right is not None and mean <= right * (1 + 1e-12)):
        return [constant(start, end, mean)]
    wanted = mean * (end - start)
    if is_last and right is None:
        b = root(lambda x: wanted - integral((start, end, start, left, x), start, end), 0.0, 64.0)
        return [(start, end, start, left, b)]
    right = mean if right is None else right
    part = 0.5
    for _ in range(40):
        middle = start * exp(part * log(end / start))
        if not start < middle < end:
            break

        def pieces(density):
            return [
                (start, middle, start, left, log(left / density) / log(middle / start)),
                (middle, end, middle, density, log(density / right) / log(end / middle)),
            ]

        def excess(density):
            return sum(integral(p, p[0], p[1]) for p in pieces(density)) - wanted

        if excess(left) < 0:
            part = (1 + part) / 2
        elif excess(right) > 0:
            part /= 2
        else:
            return pieces(exp(root(lambda x: excess(exp(x)), log(right), log(left))))
    return [constant(start, end, mean)]


def root(rising, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return high


def curve_of(table, read_file):
    access = table["access"]
    if "histogram" in access:
        return Histogram(access["histogram"])
    if "coverage" in access:
        return Coverage(table["rows"], access["coverage"]["meanLength"], access["coverage"]["points"])
    if "zipfMandelbrot" in access:
        law = access["zipfMandelbrot"]
        return ZipfMandelbrot(table["rows"], law["meanLength"], law["exponent"], law["shift"])
    counts = read_file(access["counts"]["file"])
    samples = Fraction(access["counts"]["samples"])
    unread = table["rows"] - len(counts)
    return Histogram([(1, count / samples) for count in counts] + ([(unread, 0)] if unread else []))
