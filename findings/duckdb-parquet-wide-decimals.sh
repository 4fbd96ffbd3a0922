#!/usr/bin/env bash
# DuckDB 1.5.6 (npm's @duckdb/node-api 1.5.6-r.1) reads decimals of 39 to 75 digits from Parquet files as other numbers.
#
# A good guess: DuckDB's decimals have 38 digits at most, and wider ones are refused, or become the nearest doubles, as the
# type that it names (DOUBLE) suggests; a small number of a wide type is then itself.
# Seen, of files by pyarrow 25.0.1 (decimal256): 7 of 39 digits is 5.04e17, of 43 digits 1.97e15, of 50 digits 117440512; only those of
# 38 digits, and of 76, whose 32 bytes fill whole words, are right. Where a value is n bytes short of whole words of eight bytes it is
# 2^(8n) times as large, and one below zero is off besides. There is no error and no warning. parquet_schema() tells the precision:
# look there before such a column is read.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --target py pyarrow==25.0.1 2>/dev/null
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 >/dev/null 2>&1
cat >write.py <<'PY'
import sys

sys.path.insert(0, "py")
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

for digits in (38, 39, 43, 50, 76):
    table = pa.table({"id": pa.array([Decimal(7), Decimal(300), Decimal(-3)], pa.decimal256(digits, 0))})
    pq.write_table(table, f"{digits}.parquet")
    print(digits, "digits by pyarrow:", [int(x) for x in pq.read_table(f"{digits}.parquet")["id"].to_pylist()])
PY
python3 write.py
cat >read.mjs <<'JS'
import { DuckDBInstance } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create()).connect();
for (const digits of [38, 39, 43, 50, 76]) {
  const rows = (await connection.runAndReadAll(`SELECT typeof(id), CAST(id AS VARCHAR) FROM '${digits}.parquet'`)).getRows();
  console.log(`${digits} digits by DuckDB: ${rows[0][0]}`, rows.map(([, value]) => value).join(" "));
}
JS
node read.mjs | tee seen
cat >expected <<'TXT'
38 digits by DuckDB: DECIMAL(38,0) 7 300 -3
39 digits by DuckDB: DOUBLE 5.0440315826549555e+17 2.161727821137838e+19 -1.4411518807585587e+17
43 digits by DuckDB: DOUBLE 1970324836974592.0 8.44424930131968e+16 -562949953421313.0
50 digits by DuckDB: DOUBLE 117440512.0 5033164800.0 -33554433.0
76 digits by DuckDB: DOUBLE 7.0 300.0 -3.0
TXT
cmp -s seen expected || { echo "it reads otherwise now"; exit 1; }
