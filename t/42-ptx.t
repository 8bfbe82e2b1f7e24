#!/bin/sh
# What a GPU would get: the PTX for sm_90 of generated files and of the runtime's own
# tasks, read, not run.  Needs neither CUDA nor a GPU.
#
# The device's runtime is linked in as bitcode where clang has it, as a link with LTO
# would do; without it the teams' own start-up code (calls, a local array) is left out
# of the search.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$NVPTX_CC" ] || skip_all "no clang for NVPTX"
runtime=$(dirname "$($NVPTX_CC -print-file-name=libomptarget.so)")/libomptarget-nvptx-sm_90.bc
link_runtime=
[ -r "$runtime" ] && link_runtime="-Xclang -mlink-builtin-bitcode -Xclang $runtime"

# to_ptx FILE.c FLAG: FILE.ptx
to_ptx() {
  $NVPTX_CC $NVPTX_CFLAGS -std=c11 -O3 -DSN_OFFLOAD $2 --offload-device-only -S $include -I"$work" \
    $link_runtime "$1" -o "${1%.c}.ptx"
}

# kernels FILE.ptx: the bodies of loops and of single regions, without what starts them
kernels() {
  if [ -n "$link_runtime" ]; then cat "$1"; else
    awk '/^\.(weak |visible |internal )*\.?entry/ { keep = 0 } /^\.func.*omp_outlined/ { keep = 1 } keep' "$1"
  fi
}

# none NAME FILE PATTERN
none() {
  is "$1" "$(kernels "$2" | grep -n -E -e "$3" | head -n 5)" ""
}

# read_ptx NAME SLOTS FLAG: $work/NAME.c as PTX; SLOTS: it has some of its own
read_ptx() {
  name=$1
  ok "$name: compiles for sm_90" to_ptx "$work/$name.c" "$3" || return
  ptx=$work/$name.ptx
  ok "$name: has kernels" grep -E '\.entry.*_target_l' "$ptx"
  none "$name: nothing in local memory" "$ptx" '\.local'
  none "$name: no shared stack" "$ptx" '__kmpc_alloc_shared'
  none "$name: no order that LLVM 19 drops, no fence" "$ptx" '(membar|fence)\.'
  [ "$2" = slots ] || return 0
  ok "$name: slots are read by relaxed loads of the global space" \
    grep -F 'ld.relaxed.gpu.global.u64' "$ptx"
  ok "$name: and taken by swaps of it" grep -F 'atom.relaxed.gpu.global.cas.b64' "$ptx"
}

# the runtime's own tasks once, which each file has; then files without them
cp "$SN_SRCDIR/t/backend.c" "$work/backend.c"
read_ptx backend slots -DSN_BACKEND_GIVEN
for name in golden/heat golden/sparse run/activity run/say run/reduce; do
  case $name in run/say) slots= ;; *) slots=slots ;; esac
  program=$SN_SRCDIR/t/$name.sn
  name=$(basename "$name")
  ok "$name: generated" generate "$work" "$program" && read_ptx "$name" "$slots" $taken
done
# What is constant over a leaf is walked to once for a block: in the loop over the cells only the ambient
# cell is asked for, where nothing is active, but where the index differs in a leaf.
cat >"$work/coarse.sn" <<'END'
field f32 fine, result, coarse;
tree t { pointer tile[i: 64, j: 64] { dense leaf[i: 8, j: 8] { place fine, result; } } }
tree u { pointer top[i: 16, j: 16] { dense low[i: 8, j: 8] { place coarse; } } }
kernel void eighths() { foreach (i, j in fine) result[i, j] = fine[i, j] * coarse[i / 8, j / 8]; }
kernel void between() { foreach (i, j in fine) result[i, j] = fine[i, j] * coarse[(i + 4) / 8, j / 8]; }
END
# pointers KERNEL: loads of 64 bits in the inner loop
pointers() {
  awk -v kernel="\\.entry .*_$1_task_" '
    $0 ~ kernel { keep = 1 } /^}/ { keep = 0 } /^\$L__BB/ { inner = 0 } keep && /Depth=2/ { inner = 1 }
    keep && inner && /ld\.global\.u64/ { count++ } END { print count + 0 }' "$work/coarse.ptx"
}
ok "coarse: generated" generate "$work" "$work/coarse.sn" -w -O2 --bounds=none &&
  read_ptx coarse "" $taken
is "constant over a leaf: no walk in the loop over cells" "$(pointers eighths)" 1
is "not constant: one" "$(pointers between)" 2

# and for those before
for processor in sm_70 sm_80; do
  ok "heat: compiles for $processor" $NVPTX_CC \
    $(echo "$NVPTX_CFLAGS" | sed "s/offload-arch=sm_[0-9]*/offload-arch=$processor/") -std=c11 -O3 \
    -DSN_OFFLOAD $taken --offload-device-only -S $include -I"$work" "$work/heat.c" -o "$work/older.ptx"
  ok "for that processor" grep -F ".target $processor" "$work/older.ptx"
done
done_testing
