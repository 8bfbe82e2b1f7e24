#!/bin/sh
# A file of a tree is whole whenever its writer is killed: 20 times, 1,000 with SN_LONG.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_GCC" ] || skip_all "no gcc"
kills=20
[ -z "$SN_LONG" ] || kills=1000
compile_flags="-I$SN_SRCDIR"
if ok "the program builds" compile serial-gcc "$SN_SRCDIR/t/checkpoint/kill.c" "$work/kill.o" &&
   ok "and is linked" link serial-gcc "$work/kill" "$work/kill.o"; then
  mkdir "$work/files"
  ok "killed at random moments" "$work/kill" "$work/files" "$kills"
  diag "$(cat "$work/ok.out")"
  is "nothing but the tree is left" "$(ls "$work/files")" "tree"
fi
done_testing
