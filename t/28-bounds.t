#!/bin/sh
# --bounds: what an index outside does to fields, nodes, lists, arrays and vectors, in each
# mode. t/bounds/MODE.out says what each kernel of t/bounds/bounds.sn gives.
. "${SN_SRCDIR:-.}/t/lib.sh"
source=$SN_SRCDIR/t/bounds

# check CONFIGURATION MODE INDEX...
check() {
  c=$1 mode=$2 folder=$work/$1-$2
  shift 2
  mkdir "$folder"
  if ok "$c, $mode: builds" sh -c "
      '$snodegen' -q --target=$(target_of $c) --bounds=$mode --output-dir='$folder' '$source/bounds.sn' &&
      $(compiler_of $c) $(cflags_of $c) -O0 $include -I'$folder' -c '$folder/bounds.c' -o '$folder/module.o' &&
      $(compiler_of $c) -std=c11 $include -I'$folder' -c '$source/bounds.c' -o '$folder/main.o' &&
      $(compiler_of $c) '$folder/module.o' '$folder/main.o' $(ldflags_of $c) -o '$folder/bounds'"; then
    run_as $c one "$folder/bounds" "$@" >"$folder/got" 2>&1
    same "$c, $mode" "$folder/got" "$source/$mode.out"
  fi
}

for c in serial-gcc interpreter; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  check $c trap 1 -1 99
  check $c zero 1 -1 99
  check $c none 1 =-1 =99
done
done_testing
