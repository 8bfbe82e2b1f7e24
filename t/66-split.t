#!/bin/sh
# Cells that are split (docs/sparse.md): the id of one that goes is found by its chunk, in trees that
# are larger than the first stretch of address space (runtime/host/tree/arena.c).
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
cp "$SN_SRCDIR/t/split/two.sn" "$work"
ok "generate" generate "$work" "$work/two.sn" -q

for c in host-clang host-gcc x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: compile" compile $c "$work/two.c" "$work/two.o"
  compile_flags="-I$SN_SRCDIR -I$work"
  ok "$c: the driver" compile_driver $c "$SN_SRCDIR/t/split/two.c" "$work/driver.o"
  compile_flags=
  ok "$c: link" link $c "$work/two" "$work/driver.o" "$work/two.o"
  for way in $(ways_of $c); do
    run_as $c $way "$work/two" >"$work/out" 2>&1
    is "$c $way: leaves come and go" "$?" 0 || diag "$(grep -v '^ok' "$work/out" | head -n 10)"
  done
done
done_testing
