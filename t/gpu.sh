#!/bin/sh
# The check on a GPU, in one go: correctness first, then the times of brain.
#
#   sh t/gpu.sh build FOLDER [ARCH]   here: where clang is (ARCH: sm_90). Everything that is
#                                     needed goes to FOLDER: programs, what they
#                                     should print, the libraries in one archive.
#   sh FOLDER/gpu.sh run              there: where the GPU is; needs neither clang nor
#                                     the sources. Speaks TAP.
#
# SN_BUILDDIR, SN_SRCDIR: as for the tests. ARCH x86 builds for the device image without a
# GPU, which tries this script itself.
#
# The programs run under OMP_TARGET_OFFLOAD=MANDATORY and SNODE_DEVICE=gpu:0: a kernel that did
# not run on the device is an error.
case ${1:-} in
  build)
    [ -n "$2" ] || { echo "gpu.sh: build needs a folder" >&2; exit 2; }
    mkdir -p "$2" && gpu_folder=$(cd "$2" && pwd)
    gpu_arch=${3:-sm_90}
    set --
    . "${SN_SRCDIR:-.}/t/lib.sh"
    . "$SN_SRCDIR/t/run/programs.sh" ;;
  run) ;;
  *) echo "usage: gpu.sh build FOLDER [ARCH] | FOLDER/gpu.sh run" >&2; exit 2 ;;
esac

# ---- where clang is ----

build() {
  if [ "$gpu_arch" = x86 ]; then
    gpu_flags="-O3 $OFFLOAD_CFLAGS" gpu_link=$OFFLOAD_LDFLAGS
  else
    [ -n "$NVPTX_LDFLAGS" ] || { echo "gpu.sh: no ptxas: see configure's summary" >&2; exit 1; }
    gpu_flags="-O3 -fopenmp --offload-arch=$gpu_arch $NVPTX_LDFLAGS -Wno-unused-command-line-argument"
    gpu_link=
    OFFLOAD_CC=$NVPTX_CC
  fi
  generate_programs omp || exit 1
  build_drivers host-gcc drivers || exit 1
  gpu_objects=
  for m in $modules; do
    at_once gpu_compile "$work/omp/$m.c" "$work/$m.o"
    gpu_objects="$gpu_objects $work/$m.o"
  done
  all_done || exit 1
  $OFFLOAD_CC $gpu_flags $gpu_link -o "$gpu_folder/run" "$work"/drivers/*.o $gpu_objects \
    "$library" -lm || exit 1
  build_brain
  pack
}

gpu_compile() {
  $OFFLOAD_CC -std=c11 -ffp-contract=off -DSN_OFFLOAD $gpu_flags $include -I"$(dirname "$1")" -c "$1" -o "$2"
}

build_brain() {
  [ -n "$BRAIN_LIBS" ] || { diag "examples/brain is off: see configure's summary"; return; }
  generate "$work" "$SN_SRCDIR/examples/brain/brain.sn" -q -O3 &&
    gpu_compile "$work/brain.c" "$work/brain.o" || exit 1
  gpu_objects=
  for f in main settings volume picture reference; do
    gpu_objects="$gpu_objects $SN_BUILDDIR/examples/brain/$f.o"
  done
  $OFFLOAD_CC $gpu_flags $gpu_link -o "$gpu_folder/brain" $gpu_objects "$work/brain.o" \
    "$library" $BRAIN_LIBS -lm || exit 1
  gpu_volume=$("$SN_BUILDDIR/examples/brain/brain" --help |
    sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')
  if [ -r "$gpu_volume" ]; then cp "$gpu_volume" "$gpu_folder/volume.nii.gz"; fi
}

# What the programs load, libomptarget's plugins too, but for the C library's own.
pack() {
  gpu_plugins=$(dirname "$($OFFLOAD_CC -print-file-name=libomptarget.so)")
  mkdir -p "$work/lib"
  for f in "$gpu_folder/run" "$gpu_folder/brain"; do
    [ -x "$f" ] && ldd "$f"
  done | sed -n -e 's/.*=> \([^ ]*\) .*/\1/p' | sort -u |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
    while read -r f; do cp -L "$f" "$work/lib/"; done
  cp -L "$gpu_plugins"/libomptarget.rtl.*.so "$work/lib/" 2>/dev/null
  (cd "$work" && tar -cf - lib | xz -T0 -6 >"$gpu_folder/lib.tar.xz") || exit 1
  mkdir -p "$gpu_folder/out"
  for p in $programs; do cp "$run/$p.out" "$gpu_folder/out/"; done
  cp "$SN_SRCDIR/t/gpu.sh" "$gpu_folder/gpu.sh"
  echo "$gpu_folder: $(du -sh "$gpu_folder" | cut -f1), for $gpu_arch; there: sh gpu.sh run"
}

# ---- where the GPU is ----

number=0
verdict() {
  number=$((number + 1))
  echo "$1 $number - $2"
}

run_there() {
  cd "$(dirname "$0")" || exit 1
  [ -d lib ] || xz -dc lib.tar.xz | tar -xf - || exit 1
  LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  SNODE_DEVICE=gpu:0 OMP_TARGET_OFFLOAD=MANDATORY
  export LD_LIBRARY_PATH SNODE_DEVICE OMP_TARGET_OFFLOAD
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null | sed 's/^/# /'
  failed=0
  for f in out/*.out; do
    p=$(basename "$f" .out)
    timeout 120 ./run "$p" >said 2>err
    there_status=$?
    if [ $there_status -eq 0 ] && cmp -s said "$f"; then
      verdict ok "$p"
    else
      verdict "not ok" "$p"
      failed=1
      echo "# exit status $there_status"
      diff "$f" said | head -n 20 | sed 's/^/# /'
      head -n 20 err | sed 's/^/# /'
    fi
  done
  if [ -x brain ] && [ -r volume.nii.gz ]; then
    for options in "--check --steps=10" "--check --steps=10 --threshold=-1"; do
      if timeout 300 ./brain volume.nii.gz --device=gpu:0 --no-pictures $options >said 2>&1; then
        verdict ok "brain $options"
      else
        verdict "not ok" "brain $options"
        failed=1
      fi
      sed 's/^/# /' said
    done
    for round in 1 2 3; do
      echo "# brain, 200 steps, round $round"
      timeout 300 ./brain volume.nii.gz --device=gpu:0 --no-pictures --steps=200 | sed 's/^/# /'
    done
  fi
  echo "1..$number"
  exit $failed
}

case ${gpu_folder:+build} in
  build) build ;;
  *) run_there ;;
esac
