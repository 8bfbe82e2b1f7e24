#!/bin/sh
# Every legal nesting of the kinds, to three levels: the host's calls and struct-fors
# against plain arrays (t/plain.h), in an order of chance. Struct-fors visit every active
# cell once and none else, for extents of all sorts (t/nest/generate.pl), by 1 to 16 threads.
# SN_CONFIGURATIONS narrows the run down; SN_LONG=1: more trees, steps and configurations.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
if [ -n "$SN_LONG" ]; then
  steps=120 some=$configurations quick=
else
  steps=24 some="serial-tcc host-clang x86 interpreter" quick=-O0
fi

# Launches on the emulated device are what takes time there.
steps_of() { case $1 in *x86) echo $((steps / 4)) ;; *) echo $steps ;; esac; }
ways() { case $1$SN_LONG in x86) echo teams=1 ;; *) ways_of "$1" ;; esac; }

# build CONFIGURATION MODULE: the modules are the same for all but the interpreter
build() {
  folder=$work/$(target_of "$1")
  generate "$folder" "$work/$2.sn" --target="$(target_of "$1")" -q &&
    compile_flags=$quick compile "$1" "$folder/$2.c" "$folder/$2.o" &&
    compile_flags="-I$folder -I$work -I$SN_SRCDIR" compile_driver "$1" "$work/$2_table.c" "$folder/table.o" &&
    compile_flags="-I$SN_SRCDIR" compile_driver "$1" "$SN_SRCDIR/t/nest/nest.c" "$folder/nest.o" &&
    link "$1" "$work/program" "$folder/nest.o" "$folder/table.o" "$folder/$2.o"
}

for depth in 1 2 3; do
  (cd "$work" && perl "$SN_SRCDIR/t/nest/generate.pl" nest$depth $depth "$SN_LONG") ||
    fail "generate: $depth levels"
  for c in ${SN_CONFIGURATIONS:-$some}; do
    mkdir -p "$work/$(target_of "$c")"
    if ! why=$(available "$c"); then
      skip "$depth levels: $c" "$why"
    elif build "$c" nest$depth >"$work/build.out" 2>&1; then
      for way in $(ways "$c"); do
        run_as "$c" "$way" "$work/program" "$(steps_of "$c")" >"$work/said" 2>"$work/err"
        status=$?
        if [ $status -eq 0 ] && grep '^1\.\.' "$work/said" >/dev/null; then
          pass "$c $way: $depth levels ($(grep -c '^ok' "$work/said") trees)"
        else
          fail "$c $way: $depth levels"
          diag "exit status $status"
          diag "$(grep -v '^ok' "$work/said" | head -n 40)"
          diag "$(head -n 20 "$work/err")"
        fi
      done
    else
      fail "$depth levels: $c builds without a warning"
      diag "$(head -n 20 "$work/build.out")"
    fi
  done
done
done_testing
