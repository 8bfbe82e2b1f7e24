#!/bin/sh
# Kernels made of chance (t/grad/generate.pl) and their derivatives: adjoints and tangents are what differences say and
# what each says of the other, leave what is not theirs as it was, and are the same with all passes, with none, in
# the interpreter, by four threads, and in the x86 image.
# Others overwrite what they have read, change which cells are active where they have asked, and use what was there
# before an update: each of them is refused, or its derivatives are what differences say.
# SN_SEEDS="1 2 3" chooses the modules, SN_KERNELS how many kernels each has, SN_WILD="1 3" from which module to
# which of those others; SN_LONG=1 takes many.
# t/grad/many.pl runs thousands of kernels, t/grad/shrink.pl makes one that fails smaller.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
serial=serial-tcc
available $serial >/dev/null || serial=serial-gcc
why=$(available $serial) || skip_all "$why"
kernels=${SN_KERNELS:-12}
[ -n "$SN_SEEDS" ] || SN_SEEDS=$(seq 1 "$([ -n "$SN_LONG" ] && echo 100 || echo 4)")

# run_with CONFIGURATION WAY OPTION...: what the driver says of the module generated so
run_with() {
  with=$1 way=$2 dir=$work/$1
  shift 2
  mkdir -p "$dir"
  "$snodegen" -w --prefix=p -o p --output-dir="$dir" --target="$(target_of "$with")" "$@" \
    "$work/p.sn" >&2 || return
  case $with in serial-tcc) flags= driver= ;; *) flags="-O0 -w -ffp-contract=off" driver="-O0 -w" ;; esac
  compile_flags=$flags compile "$with" "$dir/p.c" "$dir/p.o" >&2 &&
    compile_flags="$driver -I$dir -I$work" compile_driver "$with" "$SN_SRCDIR/t/grad/driver.c" "$dir/driver.o" >&2 &&
    link "$with" "$dir/run" "$dir/p.o" "$dir/driver.o" >&2 &&
    run_as "$with" "$way" "$dir/run" $how
}

# agrees NAME CONFIGURATION WAY OPTION...: derivatives are those of all passes, up to the order of sums
agrees() {
  agrees_name="seed $seed: derivatives $1"
  shift
  why=$(available "$1") || { skip "$agrees_name" "$why"; return; }
  run_with "$@" >"$work/got" 2>"$work/err"
  if perl "$SN_SRCDIR/t/grad/compare.pl" "$work/expected" "$work/got" >"$work/differs"; then pass "$agrees_name"; else
    fail "$agrees_name"
    diag "$(head -n 10 "$work/differs" "$work/err")"
  fi
}

# takes K N: whether this seed is the one of N that does so; all do in the long run
takes() {
  [ $((seed % $2)) -eq "$1" ] || [ -n "$SN_LONG" ]
}

directions=0 skipped=0
for seed in $SN_SEEDS; do
  perl "$SN_SRCDIR/t/grad/generate.pl" "$seed" "$kernels" "$work" || { fail "seed $seed: is written"; continue; }
  how=
  if run_with $serial one -O2 --verify-each >"$work/expected" 2>"$work/err"; then
    pass "seed $seed: derivatives are what differences say"
  else
    fail "seed $seed: derivatives are what differences say"
    diag "alone: generate.pl $seed $kernels FOLDER KERNEL"
    diag "$(head -n 10 "$work/err")"
    diag "$(grep -E '^ *(BAD|ERROR)' "$work/expected" | head -n 20)"
  fi
  set -- $(sed -n -e 's/^TOTAL .* \([0-9]*\) directions, \([0-9]*\) skipped.*/\1 \2/p' "$work/expected")
  directions=$((directions + ${1:-0})) skipped=$((skipped + ${2:-0}))
  how=sums
  takes 0 4 && agrees "with no passes" $serial one -O0
  takes 1 4 && agrees "in the interpreter" interpreter one
  takes 2 4 || takes 3 4 || continue
  [ -n "$SN_LONG" ] || {                 # a compiler that optimizes takes its time: few kernels
    perl "$SN_SRCDIR/t/grad/generate.pl" "$seed" "$kernels" "$work" 0,1,2
    grep -E '^k[0-2] ' "$work/expected" >"$work/few"
    mv "$work/few" "$work/expected"
  }
  takes 2 4 && agrees "by four threads" host-gcc threads=4 -O2
  takes 3 4 && agrees "in the x86 image" x86 teams=2x2 -O2
done
diag "$directions directions, $skipped at kinks"
is "at most a fifth of the directions meet kinks" "$((5 * skipped <= directions))" 1

# ---- what may have no derivative ----

# wild FIRST LAST: kernels of these modules, left out where they are refused
wild() {
  SNODEGEN=$snodegen INCLUDE=$include DRIVER=$SN_SRCDIR/t/grad/driver.c GENERATE_WILD=70 \
    CC_GENERATED="$(compiler_of $serial) $(cflags_of $serial) -O0 -w" CC_DRIVER="$TEST_GCC -O0" \
    CC_LINK=$TEST_GCC LINK=$(ldflags_of $serial) \
    perl "$SN_SRCDIR/t/grad/many.pl" "$1" "$2" "$kernels" "$work"
}

count_of() { sed -n -e "\$s/.*[:,] \([0-9]*\) $1,.*/\1/p" "$work/wild"; }

if [ -n "$TEST_GCC" ]; then
  wild ${SN_WILD:-1 $([ -n "$SN_LONG" ] && echo 60 || echo 3)} >"$work/wild" 2>&1
  status=$?
  is "what has no derivative is refused, and derivatives are what differences say" "$status" 0
  diag "$(cat "$work/wild")"
  is "some are refused, and some are not" \
    "$(($(count_of refused) > 0)) $(($(count_of kernels) > 0))" "1 1"
else
  skip "what has no derivative is refused" "no gcc"
fi
done_testing
