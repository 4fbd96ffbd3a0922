#!/usr/bin/env bash
# HiGHS 1.15.3 (npm's highs) reads the LP header `int` behind another list of integers as the name of a variable.
#
# A good guess: CPLEX's manual has General, Integer and their short forms gen and int, and a reader that does not know one refuses it.
# Seen: `integer` and `gen` open a section; `int` behind Bounds is refused; behind `bin` or `gen` it becomes a variable of that
# section, and so do the names below it: integers become binaries, there is one variable more, and the optimum is another, without a
# word.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund highs@1.15.3 >/dev/null 2>&1
cat >read.mjs <<'JS'
import load from "highs";

const highs = await load();
for (const header of ["integer", "gen", "int"]) {
  const text = `max\n obj: x + y\nst\n c1: x + 2 y <= 9\nbin\n x\n${header}\n y\nend\n`;
  const { ObjectiveValue, Columns } = highs.solve(text);
  console.log(`${header}: ${ObjectiveValue}, variables ${Object.keys(Columns).join(" ")}`);
}
JS
node read.mjs | tee seen
cat >expected <<'TXT'
integer: 5, variables x y
gen: 5, variables x y
int: 2, variables x y int
TXT
cmp -s seen expected || { echo "it reads otherwise now"; exit 1; }
