#!/bin/sh
# t/long.sh TEST...: runs these tests with SN_LONG=1, as many at once as there are processors, and notes
# what each came to.
#
# All of them take many hours of a processor, so that they may be run in parts, on several days: the
# log t/check-long.txt (LONG_LOG is another) has a row for each test, which its next run replaces. LONG_JOBS says how many
# run at once. What a test printed, each check and what it says of those that fail, is in check-long/NAME.out of the
# build folder, SN_BUILDDIR.
# Fails where a test of this run does.
. "${SN_SRCDIR:-.}/t/covered.sh"
builddir=${SN_BUILDDIR:-$PWD} srcdir=${SN_SRCDIR:-.}
log=${LONG_LOG:-$srcdir/t/check-long.txt}
rows=$builddir/check-long
SN_LONG=1
export SN_LONG

# ---- one test ----

# row NAME: of what prove has printed, the log's row
row() {
  sed -n 's/^Files=1, Tests=\([0-9]*\), *\([0-9]*\) wallclock.*= *\([0-9.]*\) CPU.*/\1 \2 \3/p' "$rows/$1.out" |
    while read -r tests wall cpu; do
      printf '%-20s %-7s %7d %8d %9.0f  %s %s\n' "$1" "$2" "$tests" "$wall" "$cpu" \
        "$(commit_checked)" "$(date -u +%Y-%m-%d)"
    done
}

run_one() {
  name=$(basename "$1" .t)
  if ${PROVE:-prove} --verbose --timer $PROVE_FLAGS "$1" >"$rows/$name.out" 2>&1; then result=ok; else result=FAILED; fi
  if grep -q '^Result: NOTESTS' "$rows/$name.out"; then result=skipped; fi
  row "$name" $result >"$rows/$name.row"
  cat "$rows/$name.row"
  [ $result != FAILED ]
}

if [ "$1" = --one ]; then run_one "$2"; exit; fi

# ---- all of them ----

mkdir -p "$rows"
rm -f "$rows"/*.row
printf '%s\n' "$@" | xargs -P "${LONG_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}" -n 1 sh "$0" --one
status=$?

{
  echo "# make check-long: the tests with SN_LONG=1, each when it was last run so"
  printf '%-20s %-7s %7s %8s %9s  %s\n' '# test' result tests seconds processor 'commit  date'
  { cat "$rows"/*.row; grep -v '^#' "$log" 2>/dev/null; } | awk '!known[$1]++' | LC_ALL=C sort
} >"$rows/log" && cp "$rows/log" "$log" || exit 1
exit $status
