#!/bin/sh
# examples/levelset: a disk in a narrow band keeps its area within 1 % in a whole turn, and so does
# one with a slot; the program compiles without a warning, and leaves its pictures.
. "${SN_SRCDIR:-.}/t/lib.sh"
why=$(available host-gcc) || skip_all "$why"
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
one_backend=yes
source=$SN_SRCDIR/examples/levelset
cd "$work" || exit 1

is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$source/main.c")" 1
# its side is a parameter: a smaller plane is enough
ok "generate" generate . "$source/levelset.sn" -q -O3 -D SIDE=256
ok "compile" compile host-gcc levelset.c levelset.o
compile_flags="-I. -D_GNU_SOURCE"
ok "the program" compile_driver host-gcc "$source/main.c" main.o
compile_flags=
io_libs=$(sed -n -e 's/^Libs.private: //p' "$SN_BUILDDIR/snode-io.pc")
ok "link" link host-gcc levelset main.o levelset.o \
  "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $io_libs

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
