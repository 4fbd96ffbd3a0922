#!/usr/bin/env bash
# CBC 2.10.8 (Debian's coinor-cbc 2.10.8+ds1-1) takes the short LP headers gen, bin and int for names of variables.
#
# A good guess: the short forms of CPLEX's manual are read by everyone who reads LP files; HiGHS, GLPK and SCIP know gen and bin.
# Seen: behind Bounds, `gen` and `bin` are not headers: the names below them stay continuous, and the optimum is another. CBC says
# "Variable gen does not appear in objective function or constraints" and solves on; the exit status is 0. `General` and `Binary` are read.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq coinor-cbc=2.10.8+ds1-1 coinor-libcbc3=2.10.8+ds1-1 coinor-libcgl1 coinor-libclp1 coinor-libosi1v5 \
  coinor-libcoinutils3v5 libblas3 liblapack3 libgfortran5 libquadmath0 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
for header in General gen Binary bin; do
  printf 'min\n obj: x + y\nst\n c1: x + y >= 0.5\nbounds\n y <= 3\n%s\n x\n y\nend\n' "$header" >x.lp
  value=$(root/usr/bin/cbc x.lp -solve -quit | sed -n 's/^\(Objective value: *\|Optimal objective \)\([0-9.]*\).*/\2/p' | tail -1)
  printf '%s: %g\n' "$header" "$value"
done | tee seen
cat >expected <<'TXT'
General: 1
gen: 0.5
Binary: 1
bin: 0.5
TXT
cmp -s seen expected || { echo "it reads otherwise now"; exit 1; }
