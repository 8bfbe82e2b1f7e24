#!/bin/sh
# What [[cache]] names is staged by the teams of a device in their memory: loops made of chance
# (t/staged/generate.pl) leave in the device image, by teams of several lanes, what the interpreter
# leaves; without their barriers they do not.  And what a GPU would get of them, read, not run.
#
# Every day without optimization, which takes most of the time and stages nothing.  SN_LONG=1: 40 files, and
# -O1; SN_SEEDS="1 2" chooses them.  Of a GPU (t/gpu.sh) the teams are its own, and
# what it leaves without a barrier is not asked: that may come out right.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
why=$(available x86) || skip_all "$why"
generator=$SN_SRCDIR/t/staged/generate.pl
seeds=${SN_SEEDS:-1 2} loops=5
level=-O0
[ -z "$SN_LONG" ] || seeds=$(seq 1 40) loops=8 level=-O1
ways="teams=1 teams=2x4 teams=3x5"
[ "$(ways_of x86)" != gpu ] || ways=gpu level=-O1
cd "$work" || exit 1

# bounds_of SEED: what indices outside do, of which there are none
bounds_of() { case $(($1 % 3)) in 0) echo zero ;; 1) echo none ;; *) echo trap ;; esac; }

# build CONFIGURATION FOLDER SEED [SCRIPT]: FOLDER/run, of staged.sn; SCRIPT edits its C
build() {
  mkdir -p "$2"
  generate "$2" staged.sn -w -O2 --bounds="$(bounds_of "$3")" --emit=c,h,main \
    $(case $1 in interpreter) echo --target=interpreter ;; esac) || return 1
  if [ -n "$4" ]; then sed -e "$4" "$2/staged.c" >"$2/edited" && mv "$2/edited" "$2/staged.c"; fi
  compile_flags="$level $of_chance" compile "$1" "$2/staged.c" "$2/staged.o" &&
    compile_flags=-Wno-unused-function compile_driver "$1" "$2/staged_main.c" "$2/main.o" &&
    link "$1" "$2/run" "$2/staged.o" "$2/main.o"
}

# ---- as the interpreter ----

# as_interpreter NAME BUILD SEED: what BUILD makes of a file for the image leaves what it makes for the
# interpreter does, in all ways
as_interpreter() {
  rm -rf right image host
  ok "$1: the interpreter's" "$2" interpreter right "$3" || return 1
  run_as interpreter one right/run >expected 2>&1
  is "$1: which ends well" $? 0
  ok "$1: the image's" "$2" x86 image "$3" || return 1
  for way in $ways; do
    run_as x86 $way image/run >got 2>&1
    same "$1, $way" got expected
  done
  record "43-staged $1"
}

for seed in $seeds; do
  perl "$generator" "$seed" "$loops" >staged.sn
  as_interpreter "seed $seed" build "$seed" || continue
  ok "seed $seed: each loop is staged" \
    test "$(grep -c '^SND_LOOP_TEAM' image/staged.c)" -eq "$(grep -c 'cache(' staged.sn)"
done

# ---- lists of leaves: boxes of cells at computed places ----

# build_lists CONFIGURATION FOLDER SEED: FOLDER/run, of t/windows
build_lists() {
  mkdir -p "$2"
  generate "$2" p.sn -w --bounds="$(bounds_of_lists)" --prefix=p -o p \
    "$(case $1 in interpreter) echo --target=interpreter ;; *) echo -O2 ;; esac)" || return 1
  compile_flags="$level -ffp-contract=off $of_chance" compile "$1" "$2/p.c" "$2/p.o" &&
    compile_flags="-I$2 -I." compile_driver "$1" "$SN_SRCDIR/t/windows/driver.c" "$2/driver.o" &&
    link "$1" "$2/run" "$2/p.o" "$2/driver.o"
}
bounds_of_lists() { sed -n -e 's|^// bounds \([a-z]*\).*|\1|p' p.sn; }

of_lists=${SN_SEEDS:-4 7} loops=6
[ -z "$SN_LONG" ] || of_lists=$(seq 1 40)
staged=0
for seed in $of_lists; do
  perl "$SN_SRCDIR/t/windows/generate.pl" "$seed" "$loops" . leaves
  # points outside the extents trap: which iterations come first says what is left
  if grep -q '^// bounds trap, some' p.sn; then continue; fi
  as_interpreter "lists $seed" build_lists "$seed" || continue
  staged=$((staged + $(grep -c '^SND_LOOP_TEAM' image/p.c)))
done
[ -n "$SN_SEEDS" ] || ok "lists are staged" test "$staged" -gt 3

[ "$ways" != gpu ] || done_testing

# ---- more of them, whose C is compiled and not run: where there is a compiler, not a bundle for a GPU ----

further() {
  not_c=
  for seed in ${SN_SEEDS:-$(seq 3 24)}; do
    perl "$generator" "$seed" 1 >staged.sn
    rm -rf read && mkdir read
    { generate read staged.sn -w -O2 --bounds="$(bounds_of "$seed")" &&
        compile_flags="-O0 $of_chance" compile host-clang read/staged.c read/staged.o; } >>said 2>&1 || not_c="$not_c $seed"
  done
  # a list's gang that keeps cells under the root, to which it adds
  perl "$SN_SRCDIR/t/windows/generate.pl" 38 6 . leaves
  { generate read p.sn -w -O2 --bounds="$(bounds_of_lists)" --prefix=p -o p &&
      compile_flags="-O0 $of_chance" compile host-clang read/p.c read/p.o; } >>said 2>&1 || not_c="$not_c lists 38"
  is "the C of further files is C" "$not_c" "" || diag "$(grep error said | head -n 10)"
}
if [ -z "$SN_GPU_MODE" ] && available host-clang >/dev/null; then further; fi

# ---- without one of the barriers ----

# differs: one of twenty runs leaves something else
differs() {
  for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    run_as x86 teams=2x4 image/run >got 2>&1 || return 1
    cmp -s got expected || return 0
  done
  return 1
}

# barriers LOOP: of staged.sn; of each block one stands before the cells, one behind them
barriers() {
  rm -rf right image
  ok "$1: the interpreter's" build interpreter right 1 && right/run >expected 2>&1
  ok "$1: the image's" build x86 image 1 && run_as x86 teams=2x4 image/run >got 2>&1
  same "$1: both the same" got expected
  is "$1: two barriers stand in it" "$(grep -c '^ *SND_TEAM_BARRIER' image/staged.c)" 2
  for barrier in 1 2; do
    case $barrier in
      1) script='/SND_TEAM_BARRIER/{x;s/^/b/;/^b$/{x;d;};x;}' ;;
      2) script='/SND_TEAM_BARRIER/{x;s/^/b/;/^bb$/{x;d;};x;}' ;;
    esac
    rm -rf image
    ok "$1, without the barrier $barrier: it is built" build x86 image 1 "$script"
    is "$1: it is not there" "$(grep -c '^ *SND_TEAM_BARRIER' image/staged.c)" 1
    ok "$1, without the barrier $barrier: what it leaves is wrong" differs
  done
}

cat >staged.sn <<'END'
field i32 x, y, m;
tree t { pointer top[i: 64, j: 16] { dense own[i: 8, j: 8] { place x, y, m; } } }
kernel void main() {
  i64 wrong = 0, sum = 0;
  foreach (i in 0 .. 512, j in 0 .. 128) { x[i, j] = 3 * i + 5 * j; y[i, j] = 0; }
  for (turn in 0 .. 5) {
    [[cache(x, m)]] foreach (i, j in y) {
      if (i >= 2 && i < 510 && j >= 2 && j < 126) {
        y[i, j] = x[i - 2, j - 2] + x[i + 2, j + 2] - 2 * x[i, j];
        if (y[i, j] != 0) wrong += 1;
        m[i - 2, j + 2] += 1; m[i + 2, j - 2] += 2;
      }
    }
  }
  foreach (i, j in m) sum += m[i, j] * i64(i + 600 * j % 7);
  print("%d wrong, %d\n", wrong, sum);
}
END
barriers cells

cat >staged.sn <<'END'
field i32 x, m, n, a, b;
tree t { pointer top[i: 64, j: 16] {
  dense own[i: 8, j: 8] { place x, m, n; } dynamic list[q: 256] chunk 64 { place a, b; } } }
kernel void main() {
  i64 wrong = 0, sum = 0;
  foreach (i in 0 .. 512, j in 0 .. 128) { x[i, j] = 3 * i + 5 * j; m[i, j] = 0; n[i, j] = 0; }
  foreach (i in 0 .. 510, j in 0 .. 126) {
    i64 q = append(list, i / 8, j / 8);
    a[i / 8, j / 8, q] = i; b[i / 8, j / 8, q] = j;
  }
  for (turn in 0 .. 5) {
    [[cache(x, m, n)]] foreach (i, j, q in a) {
      i32 at = a[i, j, q], by = b[i, j, q];
      i32 all = 0;
      for (o in i32x2(0) .. i32x2(3)) {
        all += x[at + o.x, by + o.y];
        m[at + o.x, by + o.y] += 1; n[at + o.x, by + o.y] -= 2;
      }
      if (all != 9 * (3 * at + 5 * by + 8)) wrong += 1;
    }
  }
  foreach (i, j in m) sum += (m[i, j] - n[i, j]) * i64(i + 600 * j % 7);
  print("%d wrong, %d\n", wrong, sum);
}
END
barriers lists
done_testing
