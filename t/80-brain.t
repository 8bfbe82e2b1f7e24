#!/bin/sh
# examples/brain: equal to the dense reference in every configuration; what it says to
# volumes that cannot be read.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes

source=$SN_SRCDIR/examples/brain
[ -n "$BRAIN_LIBS" ] || skip_all "examples/brain is off: see configure's summary"
[ -x "$SN_BUILDDIR/examples/brain/brain" ] || skip_all "examples/brain is not built"
built=$SN_BUILDDIR/examples/brain/brain
volume=$("$built" --help | sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')

# ---- a volume of our own ----

. "$SN_SRCDIR/t/nifti.sh"
nifti "$work/ball.nii" 37 21 30
gzip -c "$work/ball.nii" >"$work/ball.nii.gz"

equal="check: equal to the dense reference"

# ---- every configuration, built here from brain.sn ----

mkdir "$work/omp" "$work/interpreter" "$work/objects"
generate "$work/omp" "$source/brain.sn" -q --bounds=trap || fail "generate"
generate "$work/interpreter" "$source/brain.sn" -q --target=interpreter || fail "generate"
nifti_flags=$(cd "$SN_BUILDDIR" && sed -n -e 's/^BRAIN_CPPFLAGS = //p' Makefile)
for f in main settings volume picture reference; do
  eval "$TEST_GCC -std=c11 -O2 -ffp-contract=off -D_GNU_SOURCE $warnings -Werror $include \
    -I$work/omp -I$source $nifti_flags -c $source/$f.c -o $work/objects/$f.o" >"$work/out" 2>&1 || {
    fail "$f.c without a warning"
    diag "$(head -n 20 "$work/out")"
  }
done

# checked NAME CONFIGURATION WAY OPTION...: the run ends well and says it is equal
checked() {
  checked_name=$1
  shift
  run_as "$@" >"$work/said" 2>&1
  checked_status=$?
  if [ $checked_status -eq 0 ] && grep "$equal" "$work/said" >/dev/null; then
    pass "$checked_name"
  else
    fail "$checked_name"
    diag "exit status $checked_status"
    diag "$(cat "$work/said")"
  fi
}

for c in serial-gcc serial-tcc host-clang host-gcc x86 interpreter; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  if ! { compile_flags=$(everyday_level $c brain) compile $c "$work/$(target_of $c)/brain.c" "$work/brain.o" &&
         link $c "$work/brain" "$work"/objects/*.o "$work/brain.o" $BRAIN_LIBS; } >"$work/out" 2>&1; then
    fail "$c: builds without a warning"
    diag "$(head -n 20 "$work/out")"
    continue
  fi
  for way in $(ways_of $c); do
    case $c in interpreter) size="--crop=16 --steps=5" ;; *) size="--crop=64 --steps=11" ;; esac
    checked "$c $way: a ball, all voxels" $c $way "$work/brain" "$work/ball.nii" \
      --no-pictures --check --threshold=-1 $size
    checked "$c $way: a ball, bright voxels" $c $way "$work/brain" "$work/ball.nii" \
      --no-pictures --check --threshold=100 $size
    [ -r "$volume" ] || continue
    case $c in interpreter) size="--crop=32 --steps=4 --dilations=2" ;; esac
    checked "$c $way: the MRI volume, cropped" $c $way "$work/brain" "$volume" \
      --no-pictures --check $size
  done
done

# ---- the example as it was built ----

if [ -r "$volume" ]; then
  checked "the whole MRI volume, all voxels" host-clang threads=2 "$built" --no-pictures --check --threshold=-1 --steps=10
  checked "the whole MRI volume, above a tenth" host-clang threads=2 "$built" --no-pictures --check
else
  skip "the whole MRI volume" "no $volume (Debian: mricron-data)"
fi
checked "gzipped" host-clang threads=2 "$built" "$work/ball.nii.gz" --no-pictures --check
for shape in "1 1 1" "200 1 1" "1 200 3" "7 8 9"; do
  nifti "$work/shape.nii" $shape
  checked "a volume of $shape" host-clang threads=2 "$built" "$work/shape.nii" --no-pictures --check --threshold=-1
done
checked "a threshold above all values" host-clang threads=2 "$built" "$work/ball.nii" --no-pictures --check --threshold=999

if [ -n "$SN_LONG" ]; then
  nifti "$work/shape.nii" 512 512 512
  checked "a volume of 512^3, all voxels" host-clang threads=2 "$built" "$work/shape.nii" --no-pictures --check --threshold=-1 --steps=4
  checked "a volume of 512^3, bright voxels" host-clang threads=2 "$built" "$work/shape.nii" --no-pictures --check --threshold=100 --steps=4
  rm "$work/shape.nii"
else
  skip "volumes of 512^3" "long: make check-long"
fi

mkdir "$work/pictures"
ok "pictures are written" "$built" "$work/ball.nii" --output="$work/pictures"
for p in before diffused grown; do
  "$built" --reduce="$work/pictures/brain-$p.png" >"$work/reduced" 2>&1
  is "brain-$p.png is a picture with something in it" \
    "$(awk '{ for (i = 1; i <= NF; i++) if ($i > 0.3) n++ } END { print NR, (n > 20 && n < 1000) }' "$work/reduced")" "32 1"
done

# ---- what cannot be read ----

# refused NAME TEXT OPTION...: status 1 (2: usage), a line that says why
refused() {
  refused_name=$1 refused_text=$2 refused_status=$3
  shift 3
  "$built" --no-pictures "$@" >"$work/said" 2>&1
  is "$refused_name: exit status" $? "$refused_status"
  contains "$refused_name: it says why" "$work/said" "$refused_text"
}
refused "no such file" "No such file" 1 "$work/absent.nii"
refused "a folder" "folder" 1 "$work"
: >"$work/empty.nii"
refused "an empty file" "empty" 1 "$work/empty.nii"
echo "some text that is no volume" >"$work/text.nii"
refused "another kind of file" "not a NIfTI-1 volume" 1 "$work/text.nii"
head -c 3000 "$work/ball.nii" >"$work/short.nii"
refused "cut off in the voxels" "cannot be read" 1 "$work/short.nii"
head -c 100 "$work/ball.nii" >"$work/shorter.nii"
refused "cut off in the header" "not a NIfTI-1 volume" 1 "$work/shorter.nii"
head -c 2000 "$work/ball.nii.gz" >"$work/short.nii.gz"
refused "cut off in the compressed data" "cannot be read" 1 "$work/short.nii.gz"
refused "a device that is not there" "device" 1 "$work/ball.nii" --device=gpu:99
refused "no number" "--steps" 2 --steps=many
refused "no such option" "option" 2 --nonsense
refused "two volumes" "one volume" 2 a b
refused "a folder for the pictures that is not there" "absent" 1 "$work/ball.nii" --output="$work/absent"
done_testing
