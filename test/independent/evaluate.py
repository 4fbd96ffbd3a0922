"""
Recomputes plans of shardproof with none of its code: from the papers' formulas, in fractions.

Standard input: one JSON object a line, {"instance": the instance's YAML as JSON, "folder": where its files are, "plan"}.
Standard output: for each a line {"compared", "differences", "enumerated"}: how many numbers were compared, which differ, and
whether all plans were tried to find the optimum.
"""

import csv
import json
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import joint_towers
import row_tiers
import table_placement
import towers
from findings import Findings


def main():
    for line in sys.stdin:
        task = json.loads(line)
        findings = Findings()
        enumerated = check(task["instance"], task["plan"], task["folder"], findings)
        answer = {"compared": findings.compared, "differences": findings.differences, "enumerated": enumerated}
        print(json.dumps(answer), flush=True)


def check(instance, plan, folder, findings):
    problem = instance["problem"]
    if problem == "row-tiers":
        return row_tiers.check(instance, plan, lambda file: column(os.path.join(folder, file)), findings)
    if problem == "table-placement":
        return table_placement.check(instance, plan, lambda file: read_json(os.path.join(folder, file)), findings)
    matrix = instance["interaction"]
    if isinstance(matrix, dict):
        matrix = read_matrix(os.path.join(folder, matrix["file"]))
    if "tables" in instance:
        return joint_towers.check(instance, plan, matrix, findings)
    return towers.check(instance, plan, matrix, findings)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_matrix(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [[field.strip() for field in row] for row in csv.reader(file) if row]
    # A header has names; a first column may have them, too.
    numbers = [row for row in rows if is_number(row[-1])]
    return [[float(field) for field in row if is_number(field)] for row in numbers]


def column(path):
    if path.endswith(".npy"):
        return read_npy(path)
    return [int(row[0]) for row in read_matrix(path)]


def is_number(field):
    try:
        float(field)
    except ValueError:
        return False
    return True


def read_npy(path):
    with open(path, "rb") as file:
        file.seek(8)
        header = file.read(struct.unpack("<H", file.read(2))[0]).decode("latin-1")
        kind = {"'<i8'": "q", "'<i4'": "i", "'<u4'": "I", "'<u8'": "Q"}
        code = next(code for name, code in kind.items() if name in header)
        return [value for (value,) in struct.iter_unpack("<" + code, file.read())]


if __name__ == "__main__":
    main()
