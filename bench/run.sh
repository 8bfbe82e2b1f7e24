#!/bin/sh
# run.sh [--quick] [--rounds=N] [--only=ROW,...] [--cpu] SOURCE BUILD [FOLDER]
#
# Builds the rows with both compilers, fetches Taichi on first use, measures, and leaves
# FOLDER/results.md, results.json and results.svg (FOLDER: BUILD/bench).  Each figure is a
# ratio of programs run in turn in the same minutes; look at the spread before believing
# it, and let nothing else run meanwhile.  --quick: small sizes,
# three rounds, to see that all of it runs.  --cpu: one thread, by the processor's time
# instead of the wall's: says little about memory and threads, but holds on a busy machine.
quick= rounds=9 only=
while :; do
  case $1 in
  --quick) quick=1 rounds=3 ;;
  --rounds=*) rounds=${1#*=} ;;
  --only=*) only=,${1#*=}, ;;
  --cpu) export OMP_NUM_THREADS=1 BENCH_CLOCK=cpu ;;
  *) break ;;
  esac
  shift
done
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
out=${3:-$build/bench}
. "$build/t/config.sh"
mkdir -p "$out/generated" "$out/generated-rows" && out=$(cd "$out" && pwd) || exit 1
flags="-std=c11 -O3 -march=native -ffp-contract=off -fopenmp -D_GNU_SOURCE"
[ -z "$MAKEFLAGS" ] || unset MAKEFLAGS MFLAGS

say() { echo "bench: $*" >&2; }

# ---- the rows: name, program, size:work, the same for --quick, repeats a round, unit,
# contenders beside ours and Taichi (WHO@N: on N threads; rows: ours, with `soa rows` behind the
# nodes that have several fields), options of turns ----
rows() {
  cat <<'END'
fill_sweeping     grid   216:10077696     96:884736       10 cell C -
fill_random       grid   10000000         1000000         3  cell C -
fill_clear        grid   128:41943040     64:5242880      1  cell C -
read_far          grid   10000000         1000000         2  read C -
read_near         grid   10000000         1000000         4  read C -
saxpy             saxpy  8:67108864       2:16777216      1  cell C,C-flat -
listgen_changed   layers 2097152:10485760 200000:1000000  1  leaf C -
listgen_unchanged layers 2097152:10485760 200000:1000000  1  leaf C -
gc_churn          churn  1000000:5000000  100000:500000   1  cell C -
activate          churn  1000000           100000            1  cell C -
append_one        append 10000000         1000000         1  append C -
append_many       append 10000000         1000000         1  append C -
append_scattered  append 10000000         1000000         1  append C -
deep_touch        deep   2097152          262144          1  cell C --fresh
deep_gather       deep   2097152:31457280 262144:3932160  2  cell C -
heat              heat   20:83722320      4:16744464      1  cell C -
stencil7          stencil7 32:167772160   16:20971520     1  cell C,copy -
conv27            conv   16:10439680     8:1290240       1  cell C -
brain_all         brain  -1:14218074      -1:14218074     1  voxel C-dense,C-list -
brain_quarter     brain  100:3405580      100:3405580     1  voxel C-dense,C-list -
task3             tasks  200000           50000           1  task no-worker,buffers,traced,replayed,OpenMP,OpenMP+1 -
workers           tasks  200000          50000           1  task 1,2,4,8,16,OpenMP-2,OpenMP-16 -
workers0          tasks  200000          50000           1  task 1,2,4,8,16 -
task0             tasks  1000000         100000          1  task task3,alone,OpenMP -
failing           tasks  200000          50000           1  task run -
metg              metg   250:1            60:1            1  grain OpenMP -
transfer          transfer 1:64           1:64            1  block compute,copy -
life              life   128:31457280         32:1966080      2  cell C -
call_nothing      call   20000                2000            1  call C -
call_serial       call   20000                2000            1  call C -
call_1            call   20000                2000            1  call C,region -
call_10           call   20000                2000            1  call C,region -
call_100          call   5000                 1000            1  call C,region -
call_sweeps       call   100:6000             20:1200         1  sweep C,region --within=1e-6
mpm2d             mpm2d  200000:1000000       20000:100000    1  particle C --within=1e-4
mpm3d             mpm3d  100000:300000        20000:60000     1  particle C --rounds=5 --within=1e-4
mgpcg128          mgpcg  128:2097152          64:262144       1  cell C --within=1e-4
mgpcg256          mgpcg  256:16777216         64:262144       1  cell C --rounds=3 --within=1e-3
multires          multires 24:29999104        8:3358720       2  cell C,C-levels --within=1e-6
scale_1e4         stencil7 3:138240           3:138240        100 cell C -
scale_1e5         stencil7 6:1105920          6:1105920       20 cell C -
scale_1e6         stencil7 12:8847360         12:8847360      4  cell C -
scale_1e7         stencil7 27:100776960       12:8847360      1  cell C -
scale_1e8         stencil7 58:998984960       12:8847360      1  cell C --rounds=3
wave              wave   24:61895680          8:2298880       1  cell C,rows --within=1e-9
band              band   64:27815940          20:2721860      1  cell C,rows --within=1e-9
lbm               lbm    20:15424194          6:435744        1  cell C --within=1e-7
sparse_1          sparse 10064:4194304 10064:4194304 2 cell bits,tiles -
sparse_3          sparse 30064:4194304 30064:4194304 2 cell bits,tiles -
sparse_10         sparse 100064:4194304 100064:4194304 2 cell bits,tiles -
sparse_25         sparse 250064:4194304 250064:4194304 2 cell bits,tiles -
sparse_50         sparse 500064:4194304 500064:4194304 2 cell bits,tiles -
sparse_75         sparse 750064:4194304 750064:4194304 2 cell bits,tiles -
sparse_100        sparse 1000064:4194304 1000064:4194304 2 cell bits,tiles -
scattered_1       sparse 10001:4194304 10001:4194304 2 cell bits,tiles -
scattered_10      sparse 100001:4194304 100001:4194304 2 cell bits,tiles -
fade              sparse 0:1048576 0:1048576 4 number denormal -
grad              grad   24:141557760         8:5242880       1  cell primal,C,C-chain --within=1e-5
mpmgrad           mpmgrad 200000:1000000     20000:100000    1  particle primal,C --within=1e-3
END
  echo "scale_threads stencil7 27:100776960 12:8847360 1 cell C$(by_threads ours)$(by_threads C) -"
}

# by_threads WHO: ",WHO@1,WHO@2" and so on, powers of two up to what the machine has
by_threads() {
  threads=1 most=$(getconf _NPROCESSORS_ONLN)
  while [ "$threads" -lt "$most" ]; do
    printf ',%s@%s' "$1" "$threads"
    threads=$((threads * 2))
  done
  printf ',%s@%s' "$1" "$most"
}

chosen_rows() {
  rows | while read -r name rest; do
    case $only in ''|*,$name,*) echo "$name $rest" ;; esac
  done
}

# ---- building ----

# The programs of tasks have no kernels, and no Taichi beside them.
has_kernels() {
  case $1 in tasks|metg|transfer|starpu) return 1 ;; esac
}

# Brain has no program for Taichi; of grad Taichi 1.7.4 ends with a segmentation fault, where a
# kernel whose fields lie under a pointer node is differentiated.  In sparse kinds of nodes of ours are compared.
runs_in_taichi() {
  case $1 in brain|grad|sparse) return 1 ;; esac
}

has_rows() { chosen_rows | awk -v of="$1" '$2 == of' | grep -q '[ ,]rows[ ,]'; }

# as_rows FILE: where it lies with `soa rows` behind the nodes that have several fields
as_rows() {
  sed -e 's/\] { place \([a-z]*,\)/] soa rows { place \1/' "$1" >"$out/generated-rows/${1##*/}" &&
    echo "$out/generated-rows/${1##*/}"
}

# build PROGRAM COMPILER [-rows]: what it is made of; brain has more of it
build_one() {
  more= libs= ldflags= generated=$out/generated$3
  [ "$2" != "$TEST_CLANG" ] || ldflags=$CLANG_OPENMP_LDFLAGS
  file=$source/bench/$1.sn
  if [ "$1" = brain ]; then
    file=$source/examples/brain/brain.sn libs=$BRAIN_LIBS
    more="$source/examples/brain/volume.c
      $(sed -n -e 's/^BRAIN_CPPFLAGS = //p' "$build/Makefile" | grep -o -e '-I[^ ]*')"
  fi
  case $1 in metg|starpu) more=$source/bench/ladder.c ;; esac
  [ "$1" != starpu ] || more="$more $STARPU_CFLAGS" libs=$STARPU_LIBS
  if has_kernels "$1"; then
    [ -z "$3" ] || file=$(as_rows "$file") || return 1
    "$build/snodegen" -q -O3 --output-dir="$generated" "$file" || return 1
    more="$generated/$1.c $more"
  fi
  $2 $flags -I"$source" -I"$source/include" -I"$generated" "$source/bench/$1.c" \
      "$source/bench/contender.c" $more "$build/.libs/libsnode.a" \
      $libs -lm $ldflags -o "$out/$1$3-$2"
}

build_all() {
  ${TEST_GCC:-$TEST_CLANG} -std=c11 -O2 "$source/bench/turns.c" -o "$out/turns" || return 1
  for program in $(chosen_rows | awk '{ print $2 } $2 ~ /^(tasks|metg)$/ { print "starpu" }' |
                     sort -u); do
    [ "$program" != brain ] || [ "$BRAIN_LIBS" ] || continue
    [ "$program" != starpu ] || [ "$STARPU_LIBS" ] || continue
    for compiler in $TEST_CLANG $TEST_GCC; do
      say "building $program with $compiler"
      build_one "$program" "$compiler" || return 1
      ! has_rows "$program" || build_one "$program" "$compiler" -rows || return 1
    done
  done
}

# Taichi in an environment of its own; what is missing is said in the table.
taichi=$out/taichi/bin/python taichi_missing=
fetch_taichi() {
  [ ! -e "$out/taichi/ready" ] || return 0
  for python in python3 python3.11 python3.12 python3.10 python3.13 python3.9; do
    command -v $python >/dev/null || continue
    say "fetching Taichi 1.7.4 for $python"
    rm -rf "$out/taichi"
    $python -m venv "$out/taichi" >"$out/taichi.log" 2>&1 &&
      "$taichi" -m pip install -q taichi==1.7.4 numpy >>"$out/taichi.log" 2>&1 &&
      "$taichi" -c 'import taichi' >>"$out/taichi.log" 2>&1 &&
      : >"$out/taichi/ready" && return 0
  done
  taichi_missing="no Taichi 1.7.4: $(grep -v '^$' "$out/taichi.log" 2>/dev/null | tail -n 1)"
  say "$taichi_missing"
}

# ---- measuring ----

# row NAME PROGRAM SIZE WORK REPEATS UNIT OTHERS OPTIONS
row() {
  name=$1 program=$2 size=$3 work=$4 repeats=$5 unit=$6 others=$7 options=${8#-}
  [ "$8" = - ] || options=$8
  set --
  for compiler in $TEST_CLANG $TEST_GCC; do
    for who in ours $(echo "$others" | tr , ' '); do
      case $who in *@*) on="OMP_NUM_THREADS=${who#*@} exec" ;; *) on=exec ;; esac
      case $who in rows) of=$program-rows called=ours ;; *) of=$program called=${who%@*} ;; esac
      set -- "$@" "$who:$compiler=$on '$out/$of-$compiler' $name $called $size $repeats"
    done
  done
  case $name in task3|metg)
    for compiler in $TEST_CLANG $TEST_GCC; do
      [ ! -x "$out/starpu-$compiler" ] ||
        set -- "$@" "StarPU:$compiler=exec '$out/starpu-$compiler' $name StarPU $size $repeats"
    done ;;
  esac
  if runs_in_taichi "$program" && has_kernels "$program" && [ -z "$taichi_missing" ]; then
    set -- "$@" "Taichi=exec '$taichi' '$source/bench/taichi_rows.py' $name $size $repeats"
  fi
  "$out/turns" --rounds="$rounds" $options "$name" "$unit" \
    "$(echo "$work $repeats" | awk '{ printf "%.0f", $1 * $2 }')" "$@"
}

measure_all() {
  count=$(chosen_rows | wc -l) number=0 failed=0
  chosen_rows >"$out/rows"
  while read -r name program full small repeats unit others options <&3; do
    number=$((number + 1))
    [ -x "$out/$program-$TEST_CLANG$TEST_GCC" ] || [ -x "$out/$program-$TEST_CLANG" ] ||
      [ -x "$out/$program-$TEST_GCC" ] || continue
    what=$full
    [ -z "$quick" ] || what=$small
    start=$(date +%s)
    if row "$name" "$program" "${what%:*}" "${what#*:}" "$repeats" "$unit" "$others" "$options" \
         >"$out/row.tsv"; then
      cat "$out/row.tsv" >>"$out/results.tsv"
      say "$number of $count: $name, $(($(date +%s) - start)) s"
    else
      say "$number of $count: $name is no row: see above"
      failed=1
    fi
  done 3<"$out/rows"
  return $failed
}

export TAICHI_CACHE="$out/taichi-cache" BRAIN_VOLUME
BRAIN_VOLUME=$("$build/examples/brain/brain" --help 2>/dev/null |
  sed -n -e 's/^The volume is \(.*\) unless named\.$/\1/p')
build_all || exit 1
[ -z "$(for program in $(chosen_rows | awk '{ print $2 }'); do
          ! has_kernels "$program" || ! runs_in_taichi "$program" || echo "$program"
        done)" ] || fetch_taichi
: >"$out/results.tsv"
measure_all
status=$?
for form in md json svg; do
  awk -f "$source/bench/report.awk" -v form=$form -v missing="$taichi_missing" \
    "$out/results.tsv" >"$out/results.$form" || status=1
done
cat "$out/results.md"
say "results.md, results.json and results.svg lie in $out"
exit $status
