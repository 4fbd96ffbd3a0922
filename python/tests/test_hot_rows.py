"""Look-ups in a table's hot rows and its others, beside those in the whole table. Skipped without NumPy; with tensors, without PyTorch."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import numpy
    import support  # noqa: F401

    from shardproof_torchrec.errors import ShardproofError
    from shardproof_torchrec.hot_rows import SplitTable, combine, load
except ImportError as error:
    raise unittest.SkipTest(f"needs NumPy: {error}") from None

try:
    import torch
except ImportError:
    torch = None


def drawn_table(random: Any, rows: int, hot: int) -> SplitTable:
    """Any rows are hot, and the tables of both parts have theirs in any order."""
    order = random.permutation(rows)
    part = numpy.ones(rows, dtype=numpy.uint8)
    part[order[:hot]] = 0
    index = numpy.zeros(rows, dtype=numpy.uint32)
    for of in (0, 1):
        ids = numpy.flatnonzero(part == of)
        index[ids] = random.permutation(len(ids))
    return SplitTable("t", part, index)


def pooled(weight: Any, values: Any, lengths: Any, pooling: str, weights: Any = None) -> Any:
    """Bag by bag, as an EmbeddingBag does."""
    out, at = numpy.zeros((len(lengths), weight.shape[1])), 0
    for bag, length in enumerate(lengths):
        own = weight[values[at : at + length]]
        if weights is not None:
            own = own * weights[at : at + length][:, None]
        if length > 0:
            out[bag] = own.sum(0) if pooling == "sum" else own.mean(0)
        at += length
    return out


class HotRows(unittest.TestCase):
    def test_random_bags_give_what_the_whole_table_gives(self) -> None:
        random = numpy.random.default_rng(3)
        for case in range(60):
            rows = int(random.integers(1, 40))
            table = drawn_table(random, rows, int(random.integers(0, rows + 1)))
            # Whole numbers, whose sums are exact in every order.
            weight = random.integers(-9, 10, (rows, 4)).astype(float)
            lengths = random.integers(0, 6, int(random.integers(0, 12)))
            values = random.integers(0, rows, int(lengths.sum()))
            hot, cold = table.rows_of(weight)
            self.assertTrue((table.joined(hot, cold) == weight).all())
            for pooling in ("sum", "mean"):
                split = table.split(values, lengths)
                outputs = [pooled(own, bags.values, bags.lengths, pooling) for own, bags in zip((hot, cold), split)]
                found = combine(outputs[0], outputs[1], split, pooling)
                wanted = pooled(weight, values, lengths, pooling)
                if pooling == "sum":
                    self.assertTrue((found == wanted).all(), case)
                else:
                    numpy.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)
            weights = random.integers(1, 5, len(values)).astype(float)
            split = table.split(values, lengths, weights)
            outputs = [pooled(own, bags.values, bags.lengths, "sum", bags.weights) for own, bags in zip((hot, cold), split)]
            self.assertTrue((combine(*outputs, split) == pooled(weight, values, lengths, "sum", weights)).all())

    def test_what_is_wrong_is_refused(self) -> None:
        table = drawn_table(numpy.random.default_rng(1), 10, 3)
        for values, lengths, words in (
            ([0, 10], [2], "expected ids from 0 to 9, received 10"),
            ([-1], [1], "received -1"),
            ([1, 2], [3], "2 ids, and lengths of 3"),
        ):
            with self.assertRaisesRegex(ShardproofError, words):
                table.split(numpy.array(values), numpy.array(lengths))
        split = table.split(numpy.array([1]), numpy.array([1]), numpy.array([2.0]))
        one = numpy.ones((1, 2))
        with self.assertRaisesRegex(ShardproofError, "expected no weights with the pooling mean"):
            combine(one, one, split, "mean")
        with self.assertRaisesRegex(ShardproofError, "sum or mean, received max"):
            combine(one, one, split, "max")
        with self.assertRaisesRegex(ShardproofError, "every index of a part once"):
            SplitTable("t", [0, 0, 1], [0, 0, 0])
        with self.assertRaisesRegex(ShardproofError, "expected 3 hot rows and 7 others, received 7 and 3"):
            table.joined(numpy.ones((7, 1)), numpy.ones((3, 1)))

    def test_a_folder_is_read(self) -> None:
        table = drawn_table(numpy.random.default_rng(5), 20, 6)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = {"tier": {"file": "t.tier.npy"}, "index": {"file": "t.index.npy"}}
            manifest = {"kind": "remap", "tierCodes": {"hot": 0, "cold": 1}, "tables": [{"name": "t", "files": files}]}
            numpy.save(folder / "t.tier.npy", table.part)
            numpy.save(folder / "t.index.npy", table.index)
            (folder / "manifest.json").write_text(json.dumps(manifest))
            found = load(folder, "t")
            self.assertEqual((found.hot_rows, found.cold_rows), (6, 14))
            self.assertTrue((found.index == table.index).all())
            with self.assertRaisesRegex(ShardproofError, "expected one of t, received u"):
                load(folder, "u")
            (folder / "manifest.json").write_text(json.dumps({**manifest, "tierCodes": {"row_wise": 2}}))
            with self.assertRaisesRegex(ShardproofError, "expected the remap of a placement with hot rows"):
                load(folder, "t")

    @unittest.skipIf(torch is None, "needs PyTorch")
    def test_tensors_give_what_an_embedding_bag_gives(self) -> None:
        random = numpy.random.default_rng(7)
        table = drawn_table(random, 50, 11)
        weight = torch.tensor(random.integers(-9, 10, (50, 8)).astype(numpy.float32))
        lengths = torch.tensor(random.integers(0, 6, 30))
        values = torch.tensor(random.integers(0, 50, int(lengths.sum())))
        hot, cold = table.rows_of(weight)

        def looked_up(rows: Any, bags: Any, pooling: str) -> Any:
            offsets = torch.cumsum(bags.lengths, 0) - bags.lengths
            return torch.nn.functional.embedding_bag(bags.values, rows, offsets, mode=pooling)

        for pooling in ("sum", "mean"):
            split = table.split(values, lengths)
            found = combine(looked_up(hot, split.hot, pooling), looked_up(cold, split.cold, pooling), split, pooling)
            whole = split.hot._replace(values=values, lengths=lengths)
            torch.testing.assert_close(found, looked_up(weight, whole, pooling), rtol=0, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
