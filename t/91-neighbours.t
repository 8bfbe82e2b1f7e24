#!/bin/sh
# examples/neighbours: the pairs are those of each particle with each, and a million particles' those
# that plain loops over cells find; the program compiles without a warning, and leaves its picture.
. "${SN_SRCDIR:-.}/t/lib.sh"
why=$(available host-gcc) || skip_all "$why"
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
one_backend=yes
source=$SN_SRCDIR/examples/neighbours
cd "$work" || exit 1

is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$source/main.c")" 1
ok "generate" generate . "$source/neighbours.sn" -q -O3
ok "compile" compile host-gcc neighbours.c neighbours.o
compile_flags=-I.
for f in main knot reference; do
  ok "$f.c" compile_driver host-gcc "$source/$f.c" $f.o
done
compile_flags=
io_libs=$(sed -n -e 's/^Libs.private: //p' "$SN_BUILDDIR/snode-io.pc")
ok "link" link host-gcc neighbours main.o knot.o reference.o neighbours.o \
  "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $io_libs

# found WAY OPTION...: the pairs that there are, and what the comparison says
found() {
  found_way=$1
  shift
  run_as host-gcc "threads=$found_way" ./neighbours "$@" >said 2>&1
  echo "$? $(awk 'NR == 1 { print ($3 > 1000 ? "pairs" : "too few") } NR == 2' said | tr '\n' ' ')"
}
for threads in 1 2 16; do
  is "$threads threads: 20,000 particles, each with each" "$(found $threads --particles=20000 --check=brute)" \
    "0 pairs the same pairs by plain loops "
done
is "plain loops over cells find the same" "$(found 2 --particles=20000 --check=grid)" \
  "0 pairs the same pairs by plain loops "
is "a million particles" "$(found 2 --check=grid --picture=knot.png)" \
  "0 pairs the same pairs by plain loops "
is "a picture of 512 x 512" "$(od -An -tx1 -j 12 -N 12 knot.png | tr -d ' \n')" 494844520000020000000200
for option in --particles=0 --check=so --all; do
  fails "$option is refused" 2 ./neighbours $option
done
done_testing
