#!/bin/sh
# The section "Details, settled" of the language: what it refuses, and what options change.
# A test for each sentence; the sentences about values are the lines of t/run/details.out,
# which every configuration prints.  (Of errors in one file: t/19-mistakes.t.)
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

trees='field f32 x; field i32 c; field i16 d; field f32 far;
tree t {
  pointer tile[i: 4] { dense cell[i: 4] { place x; } }
  dynamic list[k: 8] { place d; }
  place c;
}
tree plane { hash page[i, j] { place far; } }
'

# says NAME TEXT PROGRAM OPTIONS...: the program is refused (or warned of) with this text
says() {
  says_name=$1 says_text=$2
  printf '%s' "$trees" >program.sn
  printf '%s\n' "$3" >>program.sn
  shift 3
  "$snodegen" "$@" program.sn >said 2>&1
  contains "$says_name" said "$says_text"
  is "$says_name: one message" "$(grep -c -E ': (error|warning): ' said)" 1
}

# silent NAME PROGRAM OPTIONS...: accepted, and nothing is said
silent() {
  silent_name=$1
  printf '%s' "$trees" >program.sn
  printf '%s\n' "$2" >>program.sn
  shift 2
  "$snodegen" -q "$@" program.sn >said 2>&1
  is "$silent_name" "$? $(cat said)" "0 "
}

in_kernel() { printf 'kernel void k(i32 n) { %s }' "$1"; }
in_foreach() { printf 'kernel void k(i32 n) { foreach (i in x) { %s } }' "$1"; }

# ---- Expressions ----

fused='kernel void k(in f64 a[n], out f64 b[n]) { foreach (i in 0 .. n) b[i] = a[i] * a[i] + a[i]; }'
silent "not contracted" "$fused"
contains "not contracted: the C says so" program.c "FP_CONTRACT OFF"
silent "--fp-contract=fast" "$fused" --fp-contract=fast
is "--fp-contract=fast: the compiler may" "$(grep FP_CONTRACT program.c)" ""

says "a vector as a condition" "any(...) or all(...)" "$(in_kernel 'if (i32x2(1, n) > 0) c = 1;')"
says "a vector under !" "any(...) or all(...)" "$(in_kernel 'c = !i32x2(1, n) ? 1 : 2;')"
says "a vector under &&" "any(...) or all(...)" "$(in_kernel 'c = n > 0 && i32x2(1, n) > 0 ? 1 : 2;')"
says "a shift's count is an integer" "needs an integer" "$(in_kernel 'c = n << 1.5;')"

# ---- Declarations ----

for options in '= 1.0 offset (-4) (i)' 'offset (-4) (i) = 1.0' '(i) = 1.0 offset (-4)'; do
  silent "options in any order: $options" "field f32 a $options; tree u { dense w[i: 8] { place a; } }"
done
silent "options belong to the name before them" \
  'field f32 a = 1.0, b offset (3), g; tree u { dense w[i: 8] { place a, b, g; } }'
says "an option twice" "stands twice behind 'a'" \
  'field f32 a = 1.0 offset (1) = 2.0; tree u { dense w[i: 8] { place a; } }'

silent "the extents of vec and mat are constants" 'param i32 D = 3; const i32 wide = 2 * D;
  field vec(f32, D) speed; field mat(f64, wide, D - 1) A; tree u { place speed, A; }'
contains "-D 3: six rows" program.h "double value[12]"
silent "with -D" 'param i32 D = 3; field vec(f32, D) speed; tree u { place speed; }' -D D=2
contains "-D 2: two elements" program.h "float value[2]"

for word in param const field tree func kernel instance import struct in out inout if else while \
            do for foreach break continue return print assert block true false vec mat i32 f64 bool; do
  says "'$word' is reserved" "'$word'" "field i32 $word;"
done

says "a built-in's name may be used, with the shadow warning" "hides a built-in" \
  'func i32 sqr(i32 v) { return v; }'

mkdir -p apart
echo 'param i32 SIZE = 2; const i32 shared_size = SIZE * 2; kernel void own() { }' >apart/other.sn
importing='import "other.sn"; const i32 twice = 2 * shared_size; kernel i32 k() { return twice; }'
says "an import is looked for beside the file" "neither in this file's folder nor" "$importing"
silent "then in -I" "$importing" -I apart
contains "then in -I: what it declares" program.c "= 8"
silent "-D of an imported param" "$importing" -I apart -D SIZE=50
contains "-D of an imported param: its value" program.c "= 200"
is "only the named file's output is written" "$(ls other.* 2>/dev/null)" ""

says "a func that can end without its value" "can end without returning" \
  'func i32 f(i32 a) { if (a > 0) return 1; }'
silent "one that cannot" 'func i32 f(i32 a) { while (true) { if (a > 0) return 1; a++; } }'
says "a foreach in a func" "a foreach cannot stand in a func" 'func void f() { foreach (i in x) x[i] = 0; }'
says "deactivate_all in a func" "deactivate_all cannot stand in a func" 'func void f() { deactivate_all(tile); }'
says "a dense node is not deactivated" "'cell' is dense" "$(in_foreach 'deactivate(cell, i);')"
says "by a field's name neither" "is dense" "$(in_foreach 'deactivate(x, i);')"

# ---- Statements ----

says "the variable of a kernel-level for is read-only in a foreach" "read-only" \
  "$(in_kernel 'for (step in 0 .. 3) foreach (i in x) step += 1;')"
says "in C's for too" "read-only" \
  "$(in_kernel 'for (i32 step = 0; step < 3; step++) foreach (i in x) step = 1;')"
says "an atomic needs an lvalue" "can be assigned" "$(in_foreach 'atomic_add(n + 1, 2);')"
says "of arithmetic type" "bool" "$(in_kernel 'bool b; atomic_add(b, true);')"
says "an unknown attribute, with a suggestion" "did you mean 'serial'" "kernel void k() { [[seriel]] foreach (i in x) x[i] = 0; }"
says "unroll stands before a for, other attributes before a foreach" "serial" \
  "$(in_kernel '[[serial]] for (i in 0 .. 3) c += i;')"
silent "several attributes" 'kernel void k() { [[serial]] [[unroll]] foreach (i in x) x[i] = 0;
  [[serial, unroll]] foreach (i in x) x[i] = 1; }'
says "what print cannot" "cannot print" "$(in_kernel 'print("%d", 1.5);')"

# ---- what is known ----

silent "a power with a negative exponent is a constant" \
  'const i64 none = pow(2, -1), minus = pow(-1, -3); kernel i64 k() { return none + 7 * minus; }'
contains "with its value" program.c "= -7;"
silent "an integer compared with itself" 'kernel i32 k(i32 a, u64 b) {
  i32 c = a; foreach (i in 0 .. 4) c += i; i32 d = 0; const i32 e = c + 1;
  if (c >= c) d += 1; if (d != d) d += 2; if (e < e) d += 4; if (b <= b) d += 8; return d; }'
is "is not compared in C" "$(grep -cE '(\w+) (>=|!=|<|<=) \1\b' program.c)" 0
silent "a float is" 'kernel i32 k(f32 a) { i32 d = 0; if (a != a) d += 1; return d; }'
is "since it may be no number" "$(grep -cE 'a != .*a' program.c)" 1

# ---- serial loops over a constant box are written out: the bench's convolution ----

"$snodegen" -q -O3 "$SN_SRCDIR/bench/conv.sn" >said 2>&1
awk '/^convolve_rows_0/ { inside = 1 } inside { print } /^}/ { inside = 0 }' conv.c >rows
is "the 27 weights are numbers in the loop, by rows" "$(grep -c 'total_2 += ' rows)" 27
is "and no table is left, nor a loop but those of the leaf's axes" \
  "$(grep -c weight conv.c) $(grep -c 'for (' rows)" "0 2"
for body in near team body; do         # what the host and teams stage, what OpenACC walks to
  target=omp
  [ $body != body ] || target=acc
  "$snodegen" -q -O3 --target=$target --pass=no-rows "$SN_SRCDIR/bench/conv.sn" >said 2>&1
  awk -v name="^convolve_${body}_0" '$0 ~ name { inside = 1 } inside { print } /^}/ { inside = 0 }' \
    conv.c >body
  is "the 27 weights are numbers in the loop, $body" "$(grep -c 'total += .*x[;[]' body)" 27
  is "and no table is left, $body" "$(grep -c weight conv.c) $(grep -c 'for (' body)" "0 0"
done

# ---- a cell beside the leaf, by a row that others run in: one of two places; by a row that is written out,
# in one of two leaves ----

"$snodegen" -q -O3 "$SN_SRCDIR/bench/stencil7.sn" >said 2>&1
awk '/^step_rows_0/ { inside = 1 } inside { print } /^}/ { inside = 0 }' stencil7.c | tr -s '\n ' ' ' >rows
contains "before the leaf" rows \
  "(row_i < 1 ? &leaf_2->before[row_i * 64 + 448] : &leaf->before[row_i * 64 - 64])[row_j * 8].x"
contains "behind it" rows \
  "(row_i < 7 ? &leaf->before[row_i * 64 + 64] : &leaf_3->before[row_i * 64 - 448])[row_j * 8].x"
contains "beside it" rows "(row_j < 1 ? leaf_4 : leaf)->before[(row_i * 8 + ((row_j + 7) & 7)) * 8].x"

# ---- particles in lists of leaves are computed eight at once: the bench's in three dimensions ----

"$snodegen" -q -O3 "$SN_SRCDIR/bench/mpm3d.sn" >said 2>&1
is "27 cells of three values for eight particles" "$(grep -c 'SND_NEAR_LANES_4(' mpm3d.c)" 81
is "27 cells that eight particles add to" "$(grep -c 'SND_BY_LANE_4(' mpm3d.c)" 27

# ---- built-ins of lanes are vectors, not calls lane by lane: the bench's narrow band, and its levels ----

"$snodegen" -q -w -O3 "$SN_SRCDIR/bench/band.sn" >said 2>&1
awk '/^forth_rows_0/ { inside = 1 } inside { print } /^}/ { inside = 0 }' band.c >lanes
is "roots, the least and the greatest" "$(grep -c SND_ROW_EACH lanes)" 0
ok "are in it" sh -c "grep -q SND_ROW_SQRT lanes && grep -q SND_ROW_FMIN lanes && grep -q SND_ROW_FMAX lanes"
is "and masks of neighbours, asked for once each" "$(grep -c 'MASK_OF_BITS' lanes)" 7
is "one question whether a lane runs, six walks, no jump for a lane" \
  "$(grep -c ROW_ANY lanes) $(grep -c read_settled lanes) $(grep -c PUT_WHERE lanes)" "1 6 0"
"$snodegen" -q -O3 "$SN_SRCDIR/bench/multires.sn" >said 2>&1
for pass in 0 3; do                    # from the finer level, and from the coarser one
  awk -v name="^exchange_rows_$pass" '$0 ~ name { inside = 1 } inside { print } /^}/ { inside = 0 }' \
    multires.c >lanes
  case $pass in
    0) is "eight leaves for eight cells, eight walks" "$(grep -c read_settled lanes)" 8 ;;
    3) is "four values for eight lanes, half a vector" "$(grep -c 'f32x4' lanes)" 1 ;;
  esac
done

# ---- Nodes ----

says "a hash axis asks for i64" "write 'i64" "kernel void k() { foreach (i, i64 j in far) far[i, j] = 0; }"
says "as a whole index too" "i64x2" "kernel void k() { foreach (I in far) far[I] = 0; }"
says "append takes no index of the dynamic axis" "takes 0 indices, not 1" "$(in_kernel 'append(d, 1);')"
says "is_active takes the position" "takes 1 index, not 0" "$(in_kernel 'if (is_active(list)) c = 1;')"

# ---- Errors ----

cat >program.sn <<'END'
field i32 x
tree t { dense d[i: 4] { place x; } }
kernel void k() {
  x[0] = 1 +;
  x[1] = y;
}
kernel i32 m() { return z; }
END
"$snodegen" program.sn >said 2>&1
is "the parser goes on; types are looked at in the whole file" \
  "$(sed -n -e 's/^program.sn:\([0-9]*\):.* error: .*/\1/p' said | tr '\n' ' ')" "1 4 5 7 "
done_testing
