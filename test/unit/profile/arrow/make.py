"""Writes the files of this folder: python3 make.py (pyarrow 25.0.1, pandas 3.0.6, polars 1.44.2).

Each log is there twice, as Arrow and as Parquet by the same writer, of 120 lines: ids 7, 8, 9, 7, ..., a tenth of them missing.
"""
import datetime
import decimal
import os

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet

os.chdir(os.path.dirname(os.path.abspath(__file__)))
ids = [None if k % 10 == 3 else [7, 8, 9, 7][k % 4] for k in range(120)]
D = decimal.Decimal


def each(convert):
    return [None if x is None else convert(x) for x in ids]


def of(type, convert=lambda x: x):
    return pa.array(each(convert), type)


def lists(convert):
    """Of one, of none, of two; a missing one."""
    return [None if x is None else [[convert(x)], [], [convert(x), convert(7)]][k % 3] for k, x in enumerate(ids)]


def holed(convert):
    return [[convert(x), None] if k == 5 else [convert(x)] for k, x in enumerate(x or 7 for x in ids)]


# pyarrow: LZ4, in batches of 64 lines.
columns = {f"{sign}int{bits}": of(getattr(pa, f"{sign}int{bits}")()) for sign in ("", "u") for bits in (8, 16, 32)}
columns |= {
    "int64": of(pa.int64(), lambda x: 2**60 + x),
    "uint64": of(pa.uint64(), lambda x: 2**63 + x),
    "float64": pa.array([float("nan") if k % 7 == 0 else x for k, x in enumerate(ids)], pa.float64(), from_pandas=False),
    "fractions": of(pa.float64(), lambda x: x + 0.25),
    "float32": of(pa.float32()),
    "float16": of(pa.float16()),
    "decimal32": of(pa.decimal32(5, 0), D),
    "decimal64": of(pa.decimal64(12, 0), lambda x: D(-x)),
    "decimal128": of(pa.decimal128(38, 0), lambda x: D(10**37 + x)),
    "decimal256": of(pa.decimal256(20, 0), lambda x: D(-x)),
    "decimal-fractions": of(pa.decimal128(9, 2), lambda x: D(x) / 4),
    "bool": of(pa.bool_(), lambda x: x == 7),
    "null": of(pa.null(), lambda x: None),
    "string": of(pa.string(), lambda x: f"\u00e4{x}"),
    "large_string": of(pa.large_string(), lambda x: f" {x}"),
    "string_view": of(pa.string_view(), lambda x: f"{x}" * (20 if x == 8 else 1)),
    "binary": of(pa.binary(), lambda x: bytes([x, 255])),
    "large_binary": of(pa.large_binary(), lambda x: bytes([x])),
    "binary_view": of(pa.binary_view(), lambda x: bytes([x]) * 20),
    "fixed_binary": of(pa.binary(2), lambda x: bytes([x, 0])),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), of(pa.binary(16), lambda x: bytes([x]) * 16)),
    "json": pa.ExtensionArray.from_storage(pa.json_(), of(pa.string(), str)),
    "date32": of(pa.date32()),
    "date64": of(pa.date64(), lambda x: -x * 86_400_000),
    "duration": of(pa.duration("us")),
    "dictionary": of(pa.string(), lambda x: f"d{x}").dictionary_encode(),
    "dictionary-integers": of(pa.int64(), lambda x: 2**60 + x).dictionary_encode(),
    "list": pa.array(lists(lambda x: 2**60 + x), pa.list_(pa.int64())),
    "list-holed": pa.array(holed(lambda x: x), pa.list_(pa.int32())),
    "list-strings": pa.array(lists(str), pa.list_(pa.string())),
    "list-doubles": pa.array(lists(float), pa.list_(pa.float64())),
    "list-decimals": pa.array(lists(D), pa.list_(pa.decimal128(9, 0))),
    "list-dates": pa.array(lists(lambda x: datetime.date(2024, 1, x)), pa.list_(pa.date32())),
    "large_list": pa.array(lists(lambda x: x), pa.large_list(pa.uint16())),
    "fixed_list": of(pa.list_(pa.int64(), 2), lambda x: [x, x + 1]),
    "list-list": pa.array([x and [[y] for y in x] for x in lists(str)], pa.list_(pa.list_(pa.string()))),
    "struct": of(pa.struct({"a b": pa.int32(), "d": pa.date32()}), lambda x: {"a b": x}),
    "map": of(pa.map_(pa.string(), pa.date32()), lambda x: [("k", None)] * (x == 7)),
}
columns |= {f"time-{unit}": of(pa.time32(unit)) for unit in ("s", "ms")}
columns |= {f"time-{unit}": of(pa.time64(unit)) for unit in ("us", "ns")}
columns |= {f"timestamp-{unit}": of(pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")}
columns |= {f"timestamp-{unit}-zone": of(pa.timestamp(unit, "Europe/Rome")) for unit in ("s", "ms", "us", "ns")}
table = pa.table(columns)
feather.write_feather(table, "pyarrow.feather", chunksize=64)
parquet.write_table(table, "pyarrow.parquet")

# pandas: integers of which some are missing are doubles.
frame = pd.DataFrame(
    {
        "user": range(120),
        "item": ids,
        "nullable": pd.array(ids, "Int64"),
        "text": each(str),
        "category": pd.Categorical(each(lambda x: f"c{x}")),
        "bag": lists(lambda x: x),
    }
)
frame.to_feather("pandas.feather")
frame.to_parquet("pandas.parquet")

# polars: Zstandard, texts as views; and the stream.
frame = pl.DataFrame(
    {
        "item": pl.Series(each(lambda x: 2**63 + x), dtype=pl.UInt64),
        "text": each(lambda x: f"{x}" * 20),
        "category": pl.Series(each(str), dtype=pl.Categorical),
        "enum": pl.Series(each(str), dtype=pl.Enum(["9", "8", "7"])),
        "decimal": pl.Series(each(D), dtype=pl.Decimal(20, 0)),
        "bag": pl.Series(lists(lambda x: x), dtype=pl.List(pl.Int32)),
        "texts": pl.Series(lists(str), dtype=pl.List(pl.Categorical)),
        "array": pl.Series(each(lambda x: [x, 5]), dtype=pl.Array(pl.Int64, 2)),
        "half": pl.Series(each(float), dtype=pl.Float16),
        "time": pl.Series(each(lambda x: datetime.time(0, 0, x))),
        "at": pl.Series(each(lambda x: datetime.datetime(2024, 1, x))),
    }
)
frame.write_ipc("polars.arrow", compression="zstd")
frame.write_ipc_stream("polars.arrows", compression="lz4")
frame.write_parquet("polars.parquet")

# What the reader does not know, or Parquet has not.
feather.write_feather(pa.table({"x": pa.array([[1]], pa.list_view(pa.int64()))}), "list-view.feather")
feather.write_feather(pa.table({"x": pa.array([None], pa.month_day_nano_interval())}), "interval.feather")
pl.DataFrame({"x": pl.Series([1], dtype=pl.Int128)}).write_ipc("int128.arrow")

# Decimals of more digits than DuckDB has: it reads 117440512 for a 7 of 50 digits.
wide = pa.decimal256(50, 0)
parquet.write_table(
    pa.table({"user": pa.array(range(120)), "item": of(wide, D), "bag": pa.array(lists(D), pa.list_(wide))}),
    "wide-decimals.parquet",
)
parquet.write_table(pa.table({"count": of(wide, D)}), "wide-counts.parquet")
