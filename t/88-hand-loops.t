#!/bin/sh
# examples/hand_loops: loops in C over a sparse tree give what they give on a dense array, in
# threads of each compiler and in the device's image.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
source=$SN_SRCDIR/examples/hand_loops
generate "$work" "$source/hand_loops.sn" -q --emit=c,h,device || fail "generate"
is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$source/main.c")" 1

# built CONFIGURATION
built() {
  compile "$1" "$work/hand_loops.c" "$work/hand_loops.o" || return
  for f in main reference; do
    $(compiler_of "$1") $(cflags_of "$1") $warnings -Werror $SANITIZER_CFLAGS $include -I"$work" \
      -c "$source/$f.c" -o "$work/$f.o" || return
  done
  link "$1" "$work/hand_loops" "$work/hand_loops.o" "$work/main.o" "$work/reference.o"
}
for c in host-gcc host-clang x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: builds without a warning" built $c || continue
  for way in $(ways_of $c); do
    run_as $c "$way" "$work/hand_loops" 100000 >"$work/said" 2>&1
    contains "$c $way: as on a dense array" "$work/said" ": as on a dense array"
  done
done
fails "no particles" 1 "$work/hand_loops" 0

program=$SN_BUILDDIR/examples/hand_loops/hand_loops
if [ -x "$program" ]; then
  ok "the one that make builds" "$program" 5000
else
  skip "the one that make builds" "see configure's summary"
fi
done_testing
