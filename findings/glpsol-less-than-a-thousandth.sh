#!/usr/bin/env bash
# glpsol 5.0 (Debian's glpk-utils 5.0-1) calls 0 the optimum where a continuous column must be a little less than a thousandth.
#
# A good guess: "INTEGER OPTIMAL SOLUTION FOUND" holds within tolerances of about 1e-7 to 1e-5, and what presolving drops is as small.
# Seen: minimise s with 5 - c s <= 0, so that s is at least 5/c. Down to 0.001 the answer is right. Below, from c = 5010 on, the
# preprocessor of mixed-integer programs says s = 0, optimal: the row is broken by 5, whatever s may be at most. The report's
# own last line then says SOLUTION IS INFEASIBLE, while the exit code is 0 and the status INTEGER OPTIMAL. Without integers the
# presolver of linear programs does the same. --nopresol helps there and not here, where --nointopt does: with it the answers are
# right. Times in seconds are often below a thousandth: write such programs in milliseconds.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq glpk-utils=5.0-1 libglpk40=5.0-1 libcolamd2 libamd2 libsuitesparseconfig5 libltdl7 libgmp10 >/dev/null 2>&1 ||
  apt-get download -qq glpk-utils=5.0-1 libglpk40=5.0-1 libcolamd2 libamd2 libsuitesparseconfig5 >/dev/null
for package in ./*.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find root -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
seen=""
look() {
  local coefficient=$1 value said=""
  shift
  printf 'Minimize\n obj: s\nSubject To\n a: x = 4\n b: y = 1\n n: x + y - %s s <= 0\nBounds\n s <= 1\nGenerals\n x\n y\nEnd\n' \
    "$coefficient" >model.lp
  root/usr/bin/glpsol "$@" --lp model.lp -o report >/dev/null
  value=$(sed -n 's/^Objective: *obj = \([^ ]*\) .*/\1/p' report)
  if grep -q 'SOLUTION IS INFEASIBLE' report; then said=" and SOLUTION IS INFEASIBLE"; fi
  printf 's >= 5/%s, options "%s": %s, obj = %s%s\n' "$coefficient" "$*" "$(sed -n 's/^Status: *//p' report)" "$value" "$said"
  seen+="$value$said;"
}
look 4990
look 5010
look 100000
look 5010 --nopresol
look 5010 --nointopt
look 5010 --nomip
look 5010 --nomip --nopresol
wrong="0 and SOLUTION IS INFEASIBLE;"
[ "$seen" = "0.001002004008;$wrong$wrong${wrong}0.000998003992;${wrong}0.000998003992;" ] || { echo "it behaves otherwise now"; exit 1; }
