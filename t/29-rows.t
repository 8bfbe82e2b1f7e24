#!/bin/sh
# Loops over cells, made of chance (t/rows/generate.pl), leave the same bits by rows, cell by cell
# and in the interpreter: as gcc and clang compile them, for any processor and for this one, and
# under the sanitizers. A loop that differs is printed, with the first cell that does and with what
# finds it again; that this works is tested with a driver that lies.
#
# SN_LONG=1: 100,000 loops, in each configuration, more than two days of one processor; SN_CONFIGURATIONS=turns:
# each in one of the ten configurations, file by file in turn, about seven hours. t/covered/29-rows.txt says
# which of them were run at which commit, and SN_SINCE=COMMIT carries on; SN_BLOCKS="FIRST LAST" is a part
# of the 100 blocks of 25 files that they are. SN_SEEDS="1 2" chooses the files, SN_LOOPS how many loops each
# has, SN_CONFIGURATIONS="gcc clang-native" narrows the run down; SN_KEEP=FOLDER keeps the files of what
# differs there.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/covered.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
why=$(available interpreter) || skip_all "$why"
rows=$SN_SRCDIR/t/rows
all="gcc gcc-avx2 gcc-native clang clang-avx2 clang-native no-rows off gcc-sanitized clang-sanitized"
chosen=$SN_CONFIGURATIONS
if [ -n "$SN_LONG" ]; then
  seeds=$SN_SEEDS loops=${SN_LOOPS:-40}
  chosen=${chosen:-$all}
else
  seeds=${SN_SEEDS:-$(seq 1 7) 22} loops=${SN_LOOPS:-25}
fi

# of_seed SEED: in a short run one configuration each, in turns; gcc's sanitizers take too long
of_seed() {
  [ "$chosen" != turns ] || { echo "$all" | cut -d " " -f $(($1 % 10 + 1)); return; }
  [ -z "$chosen" ] || { echo "$chosen"; return; }
  case $(($1 % 7)) in
    0) echo "no-rows" ;;
    1) echo "gcc" ;;
    2) echo "clang-native" ;;
    3) echo "clang-sanitized" ;;
    4) echo "gcc-native" ;;
    5) echo "clang" ;;
    6) echo "off" ;;
  esac
}

# Registers of 16 bytes, of 32 (avx2), and the widest there are (native).
flags_of() {
  case $1 in
    *-native) echo "-O3 -march=native" ;;
    *-avx2) echo "-O3 -march=x86-64-v3" ;;
    *-sanitized) echo "-O0 -Wno-conversion -fsanitize=address,undefined -fno-sanitize-recover=undefined" ;;
    off) echo "-O1 -DSND_ROWS=0" ;;
    no-rows) echo "-O1" ;;
    interpreter) echo "-O0" ;;
    *) echo "-O2" ;;
  esac
}

# The configuration of lib.sh whose compiler it is.
host_of() { case $1 in clang*) echo host-clang ;; interpreter) echo interpreter ;; *) echo host-gcc ;; esac; }

# can_run NAME: or says why not
can_run() {
  available "$(host_of "$1")" || return 1
  case $1 in *-avx2) grep -q -w avx2 /proc/cpuinfo 2>/dev/null || { echo "no AVX2"; return 1; } ;; esac
}

# build_driver: for the build that calls it, as $driver: one of all that have no sanitizer
build_driver() {
  driver=$work/driver.o
  case $1 in *-sanitized) driver=$folder/driver.o ;; esac
  [ -e "$driver" ] || compile_flags="-I$folder -I$work" compile_driver "$host" "$rows/driver.c" "$driver"
}

# build NAME: $work/NAME/run, of $work/p.sn. Products are not joined with sums: which ones are is
# the compiler's choice.
build() {
  folder=$work/$1 host=$(host_of "$1")
  mkdir -p "$folder"
  case $1 in
    interpreter) option=--target=interpreter ;;
    no-rows) option=--pass=no-rows ;;
    *) option=-O2 ;;
  esac
  generate "$folder" "$work/p.sn" -w --bounds="$bounds" --prefix=p -o p $option || return 1
  instrumented=$(case $1 in *-sanitized) flags_of "$1" ;; esac)
  compile_flags="$(flags_of "$1") -ffp-contract=off $of_chance" compile "$host" "$folder/p.c" "$folder/p.o" &&
    SANITIZER_CFLAGS=$instrumented build_driver "$1" &&
    compile_flags='' SANITIZER_CFLAGS=$instrumented link "$host" "$folder/run" "$folder/p.o" "$driver"
}

# run_rows NAME ARGUMENT...: in one thread or in three, whose loops do not meet either
run_rows() {
  name=$1
  shift
  (SN_ROWS_LIE=
   [ "$name" != "$liar" ] || SN_ROWS_LIE=$lie
   export SN_ROWS_LIE
   UBSAN_OPTIONS=print_stacktrace=1 \
     run_as "$(host_of "$name")" "threads=$((1 + seed % 2 * 2))" "$work/$name/run" "$@")
}

# report NAME: what differs first, and how to see it again
report() {
  differs=$(diff "$work/expected" "$work/$1/said" | sed -n -e 's/^[<>] k\([0-9]*\) \([0-9]\): .*/\1 \2/p' | sort -n | head -n 1)
  kernel=${differs% *} round=${differs#* }
  diag "seed $seed, $1: kernel $kernel, round $round"
  diag "again: SN_SEEDS=$seed SN_LOOPS=$loops SN_CONFIGURATIONS=$1 t/29-rows.t; alone:"
  diag "  generate.pl $seed $loops FOLDER $kernel; snodegen --bounds=$bounds FOLDER/p.sn"
  sed -n -e "/^kernel void k$kernel(/,/^}/p" "$work/p.sn" | sed -e 's/^/#   /'
  run_rows interpreter "$kernel" "$round" >"$work/right" 2>&1
  run_rows "$1" "$kernel" "$round" >"$work/wrong" 2>&1
  diag "first difference, interpreter (<) and $1 (>), of $(diff "$work/right" "$work/wrong" | grep -c '^>'):"
  diff "$work/right" "$work/wrong" | sed -n -e '/^[<>-]/p' | awk '/^</ && !a++ || /^>/ && !b++' | sed -e 's/^/#   /'
  [ -z "$SN_KEEP" ] || { mkdir -p "$SN_KEEP" && cp "$work/p.sn" "$SN_KEEP/$seed-$1-$kernel.sn"; }
}

# compare NAME: it says what the interpreter says
compare() {
  if ! run_rows "$1" >"$work/$1/said" 2>"$work/$1/err" || ! cmp -s "$work/expected" "$work/$1/said"; then
    report "$1"
    diag "$(head -n 20 "$work/$1/err")"
    return 1
  fi
}

# ---- the loops ----

# check_configuration NAME: of the file that was written last
check_configuration() {
  if ! why=$(can_run "$1"); then
    skip "seed $seed: $1" "$why"
    block_result=partly
    return
  fi
  if ! build "$1" >"$work/out" 2>&1; then
    fail "seed $seed ($bounds): $1 is built"
    diag "$(head -n 20 "$work/out")"
  elif compare "$1" >"$work/report"; then
    pass "seed $seed ($bounds): $1 as the interpreter"
  else
    fail "seed $seed ($bounds): $1 as the interpreter"
    cat "$work/report"
  fi
}

# check_seed SEED
check_seed() {
  seed=$1
  rm -f "$work"/driver.o "$work"/*/driver.o
  perl "$rows/generate.pl" "$seed" "$loops" "$work" || { fail "seed $seed: is written"; return; }
  bounds=$(sed -n -e 's|^// bounds ||p' "$work/p.sn")
  if ! build interpreter >"$work/out" 2>&1 || ! run_rows interpreter >"$work/expected" 2>"$work/err"; then
    fail "seed $seed ($bounds): in the interpreter"
    diag "$(head -n 10 "$work/out" "$work/err")"
    return
  fi
  for c in $(of_seed "$seed"); do check_configuration "$c"; done
  made=$((made + loops))
  by_rows=$((by_rows + $("$snodegen" -w --bounds="$bounds" --emit=ir=rows --prefix=p "$work/p.sn" |
    grep -c '^  } rows {$')))
}

# check_block FIRST LAST: seeds that make a row of the table
check_block() {
  block=$(printf '%04d-%04d' "$1" "$2") block_result=ok failed=$tests_failed
  [ "$chosen" != turns ] || block=$block,turns
  if is_covered "$block"; then return; fi
  for s in $(seq "$1" "$2"); do check_seed "$s"; done
  [ "$tests_failed" = "$failed" ] || block_result=FAILED
  diag "$(date -u +%H:%M): $made loops, $tests_failed failed"
  case "$loops $chosen" in "40 $all" | "40 turns") ;; *) return ;; esac
  cover "$block" $block_result $((($2 - $1 + 1) * loops))
}

liar='' lie='' made=0 by_rows=0
covers 29-rows
for s in $seeds; do check_seed "$s"; done
[ -n "$seeds" ] || for block in $(seq ${SN_BLOCKS:-1 100}); do
  check_block $((25 * block - 24)) $((25 * block))
done
diag "$by_rows of $made loops have rows"
is "at least half of them" "$((2 * by_rows >= made))" 1

# ---- a driver that lies ----

# the last file's, in the configuration that was built last
if [ -x "$work/$c/run" ] && [ -x "$work/interpreter/run" ]; then
  liar=$c lie=3
  compare "$c" >"$work/report"
  is "a driver that lies is found out" $? 1
  contains "with the seed" "$work/report" "SN_SEEDS=$seed"
  contains "the loop" "$work/report" "kernel void k3("
  contains "and the cell" "$work/report" "<"
  liar=
  ok "and agrees without the lie" compare "$c"
fi
done_testing
