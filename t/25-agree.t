#!/bin/sh
# Programs made of chance give the same with all passes, with none, with some, and in the
# interpreter, in one thread: what a pass or the C writer breaks in programs that no one
# has thought of.
# SN_SEEDS="1 2 3" chooses them; SN_LONG=1 takes many.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
configuration=serial-tcc
available $configuration >/dev/null || configuration=serial-gcc
why=$(available $configuration) || skip_all "$why"
interpreter=
available interpreter >/dev/null && interpreter=yes
[ -n "$SN_SEEDS" ] || SN_SEEDS=$(seq 1 "$([ -n "$SN_LONG" ] && echo 400 || echo 25)")

# run_with DIR OPTION...: what the program prints when it is generated so
run_with() {
  dir=$1
  shift
  mkdir -p "$dir"
  "$snodegen" -w --verify-each --prefix=p -o p --output-dir="$dir" "$@" "$work/p.sn" >&2 &&
    compile_flags="-O0 $of_chance" compile $configuration "$dir/p.c" "$dir/p.o" >&2 &&
    compile_flags="-I$dir" compile_driver $configuration "$SN_SRCDIR/t/agree/agree.c" "$dir/agree.o" >&2 &&
    link $configuration "$dir/run" "$dir/p.o" "$dir/agree.o" >&2 &&
    run_as $configuration one "$dir/run"
}

for seed in $SN_SEEDS; do
  case $((seed % 3)) in 0) bounds=zero ;; *) bounds=trap ;; esac
  perl "$SN_SRCDIR/t/agree/generate.pl" "$seed" $bounds >"$work/p.sn"
  if ! run_with "$work/none" -O0 --bounds=$bounds >"$work/expected" 2>"$work/err"; then
    fail "seed $seed: runs at -O0"
    diag "$(head -n 10 "$work/err")"
    continue
  fi
  run_with "$work/all" -O2 --bounds=$bounds >"$work/got" 2>&1
  same "seed $seed ($bounds): -O2 as -O0" "$work/got" "$work/expected"
  run_with "$work/some" -O1 --pass=no-own_cell --pass=no-fold --bounds=$bounds >"$work/got" 2>&1
  same "seed $seed ($bounds): some passes as none" "$work/got" "$work/expected"
  [ -n "$interpreter" ] || continue
  (configuration=interpreter
   run_with "$work/interpreted" --target=interpreter --bounds=$bounds) >"$work/got" 2>&1
  same "seed $seed ($bounds): -O0 as the interpreter" "$work/got" "$work/expected"
done
done_testing
