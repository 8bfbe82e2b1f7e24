#!/bin/sh
# run.sh SOURCE BUILD [FOLDER]: builds the rows with both compilers, measures, and
# leaves FOLDER/results.md and results.json (FOLDER: BUILD/bench).
# Each figure is a ratio of programs run in turn in the same minutes; look at the
# spread before believing it, and let nothing else run meanwhile.
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
out=${3:-$build/bench}
. "$build/t/config.sh"
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
volume=$("$build/examples/brain/brain" --help | sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')
nifti=$(sed -n -e 's/^BRAIN_CPPFLAGS = //p' "$build/Makefile" | grep -o -e '-I[^ ]*')

"$build/snodegen" -q -O3 --output-dir="$out" "$source/examples/brain/brain.sn" || exit 1
: >"$out/results.json"
: >"$out/results.md"

# row COMPILER LDFLAGS
brain() {
  $1 -std=c11 -O3 -ffp-contract=off -fopenmp -D_GNU_SOURCE -I"$source" -I"$source/include" \
    -I"$out" $nifti \
    "$out/brain.c" "$source/bench/brain.c" "$source/bench/harness.c" \
    "$source/examples/brain/volume.c" "$build/.libs/libsnode.a" $BRAIN_LIBS $2 \
    -o "$out/brain-bench" || return 1
  for threshold in -1 0.1; do
    {
      printf '\n## brain, %s, voxels above %s of the greatest value\n\n' "$1" "$threshold"
      "$out/brain-bench" "$volume" $threshold "$out/results.json"
    } >>"$out/results.md" || return 1
  done
}

[ -z "$TEST_CLANG" ] || brain "$TEST_CLANG" "$CLANG_OPENMP_LDFLAGS" || exit 1
[ -z "$TEST_GCC" ] || brain "$TEST_GCC" || exit 1
cat "$out/results.md"
