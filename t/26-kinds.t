#!/bin/sh
# Programs made of chance over trees of chance, of every kind: compiled code does what the
# interpreter does, with all passes, with none and with some, in one thread.
# SN_SEEDS="1 2 3" chooses them; SN_LONG=1 takes many.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
configuration=serial-tcc
available $configuration >/dev/null || configuration=serial-gcc
why=$(available $configuration) || skip_all "$why"
why=$(available interpreter) || skip_all "$why"
[ -n "$SN_SEEDS" ] || SN_SEEDS=$(seq 1 "$([ -n "$SN_LONG" ] && echo 400 || echo 12)")

# run_with CONFIGURATION DIR OPTION...: what the program prints when it is generated so
run_with() {
  with=$1 dir=$2
  shift 2
  mkdir -p "$dir"
  "$snodegen" -w --verify-each --prefix=p -o p --output-dir="$dir" --target="$(target_of "$with")" \
    --bounds=$bounds "$@" "$work/p.sn" >&2 &&
    compile_flags="-O0 $of_chance" compile "$with" "$dir/p.c" "$dir/p.o" >&2 &&
    compile_flags="-I$dir" compile_driver "$with" "$SN_SRCDIR/t/agree/kinds.c" "$dir/kinds.o" >&2 &&
    link "$with" "$dir/run" "$dir/p.o" "$dir/kinds.o" >&2 &&
    run_as "$with" one "$dir/run"
}

for seed in $SN_SEEDS; do
  case $((seed % 3)) in 0) bounds=zero ;; *) bounds=trap ;; esac
  perl "$SN_SRCDIR/t/agree/kinds.pl" "$seed" $bounds >"$work/p.sn"
  if ! run_with interpreter "$work/oracle" >"$work/expected" 2>"$work/err"; then
    fail "seed $seed: interpreted"
    diag "$(head -n 10 "$work/err")"
    continue
  fi
  contains "seed $seed ($bounds): it ends well" "$work/expected" "code 0"
  run_with $configuration "$work/none" -O0 >"$work/got" 2>&1
  same "seed $seed ($bounds): -O0" "$work/got" "$work/expected"
  run_with $configuration "$work/all" -O2 >"$work/got" 2>&1
  same "seed $seed ($bounds): -O2" "$work/got" "$work/expected"
  run_with $configuration "$work/some" -O1 --pass=no-own_cell --pass=no-fold >"$work/got" 2>&1
  same "seed $seed ($bounds): some passes" "$work/got" "$work/expected"
done
done_testing
