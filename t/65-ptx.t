#!/bin/sh
# The NVIDIA code of generated files, read as text: what makes a kernel slow there
# shows in its PTX (docs/architecture.md: a task's body is inlined, its variables
# stay in registers).  No GPU is needed; the first part needs no CUDA either.
. "${SN_SRCDIR:-.}/t/lib.sh"

[ -n "$NVPTX_CC" ] || skip_all "no compiler that writes PTX"

modules="churn reduce pointer activity arrays"
runtime=$($NVPTX_CC -nogpulib -print-file-name=libomptarget-nvptx-sm_90.bc)
common="-std=c11 -O3 -ffp-contract=off -DSN_OFFLOAD $include"

# count FILE PATTERN
count() {
  grep -c -e "$2" "$1"
}

# An entry for each kernel's task at least: an empty file would pass every test.
has_entries() {
  is "$1: a kernel for each task" "$(count "$2" '\.entry .*_task_[0-9]*_target')" \
    "$(count "$3" '_task_[0-9]*_target(const sn_args')"
}

for m in $modules; do
  generate "$work" "$SN_SRCDIR/t/run/$m.sn" -O3 -q || { echo "Bail out! $m.sn does not compile"; exit 1; }
done

# ---- PTX without CUDA: the device's OpenMP runtime is linked as bitcode ----

for m in $modules; do
  if [ ! -r "$runtime" ]; then
    skip "$m: PTX" "no $runtime"
    continue
  fi
  ok "$m: writes PTX" $NVPTX_CC $common -fopenmp --offload-arch=sm_90 -nogpulib \
    -fopenmp-assume-no-thread-state -fopenmp-assume-no-nested-parallelism \
    -Xclang -mlink-builtin-bitcode -Xclang "$runtime" -Wno-linker-warnings \
    --offload-device-only -S "$work/$m.c" -o "$work/$m.s"
  has_entries "$m" "$work/$m.s" "$work/$m.c"
  is "$m: no variable in local memory" "$(count "$work/$m.s" '\.local')" 0
  is "$m: nothing shared behind one's back" "$(count "$work/$m.s" __kmpc_alloc_shared)" 0
done

# ---- linked with link-time optimisation, as a user would ----

if [ -z "$NVPTX_LDFLAGS" ]; then
  skip "linked for sm_90" "no ptxas"
else
  cd "$work" || exit 1
  echo 'int main(void) { return 0; }' >main.c
  m=churn
  ok "$m: compiles for sm_90" $NVPTX_CC $common -fopenmp --offload-arch=sm_90 \
    $NVPTX_LDFLAGS -Wno-unused-command-line-argument -c $m.c -o $m.o
  ok "$m: links" $NVPTX_CC -O3 -fopenmp --offload-arch=sm_90 $NVPTX_LDFLAGS \
    -save-temps -Wno-unused-command-line-argument $m.o main.c "$library" -lm -o linked
  s=$(echo linked.nvptx64*.s)
  has_entries "$m linked" "$s" $m.c
  is "$m linked: no variable in local memory" "$(count "$s" '\.local')" 0
  is "$m linked: nothing shared behind one's back" "$(count "$s" __kmpc_alloc_shared)" 0
  is "$m linked: no call is left" "$(count "$s" 'call\.uni')" 0
  is "$m linked: no generic load" "$(count "$s" '	ld\.[usbf][0-9]')" 0
fi

done_testing
