#!/bin/sh
# The NVIDIA code of a generated file as a user would link it: with link-time
# optimisation, by the CUDA toolkit's ptxas.  Read, not run: no GPU is needed.
# (t/42-ptx.t reads the code before the link, without CUDA.)
. "${SN_SRCDIR:-.}/t/lib.sh"

[ -n "$NVPTX_LDFLAGS" ] || skip_all "no ptxas"

module=churn
flags="-O3 -fopenmp --offload-arch=sm_90 $NVPTX_LDFLAGS -Wno-unused-command-line-argument"

# count PATTERN: lines of the linked PTX that match
count() {
  grep -c -e "$1" "$ptx"
}

cd "$work" || exit 1
echo 'int main(void) { return 0; }' >main.c
ok "generated" generate . "$SN_SRCDIR/t/run/$module.sn" -O3 -q
ok "compiles for sm_90" $NVPTX_CC -std=c11 -ffp-contract=off -DSN_OFFLOAD $include $flags \
  -c $module.c -o $module.o
ok "links" $NVPTX_CC $flags -save-temps $module.o main.c "$library" -lm -o linked
ptx=$(echo linked.nvptx64*.s)
is "a kernel for each task" "$(count '\.entry .*_task_[0-9]*_target')" \
  "$(grep -c -E '^SND_(STRUCT_FOR|RANGE_FOR|LOOP|SINGLE)' $module.c)"
is "no variable in local memory" "$(count '\.local')" 0
is "no shared stack" "$(count __kmpc_alloc_shared)" 0
is "no call is left" "$(count 'call\.uni')" 0
is "no generic load" "$(count '	ld\.[usbf][0-9]')" 0
done_testing
