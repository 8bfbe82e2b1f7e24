# What long checks have covered: a table for each of them, t/covered/NAME.txt, with a row for each item,
# which its next run replaces.  So they can be carried on, over several days.  Read after t/lib.sh, but
# for commit_checked, which needs $srcdir alone.
#
# SN_SINCE=COMMIT: what was found in order at this commit or a later one is left out.

# the commit that is checked, with + where the tree differs from it otherwise than in what checks write
commit_checked() {
  checked=$(git -C "$srcdir" rev-parse --short=7 HEAD 2>/dev/null) || { echo -; return; }
  git -C "$srcdir" diff --quiet HEAD -- . ':(exclude)t/check-long.txt' ':(exclude)t/covered' ||
    checked=$checked+
  echo "$checked"
}

# covers NAME: the table
covers() {
  srcdir=$SN_SRCDIR covered_in=$SN_SRCDIR/t/covered/$1.txt
  covered_commit=$(commit_checked)
}

# is_covered ITEM: since $SN_SINCE
is_covered() {
  [ -n "$SN_SINCE" ] || return 1
  covered_at=$(awk -v item="$1" '$1 == item && $2 == "ok" { print $(NF - 1) }' "$covered_in")
  [ -n "$covered_at" ] && git -C "$srcdir" merge-base --is-ancestor "$SN_SINCE" "$covered_at" 2>/dev/null
}

# cover ITEM RESULT WHAT: the item has come to this now; the result is ok or another word
cover() {
  {
    sed -n '/^#/p' "$covered_in"
    { printf '%-24s %-7s %-24s %s %s\n' "$1" "$2" "$3" "$covered_commit" "$(date -u +%Y-%m-%d)"
      grep -v '^#' "$covered_in"; } | awk '!known[$1]++' | LC_ALL=C sort
  } >"$work/covered" && cp "$work/covered" "$covered_in"
}
