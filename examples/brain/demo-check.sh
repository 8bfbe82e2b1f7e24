#!/bin/sh
# demo-check.sh SOURCE BUILD: runs BUILD/brain and compares its pictures, reduced to
# 32 x 32 brightnesses, with SOURCE/*.txt; says what is to be seen in them.
# SN_STORE=1 stores them instead: look at the pictures before committing that.
source=$1 build=$2
tolerance=0.02          # of white: other processors round otherwise, nothing more
failed=0

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
if [ ! -x "$build/brain" ]; then
  echo "demo-check: $build/brain is not built; configure's last lines say why" >&2
  exit 1
fi
"$build/brain" --output="$out" || exit 1

# compare NAME WHAT-IS-SEEN
compare() {
  "$build/brain" --reduce="$out/$1.png" >"$out/$1.txt" || { failed=1; return; }
  if [ -n "$SN_STORE" ]; then cp "$out/$1.txt" "$source/$1.txt"; fi
  if awk -v tolerance=$tolerance '
      FNR == NR { for (i = 1; i <= NF; i++) expected[FNR, i] = $i; rows = FNR; next }
      { for (i = 1; i <= 32; i++) {
          d = $i - expected[FNR, i]; if (d < 0) d = -d
          if (d > most) most = d
          if (!((FNR, i) in expected)) most = 1 } }
      END { if (FNR != rows) most = 1
            printf "greatest difference %.3f: ", most; exit most > tolerance }' \
      "$source/$1.txt" "$out/$1.txt"; then
    echo "$1 is as stored: $2"
  else
    echo "$1 DIFFERS from what is stored; to be seen: $2"
    failed=1
  fi
}

compare brain-before "three sections of a head's brain on black: from above, from \
the front and from the left; folds and grains of noise are sharp"
compare brain-diffused "the same brain with the grain smoothed away inside white and \
grey matter, while the edges between them and at the rim stay sharp"
compare brain-grown "the same, with a thin orange rim, three voxels wide, where the \
stored set has grown"
exit $failed
