#!/bin/sh
# What becomes of generated files for NVIDIA's GPUs, read in the PTX, which needs no
# CUDA; and a link with LTO where ptxas is.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$NVPTX_CC" ] || skip_all "no clang that writes PTX"

# read_ptx NAME FILE.sn
read_ptx() {
  generate "$work" "$2" -q --bounds=trap || fail "generate $1"
  ok "$1 for sm_90" $NVPTX_CC -std=c11 -O3 $NVPTX_CFLAGS -DSN_OFFLOAD $include -I"$work" \
    --offload-device-only -S -o "$work/$1.ptx" "$work/$1.c" || return
  ok "$1: kernels are there" grep '\.entry' "$work/$1.ptx"
  is "$1: no clause allocates on a device's shared stack" "$(grep -n '__kmpc_alloc_shared' "$work/$1.ptx" | head -n 5)" ""
  ok "$1: atomics are by PTX of our own" grep -F 'atom.relaxed.gpu.global.cas' "$work/$1.ptx"
  if [ "$NVPTX_RUNTIME" = yes ]; then
    # a kernel that keeps the runtime's state machine runs its workers through a call
    is "$1: no local memory" "$(grep -n -E '^[^/]*\.local ' "$work/$1.ptx" | head -n 5)" ""
    is "$1: no state machine" "$(grep -c '__kmpc_kernel_parallel' "$work/$1.ptx")" 0
  else
    skip "$1: no local memory" "no device runtime to inline (Debian: libomp-19-dev)"
    skip "$1: no state machine" "no device runtime to inline"
  fi
}
read_ptx heat "$SN_SRCDIR/t/golden/heat.sn"
read_ptx brain "$SN_SRCDIR/examples/brain/brain.sn"

if [ -n "$NVPTX_LDFLAGS" ]; then
  printf 'int main(void) { return 0; }\n' >"$work/main.c"
  ok "brain.c links with LTO" $NVPTX_CC -std=c11 -O3 -fopenmp --offload-arch=sm_90 $NVPTX_LDFLAGS \
    -DSN_OFFLOAD $include -I"$work" "$work/brain.c" "$work/main.c" "$library" -lm -o "$work/brain"
else
  skip "brain.c links with LTO" "no ptxas"
fi
done_testing
