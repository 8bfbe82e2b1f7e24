#!/bin/sh
# A tape of ten thousand steps: derivatives, calls that run again and memory are what the binomial
# formulas say, for few places and for many; t/run/tape.c has the rest of what tapes do.
. "${SN_SRCDIR:-.}/t/lib.sh"
run_seconds=600

build_chain() {
  generate "$work" "$SN_SRCDIR/t/run/tape.sn" -q &&
    compile serial-gcc "$work/tape.c" "$work/tape.o" &&
    compile_flags="-I$work -I$SN_SRCDIR" \
      compile_driver serial-gcc "$SN_SRCDIR/t/tape/chain.c" "$work/chain.o" &&
    link serial-gcc "$work/chain" "$work/chain.o" "$work/tape.o" -lm
}

# chain STEPS PLACES...
chain() {
  run_as serial-gcc threads=1 "$work/chain" "$@" >"$work/out" 2>&1
  is "$1 steps: the chain's checks hold" "$?,$(grep -v -e '^ok' -e '^#' "$work/out" | grep -c -v '^1\.\.')" "0,0"
  diag "$(grep -v '^ok' "$work/out")"
}

why=$(available serial-gcc) || skip_all "$why"
ok "it builds" build_chain
chain 10000 5 10 20 30
chain 500 1 2
done_testing
