"""Look-ups of a table whose hottest rows are on every device, as two tables: `NAME_hot` and `NAME_cold`.

`shardproof export PLAN --to torchrec` writes the sharding of both, `--to remap` where each row id goes. Ids, lengths and weights are
NumPy arrays or PyTorch tensors; what comes back is of the same kind. NumPy is needed, PyTorch is not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Union

import numpy

from .errors import ShardproofError

HOT = 0
COLD = 1


class Bags(NamedTuple):
    """Bags of ids one after the other: `lengths` says how many each bag has. `weights` are of the ids, where there are any."""

    values: Any
    lengths: Any
    weights: Optional[Any] = None


class Split(NamedTuple):
    """The same bags in both parts; one without an id in a part is empty there."""

    hot: Bags
    cold: Bags


class SplitTable:
    """Of one table, by row id: its part, and its index in the table of that part."""

    def __init__(self, table: str, part: Any, index: Any) -> None:
        self.table = table
        self.part = numpy.asarray(part)
        self.index = numpy.asarray(index).astype(numpy.int64)
        counts = numpy.bincount(self.part, minlength=2)
        if self.part.shape != self.index.shape or self.part.ndim != 1 or len(counts) > 2:
            raise ShardproofError(f"table {table}: expected a part, 0 or 1, and an index for every row")
        self.hot_rows, self.cold_rows = int(counts[HOT]), int(counts[COLD])
        for part_of, rows in ((HOT, self.hot_rows), (COLD, self.cold_rows)):
            if (numpy.sort(self.index[self.part == part_of]) != numpy.arange(rows)).any():
                raise ShardproofError(f"table {table}: expected every index of a part once")

    @property
    def rows(self) -> int:
        return len(self.part)

    def split(self, values: Any, lengths: Any, weights: Optional[Any] = None) -> Split:
        """Bags of row ids as bags of indices in both tables, ids in the order in which they come.

        Raises `ShardproofError` for an id that is no row of the table, and for lengths that do not add up to the ids.
        """
        ids, counts = _array(values), _array(lengths)
        if int(counts.sum()) != len(ids) or (counts < 0).any():
            raise ShardproofError(f"table {self.table}: {len(ids)} ids, and lengths of {int(counts.sum())}")
        wrong = ids[(ids < 0) | (ids >= self.rows)]
        if len(wrong) > 0:
            raise ShardproofError(f"table {self.table}: expected ids from 0 to {self.rows - 1}, received {wrong[0]}")
        bag = numpy.repeat(numpy.arange(len(counts)), counts)
        part = self.part[ids]

        def of(wanted: int) -> Bags:
            here = numpy.flatnonzero(part == wanted)
            found = self.index[ids[here]]
            per_bag = numpy.bincount(bag[here], minlength=len(counts))
            own = None if weights is None else weights[_like(here, weights)]
            return Bags(_like(found, values), _like(per_bag, lengths), own)

        return Split(of(HOT), of(COLD))

    def rows_of(self, weight: Any) -> List[Any]:
        """The rows of the hot and of the cold table, from those of the whole one: a model that was trained unsplit."""
        if len(weight) != self.rows:
            raise ShardproofError(f"table {self.table}: expected {self.rows} rows, received {len(weight)}")
        return [weight[_like(self._ids(part), weight)] for part in (HOT, COLD)]

    def joined(self, hot: Any, cold: Any) -> Any:
        """The whole table's rows, from those of both: the way back, for a checkpoint."""
        if (len(hot), len(cold)) != (self.hot_rows, self.cold_rows):
            wanted = f"expected {self.hot_rows} hot rows and {self.cold_rows} others"
            raise ShardproofError(f"table {self.table}: {wanted}, received {len(hot)} and {len(cold)}")
        place = numpy.where(self.part == HOT, self.index, self.hot_rows + self.index)
        return _concatenated(hot, cold)[_like(place, hot)]

    def _ids(self, part: int) -> Any:
        """Row ids of a part, in the order of its table."""
        ids = numpy.flatnonzero(self.part == part)
        return ids[numpy.argsort(self.index[ids])]


def load(folder: Union[str, Path], table: str) -> SplitTable:
    """A table of a remap that `shardproof export PLAN --to remap --out FOLDER` wrote of a placement."""
    manifest = json.loads((Path(folder) / "manifest.json").read_text())
    if manifest.get("kind") != "remap" or manifest.get("tierCodes") != {"hot": HOT, "cold": COLD}:
        raise ShardproofError(f"{folder}: expected the remap of a placement with hot rows, received another")
    known = {one["name"]: one for one in manifest["tables"]}
    if table not in known:
        raise ShardproofError(f"{folder}: expected one of {', '.join(known)}, received {table}")
    files = known[table]["files"]
    if "parquet" in files:
        raise ShardproofError(f"{folder}: expected NumPy files, received Parquet; export without --format parquet")
    part, index = (numpy.load(Path(folder) / files[key]["file"]) for key in ("tier", "index"))
    return SplitTable(table, part, index)


def combine(hot: Any, cold: Any, split: Split, pooling: str = "sum") -> Any:
    """The whole table's output from those of both, bag by bag (`[bags, dim]`), each pooled in this way by its own table.

    `sum`: they are added; weights of ids are in them already. `mean`: each counts as often as its bag has ids, an empty bag being 0 as
    in PyTorch. Raises `ShardproofError` for weights with `mean`, whose meaning is not the same everywhere, and for other poolings.
    """
    if pooling == "sum":
        return hot + cold
    if pooling != "mean":
        raise ShardproofError(f"expected the pooling sum or mean, received {pooling}: parts of a maximum do not add up")
    if split.hot.weights is not None:
        raise ShardproofError("expected no weights with the pooling mean; pool with sum and divide as your model does")
    hot_lengths, cold_lengths = _array(split.hot.lengths), _array(split.cold.lengths)
    total = numpy.maximum(hot_lengths + cold_lengths, 1)
    share = [_like((lengths / total)[:, None], hot) for lengths in (hot_lengths, cold_lengths)]
    return hot * _as_type(share[0], hot) + cold * _as_type(share[1], cold)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "detach")


def _array(value: Any) -> Any:
    return value.detach().cpu().numpy() if _is_tensor(value) else numpy.asarray(value)


def _like(array: Any, example: Any) -> Any:
    """A NumPy array as what the example is: on its device where that is a tensor."""
    if not _is_tensor(example):
        return array
    import torch

    return torch.from_numpy(numpy.ascontiguousarray(array)).to(example.device)


def _as_type(value: Any, example: Any) -> Any:
    return value.to(example.dtype) if _is_tensor(value) else value.astype(example.dtype)


def _concatenated(first: Any, second: Any) -> Any:
    if not _is_tensor(first):
        return numpy.concatenate([first, second])
    import torch

    return torch.cat([first, second])
