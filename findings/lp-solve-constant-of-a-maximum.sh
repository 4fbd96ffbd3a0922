#!/usr/bin/env bash
# lp_solve 5.5.2.5 (Debian's lp-solve 5.5.2.5-2) writes a maximum with a constant as MPS that it reads back as another program.
#
# A good guess: the constant of an objective is the negated right-hand side of its row, for a maximum as for a minimum, and a program
# that a solver writes and reads again has the same optimum.
# Seen: of `min: 3x + 10` RHS has +10, of `max: 3x + 10` it has -10, and lp_solve reads both as they stand: the minimum comes back
# as 22, the maximum as 2 in place of 22. So neither sign of a constant in a file says what its writer meant.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq lp-solve=5.5.2.5-2 libcolamd2 libsuitesparseconfig5 >/dev/null
for package in ./*.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find root -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
solve() { root/usr/bin/lp_solve "$@"; }
value() { solve -S3 "$@" | sed -n 's/^Value of objective function: *//p'; }

printf 'max: 3x + 10;\nc1: x <= 4;\n' >max.lp
printf 'min: 3x + 10;\nc1: x >= 4;\n' >min.lp
seen=""
for sense in max min; do
  solve -S1 -parse_only "$sense.lp" -wfmps "$sense.mps"
  constant=$(sed -n 's/^ *RHS *R0 *\([-0-9.]*\).*/\1/p' "$sense.mps")
  line="$sense: $(value "$sense.lp") as written, RHS of the objective $constant, $(value -fmps "$sense.mps") read back"
  printf '%s\n' "$line"
  seen+="$line;"
done
[ "$seen" = "max: 22.00000000 as written, RHS of the objective -10.00000000, 2.00000000 read back;min: 22.00000000 as written, RHS of the objective 10.000000000, 22.00000000 read back;" ] ||
  { echo "lp_solve behaves otherwise now"; exit 1; }
