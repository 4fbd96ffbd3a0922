"""
A cost network (AutoShard, section 4.2): 21 (or NeuroShard's 20) features of a table to 32 numbers, their sum over a device's
tables to milliseconds. A table's representation is rounded to whole multiples of 2^-24; everything after it is exact.
"""

from fractions import Fraction

from row_tiers import BYTES


class Network:
    def __init__(self, weights):
        self.features = weights["features"]
        self.table, self.head = weights["table"], weights["head"]
        self.known, self.first, self.costs = {}, {}, {}

    def options(self, table, most):
        found, known = [(table["dim"],)], {(table["dim"],)}
        for widths in found:
            if len(widths) >= most:
                break
            for width in sorted(set(widths), reverse=True):
                if width % 8:
                    continue
                rest = list(widths)
                rest.remove(width)
                cut = tuple(sorted(rest + [width // 2] * 2, reverse=True))
                if cut not in known:
                    known.add(cut)
                    found.append(cut)
        element = BYTES[table.get("dataType", "fp32")]
        return [
            (
                "table_wise" if len(widths) == 1 else "column_wise",
                "fused",
                "device",
                [(Fraction(0), table["rows"] * width * element, 0, 0, (), width) for width in widths],
            )
            for widths in found
        ]

    def cost(self, tables, parts):
        """Milliseconds of a device with these (table, width); 0 without any."""
        if not parts:
            return Fraction(0)
        key = tuple(sorted(parts))
        if key not in self.costs:
            first, last = self.head
            summed = [sum(each) for each in zip(*(self.weighed(tables, *part) for part in key))]
            hidden = [max(Fraction(0), Fraction(bias) + each) for bias, each in zip(first["biases"], summed)]
            bias = Fraction(last["biases"][0])
            self.costs[key] = bias + sum(Fraction(w) * h for w, h in zip(last["weights"][0], hidden))
        return self.costs[key]

    def weighed(self, tables, *part):
        """The first layer of the head, without its biases, of one part: it is linear, so that a set has their sums."""
        if part not in self.first:
            vector = self.representation(tables, *part)
            self.first[part] = [
                sum((Fraction(w) * v for w, v in zip(row, vector)), Fraction(0)) for row in self.head[0]["weights"]
            ]
        return self.first[part]

    def representation(self, tables, index, width):
        key = (index, width)
        if key not in self.known:
            table = tables[index]
            size = table["rows"] * width * BYTES[table.get("dataType", "fp32")] / 2**30
            raw = {"dim": width, "rows": table["rows"], "poolingFactor": table["poolingFactor"], "sizeGiB": size}
            raw.update({f"bin{k}": share for k, share in enumerate(table["accessBins"])})
            values = [(raw[each["name"]] - each["mean"]) / each["deviation"] for each in self.features]
            for layer in self.table:
                values = [
                    max(0.0, bias + sum(w * v for w, v in zip(row, values)))
                    for row, bias in zip(layer["weights"], layer["biases"])
                ]
            self.known[key] = [Fraction(round(value * 2**24), 2**24) for value in values]
        return self.known[key]
