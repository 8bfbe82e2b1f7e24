#!/bin/sh
# examples/life: the same living cells as on a dense board in every configuration; checkpoints,
# pictures, patterns, and what cannot be read.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes

source=$SN_SRCDIR/examples/life
built=$SN_BUILDDIR/examples/life/life
[ -x "$built" ] || skip_all "examples/life is not built: see configure's summary"

mkdir "$work/omp" "$work/interpreter" "$work/objects"
generate "$work/omp" "$source/life.sn" -q --bounds=trap || fail "generate"
generate "$work/interpreter" "$source/life.sn" -q --target=interpreter || fail "generate"
for f in main pattern reference; do
  eval "$TEST_GCC -std=c11 -O2 -D_GNU_SOURCE $warnings -Werror $include -I$work/omp -I$source \
    -c $source/$f.c -o $work/objects/$f.o" >"$work/out" 2>&1 || {
    fail "$f.c without a warning"
    diag "$(head -n 20 "$work/out")"
  }
done

# checked NAME CONFIGURATION WAY OPTION...: the run ends well, and the dense board agrees
checked() {
  checked_name=$1
  shift
  run_as "$@" >"$work/said" 2>&1
  checked_status=$?
  if [ $checked_status -eq 0 ] && grep "in the same places" "$work/said" >/dev/null; then
    pass "$checked_name"
  else
    fail "$checked_name"
    diag "exit status $checked_status"
    diag "$(cat "$work/said")"
  fi
}

for c in serial-gcc serial-tcc host-clang host-gcc x86 reference-clang interpreter; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  if ! { compile_flags=$(everyday_level $c life) compile $c "$work/$(target_of $c)/life.c" "$work/life.o" &&
         link $c "$work/life" "$work"/objects/*.o "$work/life.o"; } >"$work/out" 2>&1; then
    fail "$c: builds without a warning"
    diag "$(head -n 20 "$work/out")"
    continue
  fi
  case $c in interpreter) generations=20 ;; x86) generations=40 ;; *) generations=120 ;; esac
  for way in $(ways_of $c); do
    checked "$c $way: acorn" $c $way "$work/life" --check --generations=$generations acorn
    checked "$c $way: gun" $c $way "$work/life" --check --generations=$generations gun
  done
done

# ---- known counts ----

# living NAME GENERATIONS PATTERN CELLS
living() {
  "$built" --generations="$2" "$3" >"$work/said" 2>&1
  is "$1" "$(awk -v n="$2" '$1 == n { print $2 }' "$work/said" | tail -n 1)" "$4"
}
living "a blinker stays three" 1001 blinker 3
living "a glider stays five, a thousand cells away" 4000 glider 5
is "and on at most four pages" "$(awk '$1 == 4000 && $5 <= 4 { print "yes" }' "$work/said" | tail -n 1)" yes
living "the r-pentomino settles at 116 in generation 1103" 1103 r-pentomino 116

# ---- checkpoints: on, with other threads, to the same end ----

"$built" --generations=300 --save="$work/half" acorn >"$work/said" 2>&1
is "a checkpoint after 300" $? 0
"$built" --threads=1 --load="$work/half" --generations=100 >"$work/said" 2>&1
is "300 and 100 make as many cells as 400" "$(awk '$1 == 100 { print $2 }' "$work/said" | tail -n 1)" \
  "$("$built" --generations=400 acorn | awk '$1 == 400 { print $2 }' | tail -n 1)"
head -c 1000 "$work/half" >"$work/cut"
"$built" --load="$work/cut" >"$work/said" 2>&1
is "a checkpoint that was cut off is refused" $? 1
contains "and it says so" "$work/said" "cut"

# ---- pictures and patterns ----

"$built" --generations=100 --output="$work/gun.pgm" gun >"$work/said" 2>&1
is "a picture" "$(head -c 2 "$work/gun.pgm")" P5
printf '#C a comment\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n' >"$work/glider.rle"
"$built" --check --generations=12 "$work/glider.rle" >"$work/said" 2>&1
is "a pattern from a file" $? 0

# refused NAME TEXT STATUS OPTION...
refused() {
  refused_name=$1 refused_text=$2 refused_status=$3
  shift 3
  "$built" "$@" >"$work/said" 2>&1
  is "$refused_name: exit status" $? "$refused_status"
  contains "$refused_name: it says why" "$work/said" "$refused_text"
}
refused "no such pattern" "neither a pattern" 1 "$work/absent.rle"
echo "bo?" >"$work/bad.rle"
refused "a letter that means nothing" "'?' is none of" 1 "$work/bad.rle"
refused "no number" "generations" 2 --generations=many
refused "no such option" "option" 2 --nonsense
refused "a device that is not there" "device" 1 --device=gpu:99
refused "a folder that is not there" "No such" 1 --generations=1 --save="$work/none/x"
done_testing
