#!/bin/sh
# snodegen --run: a kernel main with the arguments of the command line, its result, what is refused, and
# that nothing is left behind, whichever way it ends.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_GCC" ] || skip_all "no gcc with OpenMP"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "a program would need the sanitizers of the build"
cd "$work" || exit 1
unset CC
mkdir temporary
TMPDIR=$work/temporary OMP_WAIT_POLICY=passive
export TMPDIR OMP_WAIT_POLICY

# runs NAME STATUS OUTPUT ARGUMENT...: the exit status and what is printed; messages in said
runs() {
  runs_name=$1 runs_status=$2 runs_output=$3
  shift 3
  "$snodegen" --run "$@" >out 2>said </dev/null
  is "$runs_name" "$? $(cat out)" "$runs_status $runs_output" || diag "$(head -n 5 said)"
}

# ---- arguments and results ----

cat >sum.sn <<'END'
field f32 x[8];
tree grid { pointer tile[i: 4] { dense cell[i: 4] { place y; } } }
field f64 y;
kernel i32 main(grid g, i32 n, f64 scale) {
  foreach (i in x) x[i] = f32(i) * f32(scale);
  f32 s = 0;
  foreach (i in x) s += x[i];
  g.y[3] = s;
  f64 t = 0;
  foreach (i in g.y) t += g.y[i];
  print("%g %g\n", s, t);
  return n;
}
END
runs "an i32 is the exit status; trees are made" 3 "42 42" sum.sn -- 3 1.5
is "nothing is said" "$(cat said)" ""
# from here on by what compiles fast
CC=$TEST_TCC
[ -n "$CC" ] || CC="$TEST_GCC -O0"
export CC
runs "it has 8 bits, as C has it" 255 "28 28" -O1 --target=serial sum.sn -- -1 1
runs "by the interpreter" 7 "28 28" --target=interpreter sum.sn -- 7 1
cat >typed.sn <<'END'
kernel f64x2 main(u8 small, bool negative, f32 f) {
  f64 x = f64(f) + f64(small);
  return negative ? f64x2(-x, 0.1) : f64x2(x, 1e300);
}
END
serial=--target=serial
runs "what is no i32 is printed" 0 "3.5 1e+300" $serial typed.sn -- 3 false 0.5
runs "with as many digits as it needs" 0 "-255 0.1" $serial typed.sn -- 0xff true 0
printf '%s' 'kernel void main() { print("%d\n", 5); }' >2nd-try.sn
runs "a file whose name is none of C's" 0 5 $serial 2nd-try.sn
printf 'kernel bool main(i64 n) { return n < 0; }\n' >stdin.sn
"$snodegen" --run $serial - -- -9223372036854775808 <stdin.sn >out 2>said
is "from standard input" "$? $(cat out)" "0 true"

# ---- imports ----

cat >shared.sn <<'END'
param i32 SIZE = 5;
tree box { dense cell[i: SIZE] { place v; } }
field i32 v = 2;
func i32 twice(i32 k) { return 2 * k; }
END
cat >using.sn <<'END'
import "shared.sn";
param i32 MORE = 0;
kernel i64 main(box b) {
  i64 s = MORE;
  foreach (i in b.v) s += twice(b.v[i]);
  return s;
}
END
runs "what it imports is compiled too" 0 20 $serial using.sn
runs "with a param of its own, and one of what it imports" 0 17 $serial -D MORE=5 -D SIZE=3 using.sn

echo 'kernel f16x3 main(f16 h) { return f16x3(h, h * 3, f16(0.1)); }' >half.sn
runs "an f16 is rounded to, and printed with the digits that it has" 0 "0.3333 1 0.1" $serial half.sn -- 0.33333
runs "one that is too large is infinity" 0 "inf inf 0.1" $serial half.sn -- 65520

# ---- what is refused ----

refused() {
  refused_name=$1 refused_status=$2 refused_text=$3
  shift 3
  "$snodegen" --run "$@" >out 2>said </dev/null
  is "$refused_name: exit status" $? "$refused_status"
  contains "$refused_name: the message" said "$refused_text"
}
refused "too few arguments" 2 "typed.sn: kernel main takes arguments u8 small, bool negative, f32 f: 1 given" \
  $serial typed.sn -- 1
refused "a number that is too large" 2 "argument 1, 'small': '256' is no value of u8" $serial typed.sn -- 256 1 1
refused "a negative one" 2 "'-1' is no value of u8" $serial typed.sn -- -1 1 1
refused "no number" 2 "argument 3, 'f': '1x' is no value of f32" $serial typed.sn -- 1 1 1x
refused "no bool" 2 "argument 2, 'negative': '2' is no value of bool" $serial typed.sn -- 1 2 1
refused "an argument without --" 2 "arguments of the program stand behind --" typed.sn 1
refused "with another output" 2 "--run writes no file" -o x typed.sn
refused "no kernel main" 1 "there is no kernel 'main'" shared.sn
CC=no-such-compiler refused "a compiler that is not there" 3 \
  "no-such-compiler: No such file or directory: set CC to a C compiler" $serial typed.sn

# ---- without the configured compiler: any, for one thread ----

fast=$CC
unset CC
mkdir alone
printf '#!/bin/sh\nPATH=%s; export PATH\necho "$@" >"%s/by_tcc"\nexec %s "$@"\n' "$PATH" "$work" "$fast" >alone/tcc
chmod +x alone/tcc
env PATH="$work/alone" "$snodegen" --run sum.sn -- 4 1 >out 2>said
is "by the only compiler that is there" "$? $(cat out)" "4 28 28" || diag "$(cat said)"
contains "which is said" said "compiled by tcc, for one thread"
is "once" "$(wc -l <said)" 1
contains "with the flag for it" by_tcc "-DSN_SERIAL"
rm alone/tcc
env PATH="$work/alone" "$snodegen" --run sum.sn -- 4 1 >out 2>said
is "there is none: exit status" $? 3
contains "there is none: the message" said "set CC to a C compiler"

# ---- how it ends ----

CC=$fast
export CC
printf 'field i32 x[4];\nkernel i32 main() { foreach (i in x) x[i] = i; assert(x[3] == 4, "of %%d", x[3]); return 0; }\n' >trap.sn
runs "an error of the program" 1 "" $serial trap.sn
contains "is told with its line" said "trap.sn:2"
echo 'kernel i32 main() { return 1 2; }' >wrong.sn
runs "an error in the source" 1 "" wrong.sn
contains "is told" said "wrong.sn:1:30: error:"
printf 'kernel void main() { }\n' >fine.sn
CC=false runs "an error of the compiler" 3 "" $serial fine.sn

# stopped SIGNAL: sends it to snodegen while the program runs; its exit status. Who runs the tests may ignore
# hangups (nohup), and what they start does then.
cat >endless.sn <<'END'
field i32 x[4];
kernel void main() { while (true) { foreach (i in x) x[i] += 1; } }
END
stopped() {
  rm -f started
  perl -e '$SIG{HUP} = "DEFAULT"; exec @ARGV' "$snodegen" --run $serial endless.sn </dev/null >out 2>said &
  command=$!
  for k in $(seq 200); do
    ps -o args= --ppid "$command" 2>/dev/null | grep '/endless$' >/dev/null && break
    sleep 0.1
  done
  kill -s "$1" "$command"
  wait "$command"
  echo "$? $(ls "$work/temporary" | wc -l)"
}
if ps -o args= --ppid $$ >/dev/null 2>&1; then
  is "SIGTERM ends the program too, and nothing is left" "$(stopped TERM)" "143 0"
  is "so does SIGHUP" "$(stopped HUP)" "129 0"
else
  skip "SIGTERM ends the program too" "no ps that tells the children of a process"
fi
is "no run has left anything behind" "$(ls temporary)" ""
done_testing
