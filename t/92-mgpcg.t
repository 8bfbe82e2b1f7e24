#!/bin/sh
# examples/mgpcg: in an irregular region of 128^3 cells it comes to a relative residual of 1e-10, as
# plain loops compute it, in at most 20 iterations; it compiles without a warning, and leaves its
# picture.
. "${SN_SRCDIR:-.}/t/lib.sh"
why=$(available host-gcc) || skip_all "$why"
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
one_backend=yes
source=$SN_SRCDIR/examples/mgpcg
cd "$work" || exit 1

is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$source/main.c")" 1
ok "generate" generate . "$source/mgpcg.sn" -q -O3
ok "compile" compile host-gcc mgpcg.c mgpcg.o
compile_flags="-I. -D_GNU_SOURCE"
for f in main poisson; do
  ok "$f.c" compile_driver host-gcc "$source/$f.c" $f.o
done
compile_flags=
io_libs=$(sed -n -e 's/^Libs.private: //p' "$SN_BUILDDIR/snode-io.pc")
ok "link" link host-gcc mgpcg main.o poisson.o mgpcg.o \
  "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $io_libs

run_as host-gcc threads=2 ./mgpcg --picture=middle.png >said 2>errors
is "it runs" "$?" 0 || diag "$(cat said errors)"
is "and says no more than its result where no terminal is" "$(cat errors)" ""
# "N of M cells: K iterations, residual R", the residual by plain loops over arrays in poisson.c
is "in a part of 128^3 cells" "$(awk '{ print ($1 > 0.2 * $3 && $1 < 0.5 * $3 && $3 == 128 * 128 * 128) }' said)" 1
ok "at most 20 iterations" awk '{ exit !($5 >= 1 && $5 <= 20) }' said
ok "the residual by plain loops is at most 1e-10" awk '{ exit !($8 > 0 && $8 <= 1e-10) }' said
diag "$(cat said)"
is "a picture of 512 x 512" "$(od -An -tx1 -j 12 -N 12 middle.png | tr -d ' \n')" 494844520000020000000200
fails "what it does not know is refused" 2 ./mgpcg --all
done_testing
