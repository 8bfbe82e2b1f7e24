#!/bin/sh
# The device headers alone, on trees made by hand (t/device), in every configuration.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/programs.sh"
run_folder t/device serial-gcc serial-tcc host-clang host-gcc x86
# another form of the atomics: what meets at words; SN_LONG=1: all
[ -n "$SN_LONG" ] || chosen="atomic activate bitmasked dynamic hash"
run_folder t/device reference-clang reference-gcc reference-x86
done_testing
