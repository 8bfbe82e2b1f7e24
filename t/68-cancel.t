#!/bin/sh
# sn_context_cancel: long work ends between two tasks, and what it left can be used (t/cancel).
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
cp "$SN_SRCDIR/t/cancel/steps.sn" "$work"
ok "generate" generate "$work" "$work/steps.sn" -q
for c in host-gcc x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: compile" compile $c "$work/steps.c" "$work/steps.o"
  compile_flags="-I$SN_SRCDIR -I$work"
  ok "$c: the driver" compile_driver $c "$SN_SRCDIR/t/cancel/cancel.c" "$work/driver.o"
  compile_flags=
  ok "$c: link" link $c "$work/cancel" "$work/driver.o" "$work/steps.o" -lpthread
  for way in $(ways_of $c); do
    run_as $c $way "$work/cancel" >"$work/out" 2>&1
    is "$c $way: a signal and a thread cancel" "$?" 0 || diag "$(grep -v '^ok' "$work/out" | head -n 10)"
  done
done
done_testing
