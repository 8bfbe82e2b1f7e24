#!/bin/sh
# examples/mpm: 100,000 particles of elastic bodies that fall and are deformed keep their mass to
# 1e-5, on the grid too; the program compiles without a warning, and leaves its pictures.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pictured.sh"
build_pictured mpm

# 6000 steps is what the program makes unless it is told; 500 come to where the bars have landed
steps=${SN_LONG:+6000}
run_as host-gcc threads=2 ./mpm --steps=${steps:-500} --frames=2 >said 2>errors
is "it runs" "$?" 0 || diag "$(cat said errors)"
is "and says no more than its result where no terminal is" "$(cat errors)" ""
diag "$(cat said)"
# "N particles, K steps: mass M; A of it on the grid, B in the square; deformed by D"
is "with 100,000 particles" "$(awk '{ print $1 }' said)" 100000
ok "the grid has the mass of the bodies, to 1e-5" awk '{ exit !($7 != "" && $7 ^ 2 < 1e-10) }' said
ok "so do the particles in the square" awk '{ exit !($13 != "" && $13 ^ 2 < 1e-10) }' said
ok "the bodies are deformed" awk '{ exit !($NF > 0.005 && $NF < 1) }' said
run_as host-gcc threads=2 ./mpm --particles=2000 --steps=20 --frames=0 >said 2>&1
ok "not yet, while they fall" awk '{ exit !($NF == 0) }' said
is "pictures of 512 x 512" "$(for f in mpm-00[012].png; do od -An -tx1 -j 12 -N 12 $f | tr -d ' \n'; echo; done | sort -u)" \
  494844520000020000000200
ok "which differ" sh -c '! cmp -s mpm-000.png mpm-001.png && ! cmp -s mpm-001.png mpm-002.png'
if script -qec true /dev/null >/dev/null 2>&1; then
  run_as host-gcc threads=2 script -qec "./mpm --particles=2000 --steps=20 --frames=0" /dev/null >said 2>&1
  contains "on a terminal it shows how far it is" said "20 of 20 steps"
else
  skip "what it shows on a terminal" "no script (Debian: bsdutils)"
fi
fails "what it does not know is refused" 2 ./mpm --all
done_testing
