#!/bin/sh
# Each pass that can be switched off, switched off alone: the programs of t/run print the same.
#
# SN_PASSES="rows share" chooses the passes, SN_PROGRAMS="dense" the programs. A few programs with
# gcc; SN_LONG=1: all, with clang too.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/run/programs.sh"
passes=${SN_PASSES:-$(sed -n 's/^PASS(\([a-z_]*\), *[0-8], 0, .*/\1/p' "$SN_SRCDIR/gen/passes/passes.def")}
if [ -n "$SN_LONG" ]; then
  off_configurations="host-gcc host-clang"
else
  off_configurations=host-gcc
  only ${SN_PROGRAMS:-reduce borders boxes under updates whirl}
fi

# Most modules come out the same without most passes.
kept=$work/kept

# The drivers include headers, which are the same whatever is switched off.
level_of() { if [ -n "$SN_LONG" ]; then echo -O1; else echo -O0; fi; }
generate_programs omp && pass "generate" || fail "generate"
build_drivers host-gcc drivers && pass "drivers" || fail "drivers"

generate_without() {
  rm -rf "$work/omp"
  mkdir -p "$work/omp"
  for m in $modules; do
    at_once generate "$work/omp" "$run/$m.sn" -q -O3 --bounds=trap --verify-each --pass="no-$1"
  done
  all_done
}

# without PASS CONFIGURATION
without() {
  if build_programs "$2" "$2" drivers >"$work/build.out" 2>&1; then
    for p in ${SN_PROGRAMS:-$programs}; do
      run_as "$2" threads=2 "$work/$2/run" "$p" >"$work/out" 2>&1
      same "$2 without $1: $p" "$work/out" "$run/$p.out"
    done
  else
    fail "$2 without $1: builds"
    diag "$(head -n 40 "$work/build.out")"
  fi
  rm -rf "${work:?}/$2"
}

for p_off in $passes; do
  ok "without $p_off: generate" generate_without "$p_off"
  for c in $off_configurations; do
    if why=$(available "$c"); then without "$p_off" "$c"; else skip "$c without $p_off" "$why"; fi
  done
done

# Without share the other passes meet equal values that are apart: in all programs there are, read, not built.
every_program() {
  for f in "$run"/*.sn "$SN_SRCDIR"/examples/*/*.sn "$SN_SRCDIR"/bench/*.sn; do
    at_once generate "$work" "$f" -q -w -O3 --bounds=trap --verify-each --pass=no-share
  done
  all_done
}
ok "every program without share: generate" every_program
done_testing
