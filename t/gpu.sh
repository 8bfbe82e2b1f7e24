#!/bin/sh
# The GPU bundle: the device tests and the bench rows, built here, for a machine that has a GPU and
# its driver, but no compiler, no sources and no network. docs/gpu.md is about its use.
#
#   sh t/gpu.sh build FOLDER [ARCH] [--taichi=WHEELS]
#       ARCH: sm_90 unless named; x86: the device image without a GPU, which tries all of this.
#       WHEELS: a folder with the wheels of Taichi and of what it needs, which is packed too.
#   sh FOLDER/gpu.sh run [PART..]     there (t/gpu/there.sh)
#
# The tests are those of t/, whose scripts run there as they stand: their programs are compiled here
# (t/gpu/cc). Rows are listed in bench/gpu/rows.txt; those written in CUDA (bench/cuda) are compiled
# by nvcc where it is found: $NVCC, or of the toolkit that configure has found.
#
# SN_BUILDDIR, SN_SRCDIR: as for the tests. SN_GPU_TESTS, SN_GPU_ROWS: names, instead of all.
# FOLDER has no blank in its name.
usage="usage: gpu.sh build FOLDER [ARCH] [--taichi=WHEELS]"
[ "$1" = build ] && [ -n "$2" ] || { echo "$usage" >&2; exit 2; }
case $2 in *[[:space:]]*) echo "gpu.sh: a blank in the name of the folder" >&2; exit 2 ;; esac
mkdir -p "$2" && folder=$(cd "$2" && pwd) || exit 1
arch=sm_90 wheels=
shift 2
for argument; do
  case $argument in
    --taichi=*) wheels=${argument#*=} ;;
    -*) echo "$usage" >&2; exit 2 ;;
    *) arch=$argument ;;
  esac
done
set --
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/run/programs.sh"            # at_once

tests=${SN_GPU_TESTS:-40-device lang 50-host 35-rules 64-pool 66-split 68-cancel \
37-nest 38-blocks 27-checks 28-grad-check 39-oracle 43-staged 59-deterministic 88-hand-loops}
rows=$SN_SRCDIR/bench/gpu/rows.txt

say() { echo "gpu.sh: $*"; }
die() { say "$*" >&2; exit 1; }

# ---- flags ----

if [ "$arch" = x86 ]; then
  [ "$OFFLOAD_KIND" = x86 ] || die "no device image for x86: see configure's summary"
  image_flags=$OFFLOAD_CFLAGS image_link=$OFFLOAD_LDFLAGS level= target_flags=
else
  [ -n "$NVPTX_LDFLAGS" ] || die "no clang and ptxas for NVIDIA: see configure's summary"
  OFFLOAD_CC=$NVPTX_CC
  image_flags="-fopenmp --offload-arch=$arch $NVPTX_LDFLAGS -Wno-unused-command-line-argument"
  # lower levels are not for NVPTX (docs/porting.md)
  image_link= level=-O2
  # what there is on any host of a GPU of today
  target_flags=-march=x86-64-v3
fi
toolkit=$(echo "$NVPTX_LDFLAGS" | sed -n -e 's/.*--cuda-path=\([^ ]*\).*/\1/p')
nvcc=
if [ "$arch" != x86 ]; then
  for f in "${NVCC:-$toolkit/bin/nvcc}" /usr/local/cuda/bin/nvcc; do
    if [ -z "$nvcc" ] && command -v "$f" >/dev/null; then nvcc=$f; fi
  done
fi

# ---- tests ----

# What scripts read as configure's results, and take for the compilers: the same here and there.
make_build() {
  rm -rf "$folder/build" "$folder/store" "$folder/rows"
  mkdir -p "$folder/build/t" "$folder/build/.libs" "$folder/store" "$folder/rows"
  cp "$snodegen" "$folder/build/snodegen"
  for kind in host image; do
    cp "$SN_SRCDIR/t/gpu/cc" "$folder/build/cc-$kind" && chmod +x "$folder/build/cc-$kind"
  done
  strip "$folder/build/snodegen"
  cat >"$folder/build/t/config.sh" <<END
# For the device tests of a bundle: no compiler but t/gpu/cc, and the device image alone.
SN_VERSION='$SN_VERSION'
TEST_CLANG= TEST_TCC= TEST_GCC="\$SN_BUILDDIR/cc-host"
OFFLOAD_CC="\$SN_BUILDDIR/cc-image" OFFLOAD_KIND=x86 OFFLOAD_DEVICES=1
OFFLOAD_CFLAGS='$image_flags' OFFLOAD_LDFLAGS='$image_link'
NVPTX_CC= NVPTX_CFLAGS= NVPTX_LDFLAGS= ACC_CC= SPIN= PYTHON= CXX= FC= CC= SANITIZER_CFLAGS=
BRAIN_LIBS='$BRAIN_LIBS' CLANG_OPENMP_LDFLAGS= OPENMP_CC=
END
}

record() {
  (cd "$SN_SRCDIR" && SN_GPU_MODE=record SN_GPU_ARCH=$arch SN_GPU_STORE=$folder/store \
     SN_GPU_HOST="${TEST_GCC:-$OFFLOAD_CC}" SN_GPU_IMAGE=$OFFLOAD_CC SN_GPU_LEVEL=$level \
     SN_BUILDDIR=$folder/build SN_SRCDIR=$SN_SRCDIR SN_LONG= SN_SEEDS= \
     sh "t/$1.t" >"$work/recorded-$1" 2>&1)
  [ -d "$folder/store/$1" ] || { head -n 40 "$work/recorded-$1" >&2; return 1; }
  say "test $1: $(find "$folder/store/$1" -type f | wc -l) programs"
}

record_all() {
  ln -sf "$library" "$interpreter_library" "$folder/build/.libs/"
  for t in $tests; do record "$t" || die "test $t has no program for the device"; done
  # nothing is linked there
  rm -rf "$folder"/build/.libs/* "$folder/build/t/backends"
  : >"$folder/build/.libs/libsnode.a"
  for t in $tests; do echo "$t"; done >"$folder/tests.txt"
}

# The tests' own files, and what they read.
pack_sources() {
  rm -rf "$folder/source"
  mkdir -p "$folder/source"
  (cd "$SN_SRCDIR" && tar -chf - --exclude='t/fuzz' --exclude='*.o' README.md include runtime \
     examples t) | tar -xf - -C "$folder/source"
}

# ---- rows ----

chosen_rows() {
  grep -v '^#' "$rows" | while read -r name rest; do
    case " ${SN_GPU_ROWS:-$name} " in *" $name "*) echo "$name $rest" ;; esac
  done
}

# build_row PROGRAM PARAMS: contenders by hand and ours in one program, which the host's compiler of
# the image compiles; ours has the image
build_row() {
  row_source=$SN_SRCDIR/bench/$1 row_more= row_libs= row_dir=$work/rows/$1
  [ -e "$row_source.c" ] || row_source=$SN_SRCDIR/bench/gpu/$1
  row_file=$row_source.sn
  mkdir -p "$row_dir"
  if [ "$1" = brain ]; then
    row_file=$SN_SRCDIR/examples/brain/brain.sn row_libs=$BRAIN_LIBS
    row_more=$SN_SRCDIR/examples/brain/volume.c
    row_include=$(sed -n -e 's/^BRAIN_CPPFLAGS = //p' "$SN_BUILDDIR/Makefile" | grep -o -e '-I[^ ]*')
  fi
  row_defines=
  [ "$arch" = x86 ] || [ "$2" = - ] || row_defines=$(echo "$2" | sed 's/^/-D /; s/,/ -D /g')
  row_flags="-std=c11 -O3 -ffp-contract=off -D_GNU_SOURCE $target_flags $include -I$SN_SRCDIR -I$row_dir $row_include"
  row_objects= row_hand=-fopenmp
  [ -e "$row_file" ] || row_hand=$image_flags
  if [ -e "$row_file" ]; then
    "$snodegen" -q -O3 $row_defines --output-dir="$row_dir" "$row_file" &&
      $OFFLOAD_CC $row_flags $image_flags -DSN_OFFLOAD -c "$row_dir/$1.c" -o "$row_dir/ours.o" || return
    row_objects=$row_dir/ours.o
  fi
  for f in "$row_source.c" "$SN_SRCDIR/bench/contender.c" $row_more; do
    $OFFLOAD_CC $row_flags $row_hand -c "$f" -o "$row_dir/$(basename "$f" .c)-hand.o" || return
    row_objects="$row_objects $row_dir/$(basename "$f" .c)-hand.o"
  done
  $OFFLOAD_CC -O3 $image_flags $image_link $row_objects "$library" $row_libs -lm -o "$folder/rows/$1" &&
    strip "$folder/rows/$1"
}

build_rows() {
  ${TEST_GCC:-$OFFLOAD_CC} -std=c11 -O2 "$SN_SRCDIR/bench/turns.c" -o "$folder/rows/turns" || return
  chosen_rows | awk '{ print $2, $10 }' | sort -u >"$work/programs"
  while read -r program params; do
    if [ "$program" = brain ] && [ -z "$BRAIN_LIBS" ]; then
      say "rows of brain: none, examples/brain is off: see configure's summary"
      continue
    fi
    build_row "$program" "$params" || die "the rows of $program do not build"
    say "rows of $program"
  done <"$work/programs"
  chosen_rows | while read -r name program rest; do
    [ ! -x "$folder/rows/$program" ] || echo "$name $program $rest"
  done >"$folder/rows.txt"
}

build_cuda() {
  [ -n "$nvcc" ] || { say "rows in CUDA: none, since there is no nvcc"; return 0; }
  cuda_objects=
  for f in "$SN_SRCDIR"/bench/cuda/*.cu; do
    at_once "$nvcc" "-arch=$arch" -O3 -std=c++17 -I"$SN_SRCDIR" -I"$SN_SRCDIR/bench" -c "$f" \
      -o "$work/$(basename "$f" .cu)-cuda.o"
    cuda_objects="$cuda_objects $work/$(basename "$f" .cu)-cuda.o"
  done
  all_done || return
  ${TEST_GCC:-$OFFLOAD_CC} -std=c11 -O3 -D_GNU_SOURCE -c "$SN_SRCDIR/bench/contender.c" -o "$work/contender.o" &&
    "$nvcc" "-arch=$arch" -cudart static $cuda_objects "$work/contender.o" -o "$folder/rows/cuda" &&
    strip "$folder/rows/cuda" && say "rows in CUDA, by $nvcc"
}

# ---- examples/brain, and the program that looks whether there is a device ----

build_open() {
  generate "$work" "$SN_SRCDIR/t/devices/ring.sn" -q &&
    $OFFLOAD_CC -std=c11 -O2 $image_flags -DSN_OFFLOAD $include -I"$work" -c "$work/ring.c" -o "$work/ring.o" &&
    $OFFLOAD_CC -std=c11 -O2 $include -I"$work" -c "$SN_SRCDIR/t/devices/open.c" -o "$work/open.o" &&
    $OFFLOAD_CC -O2 $image_flags $image_link "$work/open.o" "$work/ring.o" "$library" -lm \
      -o "$folder/rows/open" && strip "$folder/rows/open"
}

pack_volume() {
  [ -z "$BRAIN_LIBS" ] || cp "$("$SN_BUILDDIR/examples/brain/brain" --help |
    sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')" "$folder/volume.nii.gz" 2>/dev/null || :
}

# ---- packing ----

# What the programs load, libomptarget's plugin for the GPU too, but for the C library's own; the
# script there takes what that machine lacks. On this machine, which x86 is for, it is all there.
pack_libraries() {
  rm -rf "$folder/libraries"
  mkdir -p "$folder/libraries"
  [ "$arch" != x86 ] || return 0
  plugins=$(dirname "$($OFFLOAD_CC -print-file-name=libomptarget.so)")
  for f in "$folder"/rows/* $(find "$folder/store" -type f) "$plugins"/libomptarget.rtl.cuda.so; do
    [ -e "$f" ] && ldd "$f" 2>/dev/null
  done | sed -n -e 's/.*=> \([^ ]*\) .*/\1/p' | sort -u |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
    while read -r f; do cp -L "$f" "$folder/libraries/"; done
  cp -L "$plugins"/libomptarget.rtl.cuda.so "$folder/libraries/" 2>/dev/null || :
}

about() {
  printf 'arch\t%s\n' "$arch"
  printf 'snode\t%s\n' "$SN_VERSION"
  printf 'commit\t%s\n' "$(cd "$SN_SRCDIR" && git describe --always --dirty 2>/dev/null)"
  printf 'compiler\t%s\n' "$($OFFLOAD_CC --version | head -n 1)"
  printf 'nvcc\t%s\n' "$([ -z "$nvcc" ] || "$nvcc" --version | sed -n -e 's/.*release //p')"
  printf 'libomptarget\t%s\n' "$(basename "$(readlink -f "$($OFFLOAD_CC -print-file-name=libomptarget.so)")")"
}

# For a GPU one archive, which the script there unpacks: what travels may be small only.
pack() {
  cp "$SN_SRCDIR/t/gpu/there.sh" "$folder/gpu.sh"
  cp "$SN_SRCDIR/t/gpu/report.awk" "$SN_SRCDIR/bench/taichi_rows.py" "$folder/"
  about >"$folder/about.tsv"
  if [ -n "$wheels" ]; then
    rm -rf "$folder/taichi" && mkdir "$folder/taichi" && cp "$wheels"/*.whl "$folder/taichi/" ||
      die "no wheels in $wheels"
  fi
  [ "$arch" = x86 ] || {
    packed="build store source rows libraries"
    (cd "$folder" && tar -cf - $packed | xz -T0 -6 >packed.tar.xz && rm -rf $packed) || exit 1
  }
  say "$folder: $(du -sh "$folder" | cut -f1), for $arch; there: sh gpu.sh run"
}

make_build
build_open || die "the program that opens the device does not build"
record_all
pack_sources
build_rows
build_cuda || die "the rows in CUDA do not build"
pack_volume
pack_libraries
pack
