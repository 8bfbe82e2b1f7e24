#!/bin/sh
# examples/waves: kernels submitted to two units give what plain calls give, and run at once: the
# spans of the trace say so.
. "${SN_SRCDIR:-.}/t/lib.sh"
waves=$SN_BUILDDIR/examples/waves/waves
[ -x "$waves" ] || skip_all "examples/waves is not built: see configure's summary"

# runs NAME OPTION...: equal to plain calls, and kernels overlapped
runs() {
  runs_name=$1
  shift
  for turn in 1 2 3 4 5; do            # a busy machine may give one of the units no processor
    "$waves" "$@" "$work/trace.json" >"$work/out" 2>&1
    ended=$?
    overlap=$(sed -n -e 's/.*both units at once for \([0-9.]*\) ms.*/\1/p' "$work/out")
    case $ended,$overlap in 0,0.0) ;; *) break ;; esac
  done
  is "$runs_name: ends well" $ended 0
  contains "$runs_name: as plain calls" "$work/out" ": 0 values differ from plain calls"
  case $overlap in
    '' | 0.0) fail "$runs_name: both units at once for some time"; diag "$(cat "$work/out")" ;;
    *) pass "$runs_name: both units at once for some time" ;;
  esac
}
export OMP_NUM_THREADS=1
runs "host and memory" 24

# the trace itself, by other means: a kernel of one unit begins while one of the other runs
sed -n -e 's/^{"name":"waves_[a-z]*","cat":"task",.*"pid":\([01]\),.*"ts":\([0-9.]*\),"dur":\([0-9.]*\).*/\2 \3 \1/p' \
  "$work/trace.json" | sort -n >"$work/spans"
is "150 kernels are in the trace" "$(wc -l <"$work/spans" | tr -d ' ')" 150
met=$(awk '{ other = 1 - $3; if (end[other] > $1) met++; end[$3] = $1 + $2 } END { print met + 0 }' \
  "$work/spans")
[ "$met" -gt 0 ] && pass "spans of two units overlap" || fail "spans of two units overlap"
contains "transfers and waits are shown too" "$work/trace.json" '"cat":"wait"'
contains "so are the tasks of the exchange" "$work/trace.json" '"name":"receive"'

OMP_NUM_THREADS=2 runs "with two threads each" 9
if available x86 >/dev/null; then runs "host and device" --device 9; else skip "device" "none here"; fi
fails "no steps" 2 "$waves" 0
done_testing
