#!/bin/sh
# The device headers alone, on trees made by hand (t/device), in every configuration.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
. "$SN_SRCDIR/t/programs.sh"
backend_flags=-DSND_SHARE_LEAST=16
# what threads of a team do to each other is seen here
image_way=teams=2
run_folder t/device serial-gcc serial-tcc host-clang host-gcc x86 acc
# another form of the atomics: what meets at words; SN_LONG=1: all
[ -n "$SN_LONG" ] || chosen="atomic activate bitmasked dynamic hash"
run_folder t/device reference-clang reference-gcc reference-x86
# f16 by the processor's own conversions
if grep ' f16c' /proc/cpuinfo >/dev/null 2>&1 && [ -n "$TEST_GCC" ]; then
  one_backend=
  compile_flags="-I$SN_SRCDIR -D_GNU_SOURCE -mf16c $backend_flags" compile serial-gcc "$SN_SRCDIR/t/device/f16.c" "$work/f16.o"
  link serial-gcc "$work/f16" "$work/f16.o" && ok "f16 with -mf16c" "$work/f16"
fi
done_testing
