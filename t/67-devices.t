#!/bin/sh
# Several devices: trees on all devices of the device image's plugin at once, which are copied from
# one to the next in a ring (t/devices), equal to one on the host.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
if ! why=$(available x86); then skip_all "$why"; fi
cp "$SN_SRCDIR/t/devices/ring.sn" "$work"
ok "generate" generate "$work" "$work/ring.sn" -q
ok "compile" compile x86 "$work/ring.c" "$work/ring.o"
compile_flags="-I$SN_SRCDIR -I$work"
ok "the driver" compile_driver x86 "$SN_SRCDIR/t/devices/ring.c" "$work/driver.o"
compile_flags=
ok "link" link x86 "$work/ring" "$work/driver.o" "$work/ring.o"

# The plugin shows four devices, all of them this processor.
rounds=1000
for way in teams=1 teams=2x2; do
  run_as x86 $way "$work/ring" 4 $rounds >"$work/out" 2>&1
  is "$way: four devices, $rounds rounds" "$?" 0 || diag "$(grep -v '^ok' "$work/out" | head -n 12)"
done
run_as x86 teams=1 "$work/ring" 5 1 >"$work/out" 2>&1
is "a fifth device is not there" "$(grep -c '^not ok 5 - a tree on gpu:4' "$work/out")" 1
done_testing
