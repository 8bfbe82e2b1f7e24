#!/bin/sh
# The AMD code of generated files, linked as a user would, with link-time optimisation, for two
# processors whose wavefronts have 64 and 32 lanes.  Read, not run: neither a GPU nor ROCm is
# needed.  (t/65-ptx-linked.t: NVIDIA's.)
. "${SN_SRCDIR:-.}/t/lib.sh"

[ -n "$TEST_CLANG" ] || skip_all "no clang"
flags="-O3 -fopenmp -nogpulib -foffload-lto -Wno-unused-command-line-argument"
device_library=$(dirname "$($TEST_CLANG -print-file-name=libomptarget.so)")
cd "$work" || exit 1
printf 'const char snd_backend[8];\nint main(void) { return 0; }\n' >stub.c
$TEST_CLANG $flags --offload-arch=gfx90a stub.c -L"$device_library" -lomptarget.devicertl -lm -o stub \
  >why 2>&1 || skip_all "no clang that links for AMD: $(head -n 1 why)"

# linked PROCESSOR MODULE: PROCESSOR/MODULE.s, what the linker's optimiser has written
linked() {
  mkdir -p "$1/$2" && cd "$1/$2" || return 1
  generate . "$SN_SRCDIR/bench/$2.sn" -O3 -q &&
    $TEST_CLANG -std=c11 -ffp-contract=off -DSN_OFFLOAD $taken $include $flags --offload-arch=$1 \
      -c $2.c -o $2.o &&
    $TEST_CLANG $flags --offload-arch=$1 -save-temps $2.o ../../stub.c "$library" \
      -L"$device_library" -lomptarget.devicertl -lm -o linked && mv linked.amdgcn*.s ../$2.s
}

# most MEMBER: the greatest number that the kernels' table has for it
most() {
  sed -n "s/^ *\.$1: *\([0-9]*\)$/\1/p" "$code" | sort -n | tail -n 1
}

for processor in gfx90a gfx1100; do
  for module in append churn stencil7; do
    code=$processor/$module.s
    (linked $processor $module) >out 2>&1
    is "$processor $module: compiles and links" "$?" 0 || diag "$(head -n 20 out)"
    is "a kernel for each task" "$(grep -c '^ *\.name: .*_task_[0-9]*_target' "$code")" \
      "$(grep -c -E '^SND_(STRUCT_FOR|RANGE_FOR|LOOP|SINGLE)' "$processor/$module/$module.c")"
    is "no register is spilt" "$(most vgpr_spill_count) $(most sgpr_spill_count)" "0 0"
    # what calls what is out of line keeps the place to come back to: 8 bytes, in whole 16
    ok "no variable in memory of a lane's own" test "$(most private_segment_fixed_size)" -le 16
    is "no shared stack" "$(grep -c __kmpc_alloc_shared "$code")" 0
  done
done
done_testing
