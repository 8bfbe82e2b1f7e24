#!/bin/sh
# docs/from-taichi.md and docs/from-openvdb.md: our side of them, as it stands there.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/pages.sh"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the library has sanitizers, the programs have none"
echo 'int main(void) { return 0; }' >"$work/empty.c"
cc -fopenmp "$work/empty.c" -o "$work/empty" 2>/dev/null || skip_all "no cc with OpenMP"

installed || exit 1
SNODE_DEVICE=host OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
export SNODE_DEVICE OMP_WAIT_POLICY OMP_NUM_THREADS
mkdir "$work/empty-folder" && cd "$work/empty-folder" || exit 1
for page in from-taichi from-openvdb; do
  run_page "$SN_SRCDIR/docs/$page.md"
  # rows of bench/ that a page speaks of are there
  for row in $(grep -oE '`bench/[a-z0-9]+\.sn`' "$SN_SRCDIR/docs/$page.md" | tr -d '`' | sort -u); do
    ok "$page: $row is there" test -e "$SN_SRCDIR/$row"
  done
done
done_testing
