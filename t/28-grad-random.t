#!/bin/sh
# Kernels with grad, made of chance (t/grad/generate.pl): adjoints are what differences say, leave what is
# not theirs as it was, and are the same with all passes, with none, and in the interpreter.
# SN_SEEDS="1 2 3" chooses the modules, SN_KERNELS how many kernels each has; SN_LONG=1 takes many.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
why=$(available serial-gcc) || skip_all "$why"
kernels=${SN_KERNELS:-8}
[ -n "$SN_SEEDS" ] || SN_SEEDS=$(seq 1 "$([ -n "$SN_LONG" ] && echo 200 || echo 5)")

# run_with CONFIGURATION DIR OPTION...: what the driver says of the module generated so
run_with() {
  with=$1 dir=$2
  shift 2
  mkdir -p "$dir"
  "$snodegen" -w --verify-each --prefix=p -o p --output-dir="$dir" --target="$(target_of "$with")" "$@" \
    "$work/p.sn" >&2 || return
  compile_flags="-O0 -w -ffp-contract=off" compile "$with" "$dir/p.c" "$dir/p.o" >&2 &&
    compile_flags="-I$dir -I$work" compile_driver "$with" "$SN_SRCDIR/t/grad/driver.c" "$dir/driver.o" >&2 &&
    link "$with" "$dir/run" "$dir/p.o" "$dir/driver.o" >&2 &&
    run_as "$with" one "$dir/run" $how
}

# agrees NAME: its adjoints are those of all passes
agrees() {
  if perl "$SN_SRCDIR/t/grad/compare.pl" "$work/expected" "$work/got" >"$work/differs"; then pass "$1"; else
    fail "$1"
    diag "$(head -n 10 "$work/differs" "$work/err")"
  fi
}

directions=0 skipped=0
for seed in $SN_SEEDS; do
  perl "$SN_SRCDIR/t/grad/generate.pl" "$seed" "$kernels" "$work" || { fail "seed $seed: is written"; continue; }
  how=
  if run_with serial-gcc "$work/all" -O2 >"$work/expected" 2>"$work/err"; then
    pass "seed $seed: adjoints are what differences say"
  else
    fail "seed $seed: adjoints are what differences say"
    diag "alone: generate.pl $seed $kernels FOLDER KERNEL"
    diag "$(head -n 10 "$work/err")"
    diag "$(grep -E '^ *(BAD|ERROR)' "$work/expected" | head -n 20)"
  fi
  set -- $(sed -n -e 's/^TOTAL .* \([0-9]*\) directions, \([0-9]*\) skipped.*/\1 \2/p' "$work/expected")
  directions=$((directions + ${1:-0})) skipped=$((skipped + ${2:-0}))
  how=adjoints
  if [ $((seed % 2)) -eq 0 ] || [ -n "$SN_LONG" ]; then
    run_with serial-gcc "$work/none" -O0 >"$work/got" 2>"$work/err"
    agrees "seed $seed: adjoints with no passes"
  fi
  [ $((seed % 5)) -eq 1 ] || [ -n "$SN_LONG" ] || continue
  why=$(available interpreter) || { skip "seed $seed: adjoints in the interpreter" "$why"; continue; }
  run_with interpreter "$work/interpreted" >"$work/got" 2>"$work/err"
  agrees "seed $seed: adjoints in the interpreter"
done
diag "$directions directions, $skipped at kinks"
is "at most a fifth of the directions meet kinks" "$((5 * skipped <= directions))" 1
done_testing
