#!/bin/sh
# sn_context_cancel: long work ends between two tasks, and what it left can be used;
# sn_context_set_progress: a function is told of it (t/cancel).
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
cp "$SN_SRCDIR/t/cancel/steps.sn" "$work"
ok "generate" generate "$work" "$work/steps.sn" -q
for c in host-gcc x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: compile" compile $c "$work/steps.c" "$work/steps.o"
  compile_flags="-I$SN_SRCDIR -I$work"
  for p in cancel progress; do
    ok "$c: $p.c" compile_driver $c "$SN_SRCDIR/t/cancel/$p.c" "$work/$p.o"
  done
  compile_flags=
  for p in cancel progress; do
    ok "$c: link $p" link $c "$work/$p" "$work/$p.o" "$work/steps.o" -lpthread
  done
  for way in $(ways_of $c); do
    run_as $c $way "$work/cancel" >"$work/out" 2>&1
    is "$c $way: a signal and a thread cancel" "$?" 0 || diag "$(grep -v '^ok' "$work/out" | head -n 10)"
    run_as $c $way "$work/progress" >"$work/out" 2>&1
    is "$c $way: a function is told how far a kernel is" "$?" 0 ||
      diag "$(grep -v '^ok' "$work/out" | head -n 10)"
  done
done
done_testing
