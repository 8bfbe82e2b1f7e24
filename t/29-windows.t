#!/bin/sh
# Loops that go to boxes of cells at computed places, made of chance (t/windows/generate.pl), leave
# the same values, and make the same cells active, with windows and in the interpreter: as gcc and
# clang compile them, on one thread and three, and under the sanitizers. Where points outside the
# extents end iterations, which others then run is the same as without windows. A loop that differs
# is printed, with the first cell that does and with what finds it again; that this works is tested
# with a driver that lies. Gangs of particles (bench/mpm3d.sn) are counted: all are to run at once;
# and points that find a window, where few do and where most do.
#
# SN_LONG=1: 20,000 loops, file by file in one of the configurations in turn, as many
# files at once as there are processors. SN_SEEDS="1 2" chooses the files,
# SN_LOOPS how many loops each has, SN_CONFIGURATIONS="gcc clang-native" in which configurations each is.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
why=$(available interpreter) || skip_all "$why"
windows=$SN_SRCDIR/t/windows
all="gcc gcc-native clang clang-native off gcc-sanitized clang-sanitized"
chosen=$SN_CONFIGURATIONS
if [ -n "$SN_LONG" ]; then
  seeds=${SN_SEEDS:-$(seq 1 1000)} loops=${SN_LOOPS:-20}
  chosen=${chosen:-turns}
else
  seeds=${SN_SEEDS:-$(seq 1 10) 94} loops=${SN_LOOPS:-15}   # 94: two cells to ask for lie below one
fi

# of_seed SEED: in a short run one configuration each, in turns; gcc's sanitizers take too long
of_seed() {
  [ "$chosen" != turns ] || { echo "$all" | cut -d " " -f $(($1 % 7 + 1)); return; }
  [ -z "$chosen" ] || { echo "$chosen"; return; }
  case $(($1 % 5)) in
    0) echo "off" ;;
    1) echo "gcc" ;;
    2) echo "clang-native" ;;
    3) echo "clang-sanitized" ;;
    4) echo "gcc-native" ;;
  esac
}

flags_of() {
  case $1 in
    *-native) echo "-O3 -march=native" ;;
    *-sanitized) echo "-O0 -Wno-conversion -fsanitize=address,undefined -fno-sanitize-recover=undefined" ;;
    off) echo "-O1 -DSND_ROWS=0" ;;
    interpreter) echo "-O0" ;;
    *) echo "-O1" ;;
  esac
}

# The configuration of lib.sh whose compiler it is.
host_of() { case $1 in clang*) echo host-clang ;; interpreter) echo interpreter ;; *) echo host-gcc ;; esac; }

# build NAME: $work/NAME/run, of $work/p.sn; what all are compared with: `plain` where it is told
# which iterations run, else the interpreter
build() {
  folder=$work/$1 host=$(host_of "$1")
  mkdir -p "$folder"
  case $1 in
    interpreter) option=--target=interpreter ;;
    plain) option=--pass=no-windows ;;
    *) option=-O2 ;;
  esac
  generate "$folder" "$work/p.sn" -w --bounds="$bounds" --prefix=p -o p $option || return 1
  compile_flags="$(flags_of "$1") -ffp-contract=off $of_chance" compile "$host" "$folder/p.c" "$folder/p.o" &&
    compile_flags="$(case $1 in *-sanitized) flags_of "$1" ;; esac) -I$folder -I$work" \
      compile_driver "$host" "$windows/driver.c" "$folder/driver.o" &&
    compile_flags='' SANITIZER_CFLAGS=$(case $1 in *-sanitized) flags_of "$1" ;; esac) \
      link "$host" "$folder/run" "$folder/p.o" "$folder/driver.o"
}

# run_windows NAME ARGUMENT...
run_windows() {
  name=$1
  shift
  (SN_WINDOWS_LIE=
   [ "$name" != "$liar" ] || SN_WINDOWS_LIE=$lie
   export SN_WINDOWS_LIE
   UBSAN_OPTIONS=print_stacktrace=1 \
     run_as "$(host_of "$name")" "threads=$threads" "$work/$name/run" "$@")
}

# report NAME: what differs first, and how to see it again
report() {
  kernel=$(diff "$work/expected" "$work/$1/said" | sed -n -e 's/^[<>] k\([0-9]*\): .*/\1/p' | sort -n | head -n 1)
  diag "seed $seed, $1, $threads threads: kernel $kernel"
  diag "again: SN_SEEDS=$seed SN_LOOPS=$loops SN_CONFIGURATIONS=$1 t/29-windows.t; alone:"
  diag "  generate.pl $seed $loops FOLDER $kernel; snodegen --bounds=$bounds FOLDER/p.sn"
  sed -n -e "/^kernel f64 k$kernel(/,/^}/p" "$work/p.sn" | sed -e 's/^/#   /'
  run_windows "$like" "$kernel" >"$work/right" 2>&1
  run_windows "$1" "$kernel" >"$work/wrong" 2>&1
  diag "first difference, $like (<) and $1 (>), of $(diff "$work/right" "$work/wrong" | grep -c '^>'):"
  diff "$work/right" "$work/wrong" | sed -n -e '/^[<>-]/p' | awk '/^</ && !a++ || /^>/ && !b++' | sed -e 's/^/#   /'
}

# compare NAME: it says what it should
compare() {
  if ! run_windows "$1" >"$work/$1/said" 2>"$work/$1/err" || ! cmp -s "$work/expected" "$work/$1/said"; then
    report "$1"
    diag "$(head -n 20 "$work/$1/err")"
    return 1
  fi
}

# compare_all NAME: on one thread, and on three where no iteration ends by itself
compare_all() {
  for threads in $(case $like in plain) echo 1 ;; *) echo 1 3 ;; esac); do
    compare "$1" || return 1
  done
}

# ---- the loops ----

# check_file SEED
check_file() {
  seed=$1
  perl "$windows/generate.pl" "$seed" "$loops" "$work" || { fail "seed $seed: is written"; return; }
  bounds=$(sed -n -e 's|^// bounds \([a-z]*\).*|\1|p' "$work/p.sn") threads=1
  like=interpreter
  grep -q '^// bounds trap, some' "$work/p.sn" && like=plain
  if ! build $like >"$work/out" 2>&1 || ! run_windows $like >"$work/expected" 2>"$work/err"; then
    fail "seed $seed ($bounds): $like"
    diag "$(head -n 10 "$work/out" "$work/err")"
    return
  fi
  for c in $(of_seed "$seed"); do
    if ! why=$(available "$(host_of $c)"); then skip "seed $seed: $c" "$why"; continue; fi
    if ! build $c >"$work/out" 2>&1; then
      fail "seed $seed ($bounds): $c is built"
      diag "$(head -n 20 "$work/out")"
      continue
    fi
    if compare_all $c >"$work/report"; then
      pass "seed $seed ($bounds): $c as the $like form"
    else
      fail "seed $seed ($bounds): $c as the $like form"
      cat "$work/report"
    fi
  done
  made=$((made + loops))
  near=$((near + $("$snodegen" -w --bounds="$bounds" --emit=ir=windows --prefix=p "$work/p.sn" |
    grep -c '^  } near {$')))
}

# strand K: each $strands-th file, beginning with the K-th
strand() {
  turn=0
  for s in $seeds; do
    [ $((turn % strands)) -ne "$1" ] || check_file "$s"
    turn=$((turn + 1))
  done
}

# beside K: a strand in a folder of its own
beside() {
  work=$work/strand.$1 tests_done=0
  mkdir "$work"
  strand "$1" >"$work/tap"
  echo "$made $near" >"$work/count"
}

liar='' lie='' made=0 near=0 strands=1
[ -z "$SN_LONG" ] || strands=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
k=1
while [ $k -lt "$strands" ]; do beside $k & k=$((k + 1)); done
strand 0
wait
for strand in "$work"/strand.*; do
  [ -d "$strand" ] || continue
  take "$strand/tap"
  if read -r more with <"$strand/count"; then
    made=$((made + more)) near=$((near + with))
  else
    fail "$strand came to its end"
  fi
done
diag "$near of $made loops have windows"
is "at least a quarter of them" "$((4 * near >= made))" 1

# ---- a driver that lies ----

# the last file's, in the configuration that was built last
if [ -x "$work/$c/run" ]; then
  liar=$c lie=3
  compare "$c" >"$work/report"
  is "a driver that lies is found out" $? 1
  contains "with the seed" "$work/report" "SN_SEEDS=$seed"
  contains "the loop" "$work/report" "kernel f64 k3("
  contains "and the cell" "$work/report" "<"
  liar=
  ok "and agrees without the lie" compare "$c"
fi
# ---- gangs ----

# Whether eight particles are computed at once is seen by the time alone. So mpm3d's gangs are
# counted, those that go particle by particle after all too.
gangs=$work/gangs
mkdir "$gangs"
{
  echo 'static long asked, ran;'
  echo '#define COUNTED(at_once) (asked++, (at_once) && ++ran)'
  cat <<'END'
#include <stdio.h>
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "%ld %ld\n", asked, ran); }
END
} >"$gangs/counted.h"
if why=$(available host-gcc); then
  ok "mpm3d is written" generate "$gangs" "$SN_SRCDIR/bench/mpm3d.sn" -q -O3
  sed -i -e 's/== 8 && \([a-z0-9_]*_gang_[0-9]*(.*)\))$/== 8 \&\& COUNTED(\1))/' "$gangs/mpm3d.c"
  is "with two kinds of gangs" "$(grep -c COUNTED "$gangs/mpm3d.c")" 2
  ok "and built" eval '
    compile_flags="-include $gangs/counted.h" compile host-gcc "$gangs/mpm3d.c" "$gangs/mpm3d.o" &&
    compile_flags="-I$SN_SRCDIR -I$gangs -D_GNU_SOURCE" \
      compile host-gcc "$SN_SRCDIR/bench/mpm3d.c" "$gangs/bench.o" &&
    compile_flags="-I$SN_SRCDIR -D_GNU_SOURCE" \
      compile host-gcc "$SN_SRCDIR/bench/contender.c" "$gangs/contender.o" &&
    link host-gcc "$gangs/run" "$gangs/mpm3d.o" "$gangs/bench.o" "$gangs/contender.o" -lm'
  # one round of three steps, each with two loops over the lists
  echo | run_as host-gcc one "$gangs/run" mpm3d ours 20000 1 >"$gangs/said" 2>"$gangs/counts"
  diag "gangs that were asked for, that ran: $(cat "$gangs/counts")"
  ok "most particles go in gangs" awk '{ exit !($1 * 8 > 0.7 * 6 * 20000) }' "$gangs/counts"
  ok "and each gang runs" awk '{ exit !($1 > 0 && $1 == $2) }' "$gangs/counts"
else
  skip "gangs are counted" "$why"
fi

# ---- which blocks get windows ----

# 200,000 points, as many in turn in a block as `run` says, of 62 x 62 blocks: how many find a window, and
# how many do not look any more, on one thread. What is left is what is left without windows.
blocks=$work/blocks
mkdir "$blocks" "$blocks/windows" "$blocks/none"
cat >"$blocks/blocks.sn" <<'END'
field i32 x, y, s;
tree grid { pointer tile[i: 64, j: 64] { dense cell[i: 8, j: 8] { place x, y; } } }
tree points { dense point[n: 200000] { place s; } }
func i32x2 place(i32 n, i32 run) {
  u32 h = u32(n / run) * 2654435761u;
  h = (h ^ (h >> 15)) % 3844u;
  return i32x2(8 + 8 * (i32(h) / 62) + n % 5, 8 + 8 * (i32(h) % 62) + n / 5 % 7);
}
kernel void fill() { foreach (i in 0 .. 512, j in 0 .. 512) x[i, j] = i * 3 + j * 5; }
kernel void gather(i32 run) {
  foreach (n in s) {
    i32x2 at = place(n, run);
    i32 sum = 0;
    for (o in i32x2(-1) .. i32x2(2)) sum += x[at + o];
    s[n] = sum;
  }
}
kernel void scatter(i32 run) {
  foreach (n in s) {
    i32x2 at = place(n, run);
    for (o in i32x2(-1) .. i32x2(2)) y[at + o] += n;
  }
}
kernel i64 total() {
  i64 sum = 0;
  foreach (n in s) sum += i64(s[n]) * (n % 7 + 1);
  foreach (i, j in y) sum += i64(y[i, j]) * (i % 11 + 3 * j);
  return sum;
}
END
cat >"$blocks/counted.h" <<'END'
static long asked, found, rested;
static void *count_at(snd_windows *windows, int64_t key, int part)
{
  void *cells;

  asked++;
  rested += windows->rest > 0;
  cells = snd_window_at(windows, key, part);
  found += cells != NULL;
  return cells;
}
static void count_end(snd_windows *windows)
{
  fprintf(stderr, "%s %ld %ld %ld\n", windows->shape->is_added_to ? "scatter" : "gather", asked, found,
          rested);
  asked = found = rested = 0;
  snd_windows_end(windows);
}
END
cat >"$blocks/driver.c" <<'END'
#include "blocks.h"
#include <inttypes.h>
#include <stdio.h>
int main(void)
{
  static const int run[] = { 1, 2, 20, 1000 };
  sn_context *context;
  blocks_grid *grid;
  blocks_points *points;
  int64_t total;
  if (sn_context_create(NULL, &context) || blocks_grid_create(context, NULL, &grid) ||
      blocks_points_create(context, NULL, &points) || blocks_fill(grid)) return 1;
  for (int k = 0; k < 4; k++) {
    if (blocks_gather(grid, points, run[k]) || blocks_scatter(grid, points, run[k])) return 2;
    if (blocks_total(grid, points, &total)) return 3;
    printf("%d %" PRId64 "\n", run[k], total);
  }
  blocks_points_destroy(points);
  blocks_grid_destroy(grid);
  return sn_context_destroy(context);
}
END

# build_blocks FOLDER OPTION: its `run`
build_blocks() {
  generate "$1" "$blocks/blocks.sn" -q -w "$2" &&
    { [ "$2" != --pass=windows ] ||
      sed -i -e 's/snd_window_at(/count_at(/; s/snd_windows_end(/count_end(/' \
        -e '/#include <snode\/submit.h>/a #include <stdio.h>\n#include "counted.h"' "$1/blocks.c"; } &&
    compile_flags="-I$blocks" compile host-gcc "$1/blocks.c" "$1/blocks.o" &&
    compile_flags="-I$1" compile_driver host-gcc "$blocks/driver.c" "$1/driver.o" &&
    link host-gcc "$1/run" "$1/blocks.o" "$1/driver.o"
}

# share LINE COLUMN: per cent of those that were asked, of the loop in that line
share() { awk -v line="$1" -v column="$2" 'NR == line { printf "%d", 100 * $column / $2 }' "$blocks/counts"; }

if why=$(available host-gcc); then
  ok "points in many blocks: built" build_blocks "$blocks/windows" --pass=windows
  ok "and without windows" build_blocks "$blocks/none" --pass=no-windows
  run_as host-gcc one "$blocks/windows/run" >"$blocks/got" 2>"$blocks/counts"
  run_as host-gcc one "$blocks/none/run" >"$blocks/expected" 2>"$blocks/err"
  same "the same is left" "$blocks/got" "$blocks/expected"
  is "of two loops each, four times" "$(grep -c . "$blocks/counts")" 8
  for line in 1 2; do
    ok "one in a block at a time: most do not look" test "$(share $line 4)" -ge 80
    ok "and next to none finds a window" test "$(share $line 3)" -le 5
    ok "twenty: a window is not worth it" test "$(share $((line + 4)) 3)" -le 10
    ok "a thousand: nearly all find one" test "$(share $((line + 6)) 3)" -ge 90
  done
else
  skip "points in many blocks" "$why"
fi
done_testing
