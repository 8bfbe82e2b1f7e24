#!/bin/sh
# libsnode through modules made by hand (t/host), on threads and in the device image.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/programs.sh"
run_folder t/host serial-gcc host-clang host-gcc x86
done_testing
