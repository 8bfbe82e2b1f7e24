#!/bin/sh
# examples/addop: an assignment between tensors as tasks, with and without workers.
. "${SN_SRCDIR:-.}/t/lib.sh"
addop=$SN_BUILDDIR/examples/addop/addop
[ -x "$addop" ] || skip_all "examples/addop is not built"

check() {
  is "addop ${1:-as it is}" "$($addop $1 2>&1)" "C(ij) = 0.5 A(ji) + 2 A(ji): $2: 0 elements are wrong"
}
check "" "700 x 500 in tiles of 64"
check "10 3 4 0" "10 x 3 in tiles of 4"
check "1 1 1 1" "1 x 1 in tiles of 1"
check "300 301 7 3" "300 x 301 in tiles of 7"
fails "no tile" 2 "$addop" 10 10 0
done_testing
