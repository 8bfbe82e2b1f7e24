#!/bin/sh
# The execution core: on threads (t/exec); on home and four more units, which are the image's devices
# where there are some (t/exec/device); then library and tests together under the sanitizers, threads
# first.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/programs.sh"
plain=yes
run_folder t/exec serial-gcc host-clang
shared=t/exec/units/units.c
run_folder t/exec/device serial-gcc host-clang x86

# sanitized NAME COMPILER FLAGS: the library's sources and each program
sanitized() {
  sanitized_compile="$2 -std=c11 ${SN_LONG:+-O1} -g $3 -DSN_SERIAL -D_GNU_SOURCE -I$SN_SRCDIR $include"
  rm -rf "$work/objects"
  mkdir "$work/objects"
  for f in "$SN_SRCDIR"/runtime/host/exec/*.c "$SN_SRCDIR"/runtime/host/base/*.c "$SN_SRCDIR/$shared"; do
    $sanitized_compile -c "$f" -o "$work/objects/$(echo "${f##*/host/}" | tr / -).o" || fail "$1: $f builds"
  done
  sanitized_names=
  for f in "$SN_SRCDIR"/t/exec/*.c "$SN_SRCDIR"/t/exec/device/*.c; do
    name=$(basename "$f" .c)
    ok "$1: $name builds" $sanitized_compile $(as_one "$name") -c "$f" -o "$work/objects/$name.o" &&
      sanitized_names="$sanitized_names $name"
  done
  main_of_all $sanitized_names >"$work/main.c"
  ok "$1: the programs link" $sanitized_compile "$work/main.c" "$work"/objects/*.o -o "$work/program" \
    -lm -pthread || return
  for name in $sanitized_names; do
    if "$work/program" "$name" >"$work/said" 2>"$work/err" && grep '^1\.\.' "$work/said" >/dev/null; then
      pass "$1: $name"
    else
      fail "$1: $name"
      diag "$(grep -v '^ok' "$work/said" | head -n 20)"
      diag "$(head -n 60 "$work/err")"
    fi
  done
}
echo 'int main(void) { return 0; }' >"$work/empty.c"
if [ -n "$TEST_CLANG" ] && $TEST_CLANG -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>/dev/null; then
  sanitized "thread sanitizer" "$TEST_CLANG" "-fsanitize=thread"
else
  skip "thread sanitizer" "clang has none here"
fi
if [ -n "$TEST_GCC" ] && $TEST_GCC -fsanitize=address,undefined "$work/empty.c" -o "$work/empty" 2>/dev/null; then
  sanitized "address and undefined behaviour" "$TEST_GCC" "-fsanitize=address,undefined -fno-sanitize-recover=all -DSN_DEBUG"
else
  skip "address and undefined behaviour" "gcc has no sanitizers here"
fi
done_testing
