#!/bin/sh
# examples/grayscott: with the tiles that the pattern needs it is what it is with all of them; the
# program compiles without a warning, and leaves its pictures.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pictured.sh"
# its side is a parameter: a smaller plane is enough
build_pictured grayscott -D SIDE=512

run_as host-gcc threads=2 ./grayscott --steps=800 --frames=2 >sparse 2>said
is "it runs" "$?" 0 || diag "$(cat said)"
is "and says no more than its result where no terminal is" "$(cat said)" ""
run_as host-gcc threads=2 ./grayscott --steps=800 --frames=0 --all --quiet >all 2>&1
is "with all tiles" "$?" 0 || diag "$(cat all)"
# "800 steps: A of v in T of C tiles, F pictures"
is "the same pattern" "$(cat sparse all | awk 'NR == 1 { a = $3 } NR == 2 { d = (a - $3) / $3; print (a > 100 && d * d < 1e-8) }')" 1
is "in a part of the tiles" "$(cat sparse all | awk 'NR == 1 { t = $7 } NR == 2 { print (t > 10 && t < $7 / 4 && $7 == $9) }')" 1
is "two pictures of 512 x 512" "$(for f in grayscott-00[12].png; do od -An -tx1 -j 12 -N 12 $f | tr -d ' \n'; echo; done | sort -u)" \
  494844520000020000000200
run_as host-gcc threads=2 ./grayscott --steps=none >said 2>&1
is "what it does not know is refused" "$? $(cat said)" "2 usage: grayscott [--steps=N] [--frames=N] [--all] [--quiet]"
done_testing
