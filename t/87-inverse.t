#!/bin/sh
# examples/inverse: the derivative is what differences say in every configuration; the search ends
# nearer to the truth, on any number of threads; what it writes, and what it says to settings that
# make no sense.
. "${SN_SRCDIR:-.}/t/lib.sh"

source=$SN_SRCDIR/examples/inverse
brain=$SN_SRCDIR/examples/brain
[ -n "$BRAIN_LIBS" ] || skip_all "examples/inverse is off: see configure's summary"
built=$SN_BUILDDIR/examples/inverse/inverse
[ -x "$built" ] || skip_all "examples/inverse is not built"
volume=$("$built" --help | sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')

. "$SN_SRCDIR/t/nifti.sh"
nifti "$work/ball.nii" 27 19 22

# ---- the derivative, in every configuration ----

mkdir "$work/omp" "$work/interpreter" "$work/objects"
generate "$work/omp" "$source/inverse.sn" -q --bounds=trap || fail "generate"
generate "$work/interpreter" "$source/inverse.sn" -q --target=interpreter || fail "generate"
nifti_flags=$(cd "$SN_BUILDDIR" && sed -n -e 's/^BRAIN_CPPFLAGS = //p' Makefile)
for f in "$source"/main.c "$source"/settings.c "$source"/problem.c "$source"/search.c \
         "$source"/check.c "$source"/curve.c "$brain"/volume.c "$brain"/picture.c; do
  name=$(basename "$f" .c)
  eval "$TEST_GCC -std=c11 -O2 -D_GNU_SOURCE $warnings -Werror $include -I$work/omp -I$source \
    -I$brain $nifti_flags -c $f -o $work/objects/$name.o" >"$work/out" 2>&1 || {
    fail "$name.c without a warning"
    diag "$(head -n 20 "$work/out")"
  }
done

# checked NAME CONFIGURATION WAY OPTION...: the run ends well and says that the derivative is right
checked() {
  checked_name=$1
  shift
  run_as "$@" >"$work/said" 2>&1
  checked_status=$?
  if [ $checked_status -eq 0 ] &&
     grep "check: the derivative is that of differences" "$work/said" >/dev/null; then
    pass "$checked_name"
  else
    fail "$checked_name"
    diag "exit status $checked_status"
    diag "$(cat "$work/said")"
  fi
}

# both NAME CONFIGURATION WAY PROGRAM
both() {
  both_name=$1
  shift
  checked "$both_name: a ball in noise" "$@" "$work/ball.nii" --check --steps=50 --places=5
  checked "$both_name: a ball alone, all slices at the end" "$@" "$work/ball.nii" --check \
    --threshold=0.5 --every=1 --times=1 --steps=21 --places=3
}
for c in serial-tcc host-gcc interpreter; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  if ! { compile $c "$work/$(target_of $c)/inverse.c" "$work/inverse.o" &&
         link $c "$work/inverse" "$work"/objects/*.o "$work/inverse.o" $BRAIN_LIBS; } >"$work/out" 2>&1; then
    fail "$c: builds without a warning"
    diag "$(head -n 20 "$work/out")"
    continue
  fi
  for way in $(ways_of $c); do
    case $c in
      interpreter) checked "$c: a ball in noise" $c $way "$work/inverse" "$work/ball.nii" --check \
                     --crop=9 --steps=3 --times=2 ;;
      *) both "$c $way" $c $way "$work/inverse" ;;
    esac
  done
done
for threads in 1 4; do both "as built, $threads threads" host-clang threads=$threads "$built"; done
if why=$(available x86); then both "as built, device" x86 teams=2 "$built"; else skip "device" "$why"; fi

# ---- the search, as it was built ----

# searches NAME THREADS MOST OPTION...: the error ends below so many hundredths of the first guess's, the
# loss too, and the tape runs as often again and holds as much as its formulas say
searches() {
  searches_name=$1 searches_threads=$2 searches_most=$3
  shift 3
  SNODE_THREADS=$searches_threads "$built" "$@" >"$work/said" 2>&1
  is "$searches_name: ends well" $? 0 || diag "$(cat "$work/said")"
  is "$searches_name: nearer to the truth, and to what is seen" "$(awk -v most="$searches_most" '
    $1 == "loss" { loss = $3 < most / 100 }
    $1 == "error" { error = $2 * 100 < most * $11 }
    END { print loss + 0, error + 0 }' "$work/said")" "1 1" || diag "$(cat "$work/said")"
  is "$searches_name: the tape's formulas" "$(sed -n \
    -e 's/.* \([0-9]*\) run again (by the formula \([0-9]*\)).*/\1 \2/p' \
    -e 's/.* most \([0-9.]*\) MB held (by the formula \([0-9.]*\) MB).*/\1 \2/p' "$work/said" |
    awk '{ n += $1 == $2 && $1 > 0 } END { print n }')" 2
}

# last FIELD: of the last round, as printed
last() {
  awk -v field="$1" '/^round/ { on = 1; next } on && $1 ~ /^[0-9]+$/ { x = $field } END { print x }' \
    "$work/said"
}
mkdir "$work/pictures"
searches "a ball, one thread" 1 70 "$work/ball.nii" --rounds=12 --places=5 --noise=0 --output="$work/pictures"
error=$(last 4)
table=$work/pictures/inverse-loss.csv
is "the table: a row for each round, and the loss falls" "$(awk -F, '
  NR == 1 { ok = $1 == "round" && $2 == "loss"; next }
  { if ($1 != NR - 2 || NR > 2 && $2 >= last) ok = 0; last = $2 }
  END { print NR, ok }' "$table")" "14 1"
for p in truth seen guess guess-off result result-off loss; do
  "$SN_BUILDDIR/examples/brain/brain" --reduce="$work/pictures/inverse-$p.png" >"$work/reduced" 2>&1
  is "inverse-$p.png is a picture with something in it" \
    "$(awk '{ for (i = 1; i <= NF; i++) { n += $i > 0.03; m += $i < 0.97 } } END { print NR, (n > 20 && m > 20) }' "$work/reduced")" "32 1"
done
searches "a ball, four threads" 4 70 "$work/ball.nii" --rounds=12 --places=5 --noise=0 --no-pictures
is "as near as with one thread" "$(awk -v a="$error" -v b="$(last 4)" 'BEGIN { print (a - b < 0.02 && b - a < 0.02) }')" 1

"$built" "$work/ball.nii" --no-pictures --noise=0.05 --rounds=50 >"$work/said" 2>&1
contains "errors of measurement end the search" "$work/said" "down to the errors of measurement"
[ "$(last 1)" -lt 20 ] && pass "early" || fail "early"

if [ -r "$volume" ]; then
  searches "the MRI volume, cropped" 2 50 --crop=40 --rounds=10 --no-pictures
  [ -n "$SN_LONG" ] && searches "the MRI volume" 2 50 --no-pictures ||
    skip "the whole MRI volume" "long: make check-long"
else
  skip "the MRI volume" "no $volume (Debian: mricron-data)"
fi

# ---- what makes no sense ----

# refused NAME TEXT STATUS OPTION...: status 1 (2: usage), a line that says why
refused() {
  refused_name=$1 refused_text=$2 refused_status=$3
  shift 3
  "$built" --no-pictures "$@" >"$work/said" 2>&1
  is "$refused_name: exit status" $? "$refused_status"
  contains "$refused_name: it says why" "$work/said" "$refused_text"
}
refused "no such file" "No such file" 1 "$work/absent.nii"
refused "a threshold above all values" "above the threshold" 1 "$work/ball.nii" --threshold=2
refused "slices without a voxel" "--every is too large" 1 "$work/ball.nii" --threshold=0.7 --every=1000
refused "a device that is not there" "device" 1 "$work/ball.nii" --device=gpu:99
refused "a rate that is not stable" "--rate" 2 --rate=0.3
refused "no whole number" "whole" 2 --rounds=2.5
refused "no number" "--steps" 2 --steps=many
refused "more times than steps" "there are 2 steps" 2 --steps=2 --times=3
refused "five times" "--times" 2 --times=5
refused "no such option" "option" 2 --nonsense
refused "two volumes" "one volume" 2 a b
refused "a folder that is not there" "absent" 1 "$work/ball.nii" --output="$work/absent"
done_testing
