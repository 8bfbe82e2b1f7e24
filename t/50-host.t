#!/bin/sh
# libsnode through modules made by hand (t/host), on threads (those of gcc in make check-long), in
# the device image and by OpenACC; then library and module together under address and undefined-behaviour sanitizers.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
. "$SN_SRCDIR/t/programs.sh"
# in the image the backend is optimized, and t/device, not what else these programs hold
image_level=-O0
run_folder t/host serial-gcc serial-tcc host-clang ${SN_LONG:+host-gcc} x86 acc

# at -O0 the sanitizers see no less (t/60-sanitizers.t)
SANITIZER_CFLAGS="-g -fsanitize=address,undefined -fno-sanitize-recover=all"
[ -n "$SN_LONG" ] || SANITIZER_CFLAGS="$SANITIZER_CFLAGS -O0"
echo 'int main(void) { return 0; }' >"$work/empty.c"
if [ -n "$TEST_GCC" ] && $TEST_GCC $SANITIZER_CFLAGS "$work/empty.c" -o "$work/empty" 2>/dev/null; then
  library=
  for f in "$SN_SRCDIR"/runtime/host/base/*.c "$SN_SRCDIR"/runtime/host/tree/*.c; do
    $TEST_GCC -std=c11 -O1 $SANITIZER_CFLAGS -I"$SN_SRCDIR" $include -c "$f" \
      -o "$work/$(basename "$f" .c).o" || fail "$(basename "$f") compiles"
    library="$library $work/$(basename "$f" .c).o"
  done
  # gcc loses casts under the undefined-behaviour sanitizer, and warns of them
  generated_warnings=$warnings
  diag "with sanitizers"
  run_folder t/host serial-gcc
else
  skip "sanitizers" "gcc has none here"
fi
done_testing
