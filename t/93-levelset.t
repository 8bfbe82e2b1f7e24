#!/bin/sh
# examples/levelset: a disk in a narrow band keeps its area within 1 % in a whole turn, and so does
# one with a slot; the program compiles without a warning, and leaves its pictures.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pictured.sh"
# its side is a parameter: a smaller plane is enough
build_pictured levelset -D SIDE=256

# turned OPTION...: a whole turn; the line that it prints in $work/said
turned() {
  run_as host-gcc threads=2 ./levelset "$@" >said 2>errors
  is "$*: it runs" "$?" 0 || diag "$(cat said errors)"
  diag "$(cat said)"
}
# "area A, after a turn B (C %), on D another shape; T of N tiles"
turned --disk --steps=640 --frames=0
is "and says no more than its result where no terminal is" "$(cat errors)" ""
ok "the area of a disk of 38.4 cells" \
  awk '{ a = $2 / (atan2(0, -1) * 38.4 ^ 2); exit !(a > 0.998 && a < 1.002) }' said
ok "is kept within 0.2 % (the bar is 1 %)" awk '{ d = $6 / $2 - 1; exit !(d * d < 0.002 ^ 2) }' said
ok "in its place" awk '{ exit !($10 < 0.005 * $2) }' said
turned --steps=640 --frames=4
ok "with a slot it has less" awk '{ exit !($2 > 3700 && $2 < 3900) }' said
ok "which is kept within 1 %" awk '{ d = $6 / $2 - 1; exit !(d * d < 0.01 ^ 2) }' said
ok "the slot too" awk '{ exit !($10 < 0.02 * $2) }' said
ok "in a part of the tiles" awk '{ exit !($13 > 100 && $13 < $15 / 3 && $15 == 1024) }' said
is "pictures of 256 x 256" "$(for f in levelset-00[01234].png; do od -An -tx1 -j 12 -N 12 $f | tr -d ' \n'; echo; done | sort -u)" \
  494844520000010000000100
fails "what it does not know is refused" 2 ./levelset --all
done_testing
