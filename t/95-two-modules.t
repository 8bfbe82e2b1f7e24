#!/bin/sh
# examples/two_modules: two modules work on one tree, and give what one module with all that is in
# both gives; one that was generated for another tree is refused.
. "${SN_SRCDIR:-.}/t/lib.sh"
why=$(available host-gcc) || skip_all "$why"
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
one_backend=yes
source=$SN_SRCDIR/examples/two_modules
cd "$work" || exit 1
io_libs=$(sed -n -e 's/^Libs.private: //p' "$SN_BUILDDIR/snode-io.pc")
compile_flags=-I.

# built PROGRAM MAIN.c MODULE...: from modules that have been generated
built() {
  built_program=$1 built_main=$2 built_objects=
  shift 2
  for m in "$@"; do
    compile host-gcc $m.c $m.o || return
    built_objects="$built_objects $m.o"
  done
  compile_driver host-gcc "$built_main" $built_program-main.o &&
    link host-gcc $built_program $built_program-main.o $built_objects \
      "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $io_libs
}

is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$source/main.c")" 1
ok "generate the one" generate . "$source/ripples.sn" -q -O3
ok "and the other" generate . "$source/rain.sn" -q -O3
is "the other's file has no kernel of the one" "$(grep -c ripples_step rain.c)" 0
ok "build" built two "$source/main.c" ripples rain

# run_it PROGRAM THREADS: its line
run_it() {
  run_as host-gcc "threads=$2" ./$1 $1.png 2>&1
}
two=$(run_it two 1)
diag "$two"
# "N drops pushed by A, the water moves by B on T tiles"
ok "what rain pushes, the waves keep" sh -c "echo '$two' | awk '{ d = \$10 / \$5 - 1; exit !(\$1 == 20 && \$5 + 0 < -10 && d * d < 1e-6) }'"
is "with two threads too" "$(run_it two 2)" "$two"

{ cat "$source/ripples.sn"; grep -v '^import' "$source/rain.sn"; } >one.sn
sed -e '/#include "rain.h"/d' -e 's/"ripples.h"/"one.h"/' -e 's/\(ripples\|rain\)_/one_/g' "$source/main.c" >one-main.c
ok "generate one module of both" generate . one.sn -q -O3
ok "build it" built one one-main.c one
is "it prints the same" "$(run_it one 1)" "$two"
same "and leaves the same picture" two.png one.png

ok "generate the other for a smaller pool" generate . "$source/rain.sn" -q -O3 -D SIDE=256
ok "it compiles" built other "$source/main.c" ripples rain
fails "a call with the pool is refused" 1 ./other
contains "it says what is wrong" out \
  "two_modules: rain_fall: ripples_pool is another tree in module"
done_testing
