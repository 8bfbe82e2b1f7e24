#!/bin/sh
# What --check finds at run time, and says: t/checks, in compiled code and interpreted.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
from=$SN_SRCDIR/t/checks

# check CONFIGURATION NAME OPTION...: what the program prints is NAME.out
check() {
  c=$1 name=$2
  shift 2
  dir=$work/$c-$name
  mkdir -p "$dir"
  ok "$c: $name: generated and built" build "$@" || return
  for way in $(ways_of "$c"); do
    run_as "$c" "$way" "$dir/run" >"$dir/out" 2>&1
    same "$c $way: $name" "$dir/out" "$from/$name.out"
  done
}

build() {
  generate "$dir" "$from/checks.sn" -w --verify-each --target="$(target_of "$c")" "$@" &&
    compile "$c" "$dir/checks.c" "$dir/checks.o" &&
    compile_flags="-I$dir" compile_driver "$c" "$from/checks.c" "$dir/main.o" &&
    link "$c" "$dir/run" "$dir/main.o" "$dir/checks.o"
}

for c in interpreter serial-tcc host-clang x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  check $c trap --check=div,inactive,race
done
for c in interpreter serial-tcc; do
  if available $c >/dev/null; then check $c zero --check=inactive --check=div --bounds=zero; fi
done
# without --check a division by zero gives 0, and an inactive cell reads as its default
if why=$(available serial-tcc); then check serial-tcc none -O1; else skip "none" "$why"; fi
done_testing
