#!/bin/sh
# examples/mgpcg: in an irregular region of 128^3 cells it comes to a relative residual of 1e-10, as
# plain loops compute it, in at most 20 iterations; it compiles without a warning, and leaves its
# picture.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pictured.sh"
build_pictured mgpcg

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
