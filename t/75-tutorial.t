#!/bin/sh
# docs/tutorial.md: its programs and commands, as they stand there, in an empty folder, against an
# installed prefix that was moved.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pages.sh"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the library has sanitizers, the programs have none"
# its pictures need libpng
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
# the page says cc, and takes one with OpenMP for granted
echo 'int main(void) { return 0; }' >"$work/empty.c"
cc -fopenmp "$work/empty.c" -o "$work/empty" 2>/dev/null || skip_all "no cc with OpenMP"

installed || exit 1
unset SNODE_PROFILE SNODE_TRACE SNODE_THREADS
SNODE_DEVICE=host OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
export SNODE_DEVICE OMP_WAIT_POLICY OMP_NUM_THREADS
mkdir "$work/empty-folder" && cd "$work/empty-folder" || exit 1
run_page "$SN_SRCDIR/docs/tutorial.md"
done_testing
