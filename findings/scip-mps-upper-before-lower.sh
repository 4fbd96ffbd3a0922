#!/usr/bin/env bash
# SCIP 10.0 (PySCIPOpt 6.2.1) loses an upper bound of at most 1 that stands before the lower one, of integer columns of a MARKER.
#
# A good guess: the lines of BOUNDS of a column may come in any order.
# Seen: of an integer column between MARKER lines UP 1 and then LO -5 (LI and MI likewise) leave it without an upper bound, and the
# optimum is another, without a word; LO and then UP, UP 2, and columns that no MARKER makes integer are as they are written. Other
# readers (HiGHS 1.15, GLPK 5.0, lp_solve 5.5.2) keep the bound. So write lower bounds first.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --target py pyscipopt==6.2.1 >/dev/null 2>&1
cat >read.py <<'PY'
import sys

sys.path.insert(0, "py")
from pyscipopt import Model

FILE = """NAME          T
ROWS
 N  COST
 L  LIMIT
COLUMNS
    M1        'MARKER'                 'INTORG'
    X         COST      -1             LIMIT     1
    M2        'MARKER'                 'INTEND'
RHS
    RHS       LIMIT     7
BOUNDS
{}ENDATA
"""
LINES = {"UP 1": " UP BND       X         1\n", "LO -5": " LO BND       X         -5\n", "MI": " MI BND       X\n", "UP 2": " UP BND       X         2\n"}
for order in (("LO -5", "UP 1"), ("UP 1", "LO -5"), ("UP 1", "MI"), ("UP 2", "LO -5")):
    with open("x.mps", "w") as file:
        file.write(FILE.format("".join(LINES[line] for line in order)))
    model = Model()
    model.hideOutput()
    model.readProblem("x.mps")
    model.optimize()
    print(f"{' and then '.join(order)}: least -X is {model.getObjVal():g}")
PY
python3 read.py | tee seen
cat >expected <<'TXT'
LO -5 and then UP 1: least -X is -1
UP 1 and then LO -5: least -X is -7
UP 1 and then MI: least -X is -7
UP 2 and then LO -5: least -X is -2
TXT
cmp -s seen expected || { echo "it reads otherwise now"; exit 1; }
