#!/usr/bin/env bash
# glpsol 5.0 (Debian's glpk-utils 5.0-1) replaces a symbolic link by the file that it writes.
#
# A good guess: a solver opens the file that it is told to write, so that a link stays and what it leads to gets the solution, as a
# shell's > does, and lp_solve's -wlp.
# Seen: for each of -o, -w, --wlp and --wfreemps the name is taken away first and a new file made: the link is gone, and the file that
# it led to is as it was. So a result that is linked to from elsewhere (latest.sol -> 2024/run.sol) is lost to that place, and a name
# such as /dev/stdout must not be given where one may take it away: root would lose it.
# Fails where that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq glpk-utils=5.0-1 libglpk40=5.0-1 lp-solve=5.5.2.5-2 libcolamd2 libamd2 libsuitesparseconfig5 libltdl7 libgmp10 >/dev/null 2>&1 ||
  apt-get download -qq glpk-utils=5.0-1 libglpk40=5.0-1 lp-solve=5.5.2.5-2 libcolamd2 libamd2 libsuitesparseconfig5 >/dev/null
for package in ./*.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find root -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
printf 'Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n' >model.lp
printf 'min: x;\nc: x >= 1;\n' >model.lps
seen=""
look() {
  local line
  line="$1: $([ -L link ] && echo 'a link' || echo 'a file'), behind it $([ -s target ] && echo written || echo empty)"
  printf '%s\n' "$line"
  seen+="$line;"
}
for option in -o -w --wlp --wfreemps; do
  rm -f link target
  : >target
  ln -s target link
  root/usr/bin/glpsol --lp model.lp "$option" link >/dev/null
  look "glpsol $option"
done
rm -f link target
: >target
ln -s target link
root/usr/bin/lp_solve -S1 model.lps -wlp link >/dev/null
look "lp_solve -wlp"
expected=""
for option in -o -w --wlp --wfreemps; do expected+="glpsol $option: a file, behind it empty;"; done
[ "$seen" = "${expected}lp_solve -wlp: a link, behind it written;" ] || { echo "one of the two behaves otherwise now"; exit 1; }
