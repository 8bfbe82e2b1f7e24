#!/bin/sh
# Runs a GPU bundle where the GPU is (t/gpu.sh builds it; docs/gpu.md):
#
#   sh gpu.sh run [PART..] [--seconds=N] [--jobs=N] [--rounds=N]
#
#   PART       tests bench sanitizer; without one all of them, in this order
#   --seconds  what has not begun so long after the start is left out, and said to be
#   --jobs     tests at once, 4 unless told
#   --rounds   of each row, behind a warm-up; 7 unless told
#
# Speaks TAP; the table of the rows and where the files lie are comments at the end. The folder
# results beside this script has about.tsv, tests.tsv, rows.tsv and sanitizer.tsv, each line written
# as soon as it is known, and what they say together: results.md and results.json
# (t/gpu/results-schema.json). A run adds to what stands there, and replaces it by part.
#
# Exit status: 0: all is well; 1: a check failed; 2: wrong usage; 3: there is no device that the
# bundle can run on, and nothing was run.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here" || exit 1
results=$here/results
tab=$(printf '\t')

bail() { echo "Bail out! $*"; exit 3; }
of() { sed -n -e "s/^$1$tab//p" "$here/about.tsv"; }
left() { [ -z "$GPU_END" ] || [ "$(date +%s)" -lt "$GPU_END" ]; }
# seconds MOST: of what is left
seconds() {
  echo "$1 ${GPU_END:+$((GPU_END - $(date +%s)))}" |
    awk '{ most = NF > 1 && $2 < $1 ? $2 : $1; print (most > 1 ? most : 1) }'
}
number() { awk "BEGIN { print ($1) + 0 }"; }

# report: what is known so far, as a table and as JSON
report() {
  for form in md json; do
    awk -f "$here/report.awk" -v form=$form "$results/about.tsv" "$results/tests.tsv" \
      "$results/sanitizer.tsv" "$here/rows.txt" "$results/rows.tsv" >"$results/.$form.$$" &&
      mv "$results/.$form.$$" "$results/results.$form"
  done
}

# ---- the first section: the machine, the bundle, the device ----

unpack() {
  [ ! -e packed.tar.xz ] || [ -d rows ] || {
    if command -v xz >/dev/null; then xz -dc packed.tar.xz | tar -xf -
    else python3 -c 'import tarfile; tarfile.open("packed.tar.xz").extractall()'; fi
  } || bail "packed.tar.xz cannot be unpacked: xz or python3 is needed, and room in $here"
}

# The CUDA plugin loads libcuda.so by that name; a driver may have libcuda.so.1 alone.
find_driver() {
  for f in $(ldconfig -p 2>/dev/null | sed -n -e 's/.*=> \(.*libcuda\.so.*\)/\1/p') \
      /usr/lib/x86_64-linux-gnu/libcuda.so* /usr/lib64/libcuda.so* /usr/local/nvidia/lib*/libcuda.so* \
      /usr/lib/wsl/lib/libcuda.so*; do
    [ -e "$f" ] && { ln -sf "$f" lib/libcuda.so; ln -sf "$f" lib/libcuda.so.1; return; }
  done
  bail "no NVIDIA driver: there is no libcuda.so; install the driver, or run a bundle of ARCH x86"
}

asked() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }

tell() { sed -e "s/$tab/: /" -e 's/^/# /' "$results/about.tsv"; }

see_device() {
  arch=$(of arch)
  mkdir -p "$results" lib
  cp about.tsv "$results/about.tsv"
  for f in tests sanitizer rows; do [ -e "$results/$f.tsv" ] || : >"$results/$f.tsv"; done
  if [ "$arch" = x86 ]; then
    printf 'device\tthe x86_64 image of libomptarget, no GPU\n' >>"$results/about.tsv"
    tell
  else
    find_driver
    for what in name:device driver_version:driver memory.total:memory clocks.max.sm:clock \
        clocks.max.memory:memory_clock compute_cap:capability; do
      printf '%s\t%s\n' "${what#*:}" "$(asked "${what%:*}")" >>"$results/about.tsv"
    done
    tell
    # the driver stays loaded between the programs
    nvidia-smi --query-gpu=clocks.sm,clocks.mem,power.draw --format=csv,noheader --loop=5 \
      >"$results/clocks.txt" 2>/dev/null &
    watcher=$!
    trap 'kill $watcher 2>/dev/null' EXIT
    trap 'exit 1' HUP INT TERM
    capability=$(asked compute_cap | tr -d .)
    case $capability in
      "" | "${arch#sm_}") ;;
      *) bail "the bundle has code for $arch, and the device is sm_$capability: build one by" \
           "\"sh t/gpu.sh build FOLDER sm_$capability\"" ;;
    esac
  fi
}

# OpenMP's own libraries are the bundle's; others are where the machine has none of that name, since
# its own programs read LD_LIBRARY_PATH too, and may need a newer one.
find_libraries() {
  for f in libraries/*; do
    name=${f##*/}
    case $name in
      'libraries/*' | '*') continue ;;
      libomp* | libLLVM*) ;;
      *) ! ldconfig -p 2>/dev/null | grep -q -F "	$name " || continue ;;
    esac
    ln -sf "../$f" "lib/$name"
  done
  LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
}

# A kernel runs on the device, and libomptarget says that it has started it there.
see_kernel() {
  unset SNODE_DEVICE OMP_TARGET_OFFLOAD
  expected=$(rows/open host 2>&1 | sed 's/^host: //')
  said=$(timeout 120 rows/open gpu:0 2>"$results/opened.txt") ||
    bail "the first program on the device ended with status $?: $(head -n 3 "$results/opened.txt")"
  [ "$said" = "gpu:0: $expected" ] || bail "${said:-nothing was said by the first program}"
  launches=$(OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=16 rows/open gpu:0 2>&1 |
    grep -c 'Launching kernel .*_task_[0-9]*_target')
  if [ "$launches" -gt 0 ]; then
    echo "ok - the first program: libomptarget started $launches tasks on the device"
  else
    echo "not ok - the first program: libomptarget started no task on the device"
    echo failed >>"$results/.failed"
  fi
}

# ---- tests ----

# one TEST: a line of tests.tsv: name, status, checks, failed, skipped, seconds; and of TAP
one() {
  begin=$(date +%s)
  if ! left; then
    printf '%s\tnot run\t0\t0\t0\t0\n' "$1" >>"$results/tests.tsv"
    echo "ok - $1 # SKIP no time was left"
    return
  fi
  SN_GPU_MODE=replay SN_GPU_ARCH=$(of arch) SN_GPU_STORE=$here/store SN_GPU_SECONDS=120 \
    SN_BUILDDIR=$here/build SN_SRCDIR=$here/source \
    timeout "$(seconds 1800)" sh "$here/source/t/$1.t" >"$results/$1.tap" 2>"$results/$1.err"
  ended=$?
  checks=$(grep -c -E '^(not )?ok ' "$results/$1.tap") failures=$(grep -c '^not ok ' "$results/$1.tap")
  skipped=$(grep -c '^ok .*# SKIP' "$results/$1.tap")
  took=$(($(date +%s) - begin))
  if why=$(grep '^1\.\.0 # SKIP' "$results/$1.tap"); then
    verdict="not run"
    echo "ok - $1 # SKIP ${why#*SKIP }"
  elif [ $ended -eq 0 ] && [ "$failures" -eq 0 ] && [ "$checks" -gt "$skipped" ]; then
    verdict=ok
    echo "ok - $1, $checks checks, $took s"
  else
    verdict=failed
    echo failed >>"$results/.failed"
    echo "not ok - $1, $failures of $checks checks failed, exit status $ended, $took s"
    grep -v '^ok ' "$results/$1.tap" | head -n 30 | sed 's/^/# /'
    head -n 5 "$results/$1.err" | sed 's/^/# /'
  fi
  printf '%s\t%s\t%d\t%d\t%d\t%d\n' "$1" "$verdict" "$checks" "$failures" "$skipped" "$took" \
    >>"$results/tests.tsv"
}

run_tests() {
  : >"$results/tests.tsv"
  xargs -P "$jobs" -n 1 sh "$here/gpu.sh" one <"$here/tests.txt"
  report
}

# ---- rows ----

# Taichi in a folder of its own, where its wheels were packed and python3 takes them.
have_taichi() {
  [ -d taichi ] && command -v python3 >/dev/null || return
  [ -d taichi/site ] || python3 -m pip install -q --no-index --no-deps --target taichi/site \
    taichi/*.whl >"$results/taichi.txt" 2>&1
  PYTHONPATH=$here/taichi/site python3 -c 'import taichi' >>"$results/taichi.txt" 2>&1 ||
    { echo "# no Taichi: $(tail -n 1 "$results/taichi.txt")"; return 1; }
}

# row NAME PROGRAM FULL SMALL REPEATS UNIT BYTES BESIDE OPTIONS PARAMS
row() {
  row_name=$1 program=$here/rows/$2 what=$3 repeats=$5 unit=$6 beside=$8 options=${9#-} row_params=${10}
  if [ "$(of arch)" = x86 ]; then what=$4 row_params=-; fi
  [ "$9" = - ] || options=$9
  size=${what%:*} work=${what#*:}
  set -- "ours:gpu=SNODE_DEVICE=gpu:0 OMP_TARGET_OFFLOAD=MANDATORY exec '$program' $row_name ours $size $repeats"
  if [ -x rows/cuda ] && rows/cuda 2>&1 | grep -q "^  $row_name CUDA"; then
    set -- "$@" "CUDA:gpu=exec '$here/rows/cuda' $row_name CUDA $size $repeats"
    [ -z "$GPU_HOST" ] || set -- "$@" "$beside:gpu=OMP_TARGET_OFFLOAD=DISABLED exec '$program' $row_name $beside $size $repeats"
  else
    set -- "$@" "$beside:gpu=OMP_TARGET_OFFLOAD=DISABLED exec '$program' $row_name $beside $size $repeats"
  fi
  if [ -n "$taichi" ] && grep -q "^def $row_name(" taichi_rows.py; then
    set -- "$@" "Taichi:gpu=BENCH_PARAMS=$row_params TAICHI_ARCH=$taichi exec python3 '$here/taichi_rows.py' $row_name $size $repeats"
  fi
  timeout "$(seconds "${GPU_ROW_SECONDS:-120}")" rows/turns --rounds="$rounds" $options "$row_name" "$unit" \
    "$(number "$work * $repeats")" "$@"
}

run_rows() {
  : >"$results/rows.tsv"
  export BRAIN_VOLUME="$here/volume.nii.gz"
  taichi=
  if have_taichi; then
    export PYTHONPATH="$here/taichi/site" TAICHI_CACHE="$here/taichi/cache"
    case $(of arch) in x86) taichi=cpu ;; *) taichi=cuda ;; esac
  fi
  while read -r name rest <&3; do
    if ! left; then
      echo "ok - row $name # SKIP no time was left"
    elif row "$name" $rest >"$results/row.tsv" 2>"$results/row.err" 3<&-; then
      cat "$results/row.tsv" >>"$results/rows.tsv"
      echo "ok - row $name: all contenders agree in each of $((rounds + 1)) rounds"
      awk -F '\t' '{ printf "# %s: %s ns a %s, the quickest round %s\n", $4, $8, $2, $11 }' "$results/row.tsv"
    else
      row_status=$?
      echo failed >>"$results/.failed"
      echo "not ok - row $name"
      [ $row_status -ne 124 ] || echo "# it took more time than it had"
      head -n 8 "$results/row.err" | sed 's/^/# /'
      printf '%s\t-\tgpu\tours\t-\t%s\n' "$name" "$(head -n 1 "$results/row.err" | tr '\t' ' ')" >>"$results/rows.tsv"
    fi
    report
  done 3<"$here/rows.txt"
}

# ---- compute-sanitizer ----

# Under memcheck each access is looked at, under racecheck those of memory that a team shares: both
# take ten times as long and more, so a few programs stand for all.
sanitizer() {
  tool=$1 tool_test=$2
  left || { echo "ok - $tool of $tool_test # SKIP no time was left"; return; }
  rm -rf "$results/$tool" && mkdir -p "$results/$tool"
  SN_GPU_MODE=replay SN_GPU_ARCH=$(of arch) SN_GPU_STORE=$here/store SN_GPU_SECONDS=120 \
    SN_BUILDDIR=$here/build SN_SRCDIR=$here/source SN_CONFIGURATIONS=x86 \
    SN_PROGRAMS="dense pointer churn lists deep mpm" \
    OFFLOAD_RUN="$sanitizer --tool $tool --log-file $results/$tool/%p.txt --error-exitcode 86" \
    timeout "$(seconds "${GPU_SANITIZER_SECONDS:-240}")" sh "$here/source/t/$tool_test.t" \
    >"$results/$tool-$tool_test.tap" 2>&1
  programs=$(grep -l 'SUMMARY' "$results/$tool"/*.txt 2>/dev/null | wc -l)
  bad=$(grep -l -E 'SUMMARY: [1-9]' "$results/$tool"/*.txt 2>/dev/null | wc -l)
  printf '%s\t%s\t%d\t%d\n' "$tool" "$tool_test" "$programs" "$bad" >>"$results/sanitizer.tsv"
  if [ "$programs" -gt 0 ] && [ "$bad" -eq 0 ]; then
    echo "ok - $tool of $tool_test: nothing found in $programs programs"
  else
    echo failed >>"$results/.failed"
    echo "not ok - $tool of $tool_test: $bad of $programs programs"
    grep -h -E '^=========' "$results/$tool"/*.txt 2>/dev/null | head -n 20 | sed 's/^/# /'
  fi
}

run_sanitizer() {
  : >"$results/sanitizer.tsv"
  sanitizer=
  for f in compute-sanitizer /usr/local/cuda/bin/compute-sanitizer; do
    [ -n "$sanitizer" ] || ! command -v $f >/dev/null || sanitizer=$f
  done
  if [ "$(of arch)" = x86 ] || [ -z "$sanitizer" ]; then
    echo "ok - compute-sanitizer # SKIP there is none, or no GPU"
    return
  fi
  for t in lang 40-device; do
    for tool in memcheck racecheck; do
      ! grep -q -x $t tests.txt || sanitizer $tool $t
    done
  done
  report
}

# ---- the parts ----

usage() { echo "usage: gpu.sh run [tests] [bench] [sanitizer] [--seconds=N] [--jobs=N] [--rounds=N]" >&2; exit 2; }
# whole VALUE: a whole number, or wrong usage
whole() { case $1 in '' | *[!0-9]*) usage ;; *) echo "$1" ;; esac; }

run() {
  parts= jobs=4 rounds=7 GPU_END=
  for argument; do
    case $argument in
      tests | bench | sanitizer) parts="$parts $argument" ;;
      --seconds=*) GPU_END=$(($(date +%s) + $(whole "${argument#*=}"))) || usage ;;
      --jobs=*) jobs=$(whole "${argument#*=}") || usage ;;
      --rounds=*) rounds=$(whole "${argument#*=}") || usage ;;
      *) usage ;;
    esac
  done
  export GPU_END
  unpack
  see_device
  find_libraries
  rm -f "$results/.failed"
  see_kernel
  for part in ${parts:-tests bench sanitizer}; do
    case $part in
      tests) run_tests ;;
      bench) run_rows ;;
      sanitizer) run_sanitizer ;;
    esac
  done
  report
  sed 's/^/# /' "$results/results.md"
  echo "# results.md and results.json lie in $results"
  [ ! -e "$results/.failed" ]
}

action=$1
[ $# -eq 0 ] || shift
case $action in
  one) one "$1" ;;
  run)
    # lines of TAP come as they are known, the plan last
    mkdir -p "$results" || exit 1
    { (run "$@"); echo $? >"$results/.status"; } | tee "$results/run.tap"
    status=$(cat "$results/.status")
    case $status in 0 | 1) echo "1..$(grep -c -E '^(not )?ok ' "$results/run.tap")" ;; esac
    exit "$status" ;;
  *) usage ;;
esac
